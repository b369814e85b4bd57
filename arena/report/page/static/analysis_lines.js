import { moveText } from "./position.js";
import { shownScore } from "./score.js";

/** @typedef {import("./position.js").Board} Board */
/** @typedef {{moves: number[], score: number | null, depth: number, nodes: number}} Line */

const SHOWN = 12;

/**
 * The table of an engine's lines. Its buttons stay while what they say changes, so that a click
 * that began before it meets its button.
 */
export class LineTable {
  /**
   * @param {HTMLTableSectionElement} rows
   * @param {(moves: number[]) => void} play called with the moves up to the one that was clicked
   * @param {() => void} pointed called when another line, or none, is pointed at
   */
  constructor(rows, play, pointed) {
    this.rows = rows;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {number | null} the line that is pointed at */
    this.pointed = null;
    rows.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      const line = this.lines[this.rowOf(event) ?? -1];
      if (button && line) play(line.moves.slice(0, Number(button.dataset.step) + 1));
    });
    /** @param {number | null} row */
    const point = (row) => {
      if (row === this.pointed) return;
      this.pointed = row;
      pointed();
    };
    for (const kind of ["pointerover", "focusin"]) rows.addEventListener(kind, (event) => point(this.rowOf(event)));
    for (const kind of ["pointerleave", "focusout"]) rows.addEventListener(kind, () => point(null));
  }

  /**
   * @param {Event} event
   * @returns {number | null}
   */
  rowOf(event) {
    const row = /** @type {Element} */ (event.target).closest("tr");
    return row instanceof HTMLTableRowElement ? row.sectionRowIndex : null;
  }

  /**
   * @param {Board} board
   * @param {Line[]} lines
   * @param {import("./score.js").Scale} scale
   */
  show(board, lines, scale) {
    this.lines = lines;
    while (this.rows.rows.length > lines.length) this.rows.deleteRow(-1);
    lines.forEach((line, i) => {
      const row = this.rows.rows[i] ?? this.newRow();
      const [number, score, depth, moves] = /** @type {[Element, Element, Element, Element]} */ (/** @type {unknown} */ ([...row.cells]));
      say(number, String(i + 1));
      say(score, line.score === null ? "–" : shownScore(line.score, scale).text);
      say(depth, line.depth ? String(line.depth) : "–");
      const shown = line.moves.slice(0, SHOWN);
      while (moves.children.length > shown.length) moves.lastElementChild?.remove();
      shown.forEach((move, step) => {
        const button = moves.children[step] ?? newButton(moves, step);
        say(button, moveText(board, move));
      });
      if (!shown.length) say(moves, "resigns");
    });
  }

  /** @returns {HTMLTableRowElement} */
  newRow() {
    const row = this.rows.insertRow();
    const head = document.createElement("th");
    head.scope = "row";
    row.append(head);
    for (const kind of ["number", "number", "line-moves"]) row.insertCell().className = kind;
    return row;
  }
}

/**
 * @param {Element} place
 * @param {string} text
 */
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/**
 * @param {Element} place
 * @param {number} step
 * @returns {HTMLButtonElement}
 */
function newButton(place, step) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "move";
  button.dataset.step = String(step);
  if (!place.children.length) place.textContent = "";
  place.append(button);
  return button;
}
