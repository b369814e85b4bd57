import { fillFilters, gamesWanted, wantedBy } from "./filters.js";
import { playersOf, resultText } from "./position.js";
import { player } from "./stones.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

const ROWS = 12;

/**
 * A part of the viewer, by its data-part.
 * @param {Element} root
 * @param {string} name
 * @returns {HTMLElement}
 */
export function part(root, name) {
  return /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`));
}

/**
 * Let a button be used, or not; it keeps the focus, which keys would else not find.
 * @param {Element} root
 * @param {string} act
 * @param {boolean} is
 */
export function enable(root, act, is) {
  root.querySelector(`[data-act=${act}]`)?.setAttribute("aria-disabled", String(!is));
}

/**
 * The name of a game in a list.
 * @param {Data} data
 * @param {Game} game
 * @returns {string}
 */
export function gameName(data, game) {
  return data.runs.length > 1 ? `${data.runs[game.run]} ${game.n}` : String(game.n);
}

/**
 * The list of games: which a reader wants to see, and the page of them that is shown.
 */
export class GameList {
  /**
   * @param {HTMLElement} root
   * @param {Data} data
   * @param {() => void} filtered called when a reader wants to see other games
   */
  constructor(root, data, filtered) {
    this.root = root;
    this.data = data;
    this.filtered = filtered;
    this.listed = data.games;
    this.page = 0;
    /** @type {Game | null} */
    this.current = null;
    this.form = /** @type {HTMLFormElement} */ (part(root, "filters"));
    fillFilters(this.form, data);
    this.form.addEventListener("change", () => this.filter());
    this.form.addEventListener("reset", () => setTimeout(() => this.filter()));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.draw();
  }

  filter() {
    this.listed = gamesWanted(this.data, wantedBy(this.form));
    this.page = 0;
    this.draw();
    this.filtered();
  }

  /**
   * List the games of two players alone.
   * @param {string} player
   * @param {string} opponent
   */
  ofPlayers(player, opponent) {
    this.form.reset();
    for (const [field, name] of Object.entries({ player, opponent })) {
      const select = /** @type {HTMLSelectElement} */ (this.form.elements.namedItem(field));
      select.value = String(this.data.players.indexOf(name));
    }
    this.filter();
  }

  /** Take in the games that the data have by now; what is chosen stays so. */
  grow() {
    fillFilters(this.form, this.data);
    this.listed = gamesWanted(this.data, wantedBy(this.form));
    this.draw();
  }

  /**
   * Show another page.
   * @param {number} by
   */
  leaf(by) {
    const pages = Math.ceil(this.listed.length / ROWS);
    this.page = Math.max(0, Math.min(pages - 1, this.page + by));
    this.draw();
  }

  /**
   * The game so many places after the current one; the first of the list if that is not in it.
   * @param {number} by
   * @returns {Game | undefined}
   */
  neighbour(by) {
    const at = this.current ? this.listed.indexOf(this.current) : -1;
    return this.listed[at < 0 ? 0 : at + by];
  }

  /**
   * Mark the game that is shown, on its page.
   * @param {Game} game
   */
  mark(game) {
    this.current = game;
    const at = this.listed.indexOf(game);
    if (at >= 0) this.page = Math.floor(at / ROWS);
    this.draw();
  }

  draw() {
    const from = this.page * ROWS;
    const games = this.listed.slice(from, from + ROWS);
    const rows = part(this.root, "rows");
    const focused = rows.contains(document.activeElement);
    rows.replaceChildren(...games.map((game) => this.row(game)));
    if (focused) /** @type {HTMLElement | null} */ (rows.querySelector("[aria-current] button"))?.focus();
    const shown = games.length ? `${from + 1} to ${from + games.length} of ` : "";
    const noun = this.listed.length === 1 ? "game" : "games";
    const { current } = this;
    const isOutside = current !== null && !this.listed.includes(current);
    const outside = isOutside ? `; game ${gameName(this.data, current)} on the board is not among them` : "";
    part(this.root, "count").textContent = `${shown}${this.listed.length} ${noun}${outside}`;
    enable(this.root, "earlier", this.page > 0);
    enable(this.root, "later", from + ROWS < this.listed.length);
  }

  /**
   * @param {Game} game
   * @returns {HTMLTableRowElement}
   */
  row(game) {
    const row = document.createElement("tr");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = gameName(this.data, game);
    row.dataset.game = String(this.data.games.indexOf(game));
    if (game === this.current) row.setAttribute("aria-current", "true");
    const players = document.createElement("div");
    players.append(...playersOf(this.data, game).map((name, seat) => player(seat + 1, name)));
    const opening = game.oid ? String(game.oid) : "–";
    const contents = [button, players, resultText(game), game.r, opening, String(game.m.length)];
    const cells = contents.map((content, i) => {
      const cell = document.createElement(i ? "td" : "th");
      if (!i) cell.scope = "row";
      cell.append(content);
      return cell;
    });
    row.append(...cells);
    return row;
  }
}
