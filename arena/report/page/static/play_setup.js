import { drawBoard } from "./board.js";
import { part } from "./list.js";
import { pairing } from "./stones.js";
import { ask, isAway } from "./play_server.js";

/**
 * @typedef {{name: string, about: string, values: (string | number)[], default: number}} Choice
 * @typedef {{name: string, about: string, rules: string[], parameters: Choice[]}} GameOffered
 * @typedef {{name: string, about: string, games: Record<string, string[]>, preferred: boolean}} EngineOffered
 * @typedef {{id: string, players: string[], plies: number, trouble?: string}} InPlay
 * @typedef {{games: GameOffered[], engines: EngineOffered[], limits: string[], tables: InPlay[]}} Offer
 */

const OFFER_AGAIN = 1000;
const PERSON = "";

/**
 * The form to begin a game, and the list of those in play.
 */
export class Setup {
  /**
   * @param {HTMLElement} root
   * @param {(id: string) => void} begun
   */
  constructor(root, begun) {
    this.root = root;
    this.begun = begun;
    /** @type {Offer | null} */
    this.offer = null;
    /** @type {number[]} the moves to start from */
    this.start = [];
    this.form = /** @type {HTMLFormElement} */ (part(root, "form"));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    this.select("game").addEventListener("change", () => {
      this.start = [];
      this.fillGame();
    });
    part(root, "values").addEventListener("change", () => {
      this.start = [];
      this.fillEngines();
    });
    root.addEventListener("click", (event) => this.click(event));
  }

  /**
   * Show what is on offer; `from` is a position in an address.
   * @param {URLSearchParams} from
   */
  async open(from) {
    this.root.hidden = false;
    document.title = "Play - gomoku-arena";
    part(this.root, "said").textContent = "";
    const reply = await ask("/play/offer");
    if (this.root.hidden) return;
    if (reply.status === 200) {
      this.offer = reply.data;
      this.fill(from);
    } else if (isAway(reply)) {
      setTimeout(() => this.root.hidden || this.open(from), OFFER_AGAIN);
    }
  }

  close() {
    this.root.hidden = true;
  }

  /** @param {URLSearchParams} from */
  fill(from) {
    const { offer } = this;
    if (!offer) return;
    const named = from.get("game") ?? this.select("game").selectedOptions[0]?.text ?? "gomoku";
    fillSelect(this.select("game"), offer.games.map((game) => game.name), named);
    fillSelect(this.select("limit"), offer.limits, this.select("limit").selectedOptions[0]?.text);
    this.fillGame(from);
    const moves = from.get("moves");
    this.start = moves ? moves.split(".").map(Number) : [];
    this.drawStart();
    this.listTables(offer.tables);
    part(this.root, "body").hidden = false;
  }

  /** @param {URLSearchParams} [from] */
  fillGame(from) {
    const game = this.game();
    if (!game) return;
    part(this.root, "values").replaceChildren(...parameterFields(game, from));
    part(this.root, "about").textContent = game.about;
    const opening = this.select("opening");
    const before = opening.value;
    const made = game.rules.map((name) => new Option(`${name}: the players make it`, name));
    opening.replaceChildren(new Option("none", ""), ...made);
    opening.value = game.rules.includes(before) ? before : "";
    this.fillEngines();
  }

  /** Offer those engines that can play this game, by this rule. */
  fillEngines() {
    const { offer } = this;
    const game = this.game();
    if (!offer || !game) return;
    const players = enginesFor(offer, game.name, this.values().rule);
    const opponent = (players.find((player) => player.preferred) ?? players[0])?.value ?? PERSON;
    for (const [seat, name] of ["first", "second"].entries()) {
      const select = this.select(name);
      const before = select.options.length ? select.value : null;
      const options = [new Option("You", PERSON), ...players.map(({ value, text }) => new Option(text, value))];
      select.replaceChildren(...options);
      const wanted = before ?? (seat ? opponent : PERSON);
      select.value = options.some((option) => option.value === wanted) ? wanted : PERSON;
      if (before !== PERSON && select.value === PERSON && seat) select.value = opponent;
    }
    this.drawStart();
  }

  /** Show the position to start from, if it is not the usual one. */
  drawStart() {
    const isFrom = this.start.length > 0;
    part(this.root, "start").hidden = !isFrom;
    part(this.root, "opening").hidden = !this.mayMakeOpening();
    const size = Number(this.values().size ?? (this.game()?.name === "renju" ? 15 : 0));
    const place = part(this.root, "start-board");
    place.replaceChildren();
    const noun = this.start.length === 1 ? "move" : "moves";
    part(this.root, "start-text").textContent = `It starts from a position after ${this.start.length} ${noun}.`;
    if (!isFrom || !size || !this.start.every((cell) => cell >= 0 && cell < size ** 2)) return;
    /** @type {number[]} */
    const cells = new Array(size ** 2).fill(0);
    this.start.forEach((cell, i) => (cells[cell] = (i % 2) + 1));
    drawBoard(place, { size, cells, last: this.start.at(-1) }, "The position to start from");
  }

  /** @param {InPlay[]} tables */
  listTables(tables) {
    part(this.root, "tables").hidden = !tables.length;
    const rows = tables.map((table) => {
      const row = document.createElement("li");
      const link = document.createElement("a");
      const noun = table.plies === 1 ? "ply" : "plies";
      link.href = `#table=${table.id}`;
      const [first = "", second = ""] = table.players;
      if (!table.trouble) link.append(...pairing([first, second]), `, ${table.plies} ${noun}`);
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.leave = table.id;
      button.textContent = "Leave";
      button.setAttribute("aria-label", `Leave ${link.textContent || "a game"}`);
      row.append(table.trouble ? `A game: ${table.trouble}` : link, " ", button);
      return row;
    });
    part(this.root, "rows").replaceChildren(...rows);
  }

  /** @param {Event} event */
  async click(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-leave], [data-act=empty]");
    if (!(target instanceof HTMLElement)) return;
    const id = target.dataset.leave;
    if (id === undefined) {
      this.start = [];
      this.drawStart();
    } else if (window.confirm("Leave this game? Nothing of it is kept.")) {
      await ask(`/play/games/${id}`, { act: "leave" });
      this.open(new URLSearchParams());
    }
  }

  async begin() {
    const { offer } = this;
    const game = this.game();
    if (!offer || !game) return;
    const said = part(this.root, "said");
    said.textContent = "";
    const seats = ["first", "second"].map((name) => this.select(name).value);
    const reply = await ask("/play/games", {
      game: offer.games.indexOf(game),
      values: game.parameters.map((each) => this.select(`value-${each.name}`).selectedIndex),
      seats: seats.map((value) => (value === PERSON ? null : Number(value))),
      limit: this.select("limit").selectedIndex,
      opening: this.start,
      rule: (this.mayMakeOpening() && this.select("opening").value) || null,
    });
    if (reply.status === 200) this.begun(reply.data.id);
    else if (reply.data?.error) said.textContent = reply.data.error;
  }

  /**
   * True if the players may make the opening: not from a position that is given.
   * @returns {boolean}
   */
  mayMakeOpening() {
    return Boolean(this.game()?.rules.length) && !this.start.length;
  }

  /** @returns {GameOffered | undefined} */
  game() {
    return this.offer?.games[this.select("game").selectedIndex];
  }

  /**
   * The values of the game's parameters as they are chosen.
   * @returns {Record<string, string | number | undefined>}
   */
  values() {
    const chosen = this.game()?.parameters.map((each) => [
      each.name,
      each.values[this.select(`value-${each.name}`).selectedIndex],
    ]);
    return Object.fromEntries(chosen ?? []);
  }

  /**
   * @param {string} name
   * @returns {HTMLSelectElement}
   */
  select(name) {
    return /** @type {HTMLSelectElement} */ (this.form.elements.namedItem(name));
  }
}

/**
 * The fields to choose a game's parameters by, as they are in an address or by default.
 * @param {GameOffered} game
 * @param {URLSearchParams} [from]
 * @returns {HTMLLabelElement[]}
 */
export function parameterFields(game, from) {
  return game.parameters.map((parameter) => {
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.name = `value-${parameter.name}`;
    const chosen = from?.get(parameter.name) ?? String(parameter.values[parameter.default]);
    fillSelect(select, parameter.values.map(String), chosen);
    label.append(`${parameter.name[0]?.toUpperCase()}${parameter.name.slice(1)} `, select);
    label.title = parameter.about;
    return label;
  });
}

/**
 * The engines that can play a game, by a rule if it has a choice of them; `value` is the number.
 * @param {Offer} offer
 * @param {string} game
 * @param {string | number} [rule]
 * @returns {{value: string, text: string, preferred: boolean}[]}
 */
export function enginesFor(offer, game, rule) {
  return offer.engines.flatMap((engine, i) => {
    const rules = engine.games[game];
    const can = rules && (!rules.length || rule === undefined || rules.includes(String(rule)));
    return can ? [{ value: String(i), text: engine.name, preferred: engine.preferred }] : [];
  });
}

/**
 * @param {HTMLSelectElement} select
 * @param {string[]} texts
 * @param {string} [wanted]
 */
export function fillSelect(select, texts, wanted) {
  select.replaceChildren(...texts.map((text) => new Option(text, text)));
  if (wanted !== undefined && texts.includes(wanted)) select.value = wanted;
}
