import { withPoints } from "./coordinates.js";
import { part } from "./list.js";
import { ask } from "./play_server.js";
import { fillSelect, parameterFields } from "./play_setup.js";

/** @typedef {import("./play_setup.js").Offer} Offer */
/** @typedef {import("./play_setup.js").GameOffered} GameOffered */
/** @typedef {import("./position.js").Board} Board */

const PLAYS = "play";

/**
 * The form to set up a position: its game, stones by clicks, moves as text.
 */
export class SetUp {
  /**
   * @param {HTMLElement} root
   * @param {Offer} offer
   * @param {(moves: number[]) => void} begin called with the moves to begin with
   */
  constructor(root, offer, begin) {
    this.root = root;
    this.offer = offer;
    this.begin = begin;
    this.fields = /** @type {HTMLFormElement} */ (part(root, "form"));
    this.paste = /** @type {HTMLFormElement} */ (part(root, "paste"));
    this.size = 0;
    /** @type {[number[], number[]] | null} the stones of either side, if they are no game's */
    this.stones = null;
    this.select("game").addEventListener("change", () => {
      this.fillValues();
      begin([]);
    });
    part(root, "values").addEventListener("change", () => begin([]));
    this.fields.addEventListener("submit", (event) => event.preventDefault());
    this.paste.addEventListener("submit", (event) => {
      event.preventDefault();
      this.read();
    });
  }

  /**
   * Choose the game that an address names.
   * @param {URLSearchParams} named
   */
  fill(named) {
    fillSelect(this.select("game"), this.offer.games.map((game) => game.name), named.get("game") ?? "gomoku");
    this.fillValues(named);
  }

  /** @param {URLSearchParams} [named] */
  fillValues(named) {
    part(this.root, "values").replaceChildren(...parameterFields(this.game(), named));
    this.mode(PLAYS).checked = true;
  }

  /** @returns {GameOffered} */
  game() {
    return /** @type {GameOffered} */ (this.offer.games[this.select("game").selectedIndex]);
  }

  /**
   * The rule that is chosen, where the game has a choice.
   * @returns {string | undefined}
   */
  rule() {
    return this.game().parameters.some((each) => each.name === "rule") ? this.select("value-rule").value : undefined;
  }

  /**
   * The game as the server is told of it.
   * @returns {{game: number, values: number[]}}
   */
  choice() {
    const game = this.game();
    const values = game.parameters.map((each) => this.select(`value-${each.name}`).selectedIndex);
    return { game: this.offer.games.indexOf(game), values };
  }

  /**
   * The stone that a click puts, 0 for none; null if a click plays a move.
   * @returns {number | null}
   */
  stone() {
    const chosen = /** @type {HTMLInputElement} */ (this.root.querySelector("[name=mode]:checked"));
    return chosen.value === PLAYS ? null : Number(chosen.value);
  }

  /**
   * @param {string} value
   * @returns {HTMLInputElement}
   */
  mode(value) {
    return /** @type {HTMLInputElement} */ (this.root.querySelector(`[name=mode][value="${value}"]`));
  }

  /**
   * Let stones be put, where stones do not move.
   * @param {Board} board
   */
  suit(board) {
    this.size = board.size;
    part(this.root, "modes").hidden = board.kind !== "place";
    const forms = /** @type {HTMLSelectElement} */ (this.paste.elements.namedItem("form"));
    for (const option of forms.options) option.disabled = option.value !== "moves" && board.kind !== "place";
  }

  /**
   * Put a stone, or take one, and begin with the moves that lead there, if any do.
   * @param {number} cell
   * @param {number[]} moves those that led to the position before
   * @returns {string} why there are none
   */
  put(cell, moves) {
    this.stones ??= [moves.filter((_, i) => i % 2 === 0), moves.filter((_, i) => i % 2 === 1)];
    const stone = this.stone();
    this.stones = /** @type {[number[], number[]]} */ (
      this.stones.map((cells, i) => {
        const others = cells.filter((each) => each !== cell);
        return i + 1 === stone ? [...others, cell] : others;
      })
    );
    const [black, white] = this.stones;
    const lead = black.length - white.length;
    if (lead === 0 || lead === 1) {
      const found = black.flatMap((each, i) => [each, ...white.slice(i, i + 1)]);
      this.stones = null;
      this.begin(found);
      return "";
    }
    const wanted = lead > 0 ? `White needs ${lead - 1} more` : `Black needs ${-lead} more`;
    return `Black has ${black.length} stones, and White ${white.length}. As they take turns and Black begins, ${wanted}.`;
  }

  /** Begin with the moves of the text. */
  async read() {
    const texts = new FormData(this.paste);
    const wish = { ...this.choice(), text: texts.get("text"), form: texts.get("form") };
    const reply = await ask("/analysis/positions", wish);
    this.say(withPoints(this.size, reply.data?.refused ?? ""));
    if (reply.data?.game) this.begin(reply.data.game.m);
  }

  /** @param {string} words */
  say(words) {
    part(this.root, "read").textContent = words;
  }

  /**
   * The form of positions as text that is chosen.
   * @returns {string}
   */
  form() {
    return String(new FormData(this.paste).get("form"));
  }

  /**
   * @param {string} name
   * @returns {HTMLSelectElement}
   */
  select(name) {
    return /** @type {HTMLSelectElement} */ (this.fields.elements.namedItem(name));
  }
}
