import { pointName } from "./coordinates.js";
import { sideName } from "./stones.js";

/** @typedef {import("./position.js").Board} Board */

/**
 * @typedef {{
 *   board: Board, cells: number[], moves: number[], forbidden: [number, string, string][],
 *   hint: number | null
 * }} Playable `moves` are those that can be played now; none if it is nobody's turn here
 */

/** @type {Map<string, [number, number]>} */
const STEPS = new Map([
  ["ArrowUp", [-1, 0]],
  ["ArrowDown", [1, 0]],
  ["ArrowLeft", [0, -1]],
  ["ArrowRight", [0, 1]],
]);

/**
 * The cells of a board as buttons over its drawing: one of them can be reached by Tab, the others
 * by the arrow keys.
 */
export class Cells {
  /**
   * @param {HTMLElement} place
   * @param {(move: number) => void} play
   */
  constructor(place, play) {
    this.place = place;
    this.play = play;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** @type {Playable | null} */
    this.shown = null;
    /** @type {number | null} the piece that was chosen, where pieces move */
    this.from = null;
    this.at = 0;
    place.addEventListener("click", (event) => this.choose(this.cellOf(event)));
    place.addEventListener("keydown", (event) => this.press(event));
    place.addEventListener("focusin", (event) => this.reach(this.cellOf(event)));
  }

  /**
   * Show what can be played.
   * @param {Playable} playable
   */
  show(playable) {
    const { board, moves } = playable;
    const isSame = String(this.shown?.moves) === String(moves);
    this.shown = playable;
    if (this.buttons.length !== board.size ** 2) this.build(board.size);
    if (!isSame || !moves.length) this.from = null;
    this.draw();
  }

  /** @param {number} size */
  build(size) {
    this.place.style.setProperty("--size", String(size));
    this.buttons = Array.from({ length: size ** 2 }, (_, cell) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.cell = String(cell);
      button.tabIndex = -1;
      return button;
    });
    this.at = Math.floor(size ** 2 / 2);
    this.place.replaceChildren(...this.buttons);
    this.reach(this.at);
  }

  draw() {
    const { shown } = this;
    if (!shown) return;
    const { board, cells, hint } = shown;
    const targets = new Set(this.targets());
    const forbidden = new Map(shown.forbidden.map(([cell, kind, why]) => [cell, `${kind}: ${why}`]));
    const area = board.size ** 2;
    const hinted = hint === null ? [] : board.kind === "step" ? [Math.floor(hint / area), hint % area] : [hint];
    this.buttons.forEach((button, cell) => {
      const why = forbidden.get(cell);
      const seat = cells[cell];
      const words = [pointName(board.size, cell), seat ? sideName(board, seat).toLowerCase() : "empty"];
      if (why) words.push(`forbidden, ${why}`);
      if (cell === this.from) words.push("chosen");
      if (hinted.includes(cell)) words.push("hint");
      button.setAttribute("aria-label", words.join(", "));
      button.title = why ?? "";
      button.classList.toggle("forbidden", why !== undefined);
      button.classList.toggle("hint", hinted.includes(cell));
      button.classList.toggle("from", cell === this.from);
      button.classList.toggle("target", targets.has(cell));
      button.classList.toggle("end", this.from !== null && targets.has(cell) && !cells[cell]);
      button.setAttribute("aria-disabled", String(!targets.has(cell)));
    });
    this.place.classList.toggle("open", shown.moves.length > 0);
  }

  /**
   * The cells that a click means something on.
   * @returns {number[]}
   */
  targets() {
    const { shown } = this;
    if (!shown) return [];
    if (shown.board.kind === "place") return shown.moves;
    const area = shown.board.size ** 2;
    const origins = shown.moves.map((move) => Math.floor(move / area));
    const ends = shown.moves.filter((move) => Math.floor(move / area) === this.from);
    return [...origins, ...ends.map((move) => move % area)];
  }

  /** @param {number | null} cell */
  choose(cell) {
    const { shown } = this;
    if (cell === null || !shown || !shown.moves.length) return;
    if (shown.board.kind === "place") {
      this.play(cell);
      return;
    }
    const move = this.from === null ? -1 : this.from * shown.board.size ** 2 + cell;
    if (shown.moves.includes(move)) {
      this.from = null;
      this.play(move);
    } else {
      const isOrigin = shown.moves.some((each) => Math.floor(each / shown.board.size ** 2) === cell);
      this.from = isOrigin && cell !== this.from ? cell : null;
    }
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const step = STEPS.get(event.key);
    if (event.key === "Escape" && this.from !== null) {
      this.from = null;
      this.draw();
    }
    if (!step || !this.shown || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const { size } = this.shown.board;
    const row = Math.floor(this.at / size) + step[0];
    const column = (this.at % size) + step[1];
    if (row < 0 || column < 0 || row >= size || column >= size) return;
    this.buttons[row * size + column]?.focus();
  }

  /**
   * Let Tab lead to this cell.
   * @param {number | null} cell
   */
  reach(cell) {
    if (cell === null) return;
    for (const each of [this.at, cell]) {
      const button = this.buttons[each];
      if (button) button.tabIndex = each === cell ? 0 : -1;
    }
    this.at = cell;
  }

  /**
   * @param {Event} event
   * @returns {number | null}
   */
  cellOf(event) {
    const button = /** @type {Element} */ (event.target).closest("[data-cell]");
    return button instanceof HTMLElement ? Number(button.dataset.cell) : null;
  }
}
