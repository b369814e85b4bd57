// Points of a board as people read them, in the notation that the reader has chosen: letters and
// numbers (h8; rows from the bottom), or row,column from 0 at the top left, as files have them.

/** @typedef {"letters" | "numbers"} Notation */

const NOTATION_KEY = "arena-coordinates";
const CHANGED = "coordinates";
const WRITTEN_POINT = /(?<![\d.,])(\d+),(\d+)(?![\d.]*\d)/g;

/** @type {Notation} */
let notation = keptNotation();

/**
 * The notation of an earlier visit, where the browser remembers it.
 * @returns {Notation}
 */
function keptNotation() {
  try {
    return localStorage.getItem(NOTATION_KEY) === "numbers" ? "numbers" : "letters";
  } catch {
    return "letters";
  }
}

/**
 * The name of a point, counted row by row from the top left.
 * @param {number} size
 * @param {number} cell
 * @returns {string}
 */
export function pointName(size, cell) {
  const row = Math.floor(cell / size);
  const column = cell % size;
  return notation === "letters" ? `${columnName(column)}${rowName(size, row)}` : `${row},${column}`;
}

/**
 * @param {number} column from the left
 * @returns {string}
 */
export function columnName(column) {
  return notation === "letters" ? String.fromCharCode(97 + column) : String(column);
}

/**
 * @param {number} size
 * @param {number} row from the top
 * @returns {string}
 */
export function rowName(size, row) {
  return String(notation === "letters" ? size - row : row);
}

/**
 * True if columns are named below the board, next to row 1.
 * @returns {boolean}
 */
export function isNamedBelow() {
  return notation === "letters";
}

/**
 * A sentence of the server, which writes row,column, with its points as the reader has them.
 * @param {number} size
 * @param {string} text
 * @returns {string}
 */
export function withPoints(size, text) {
  return text.replace(WRITTEN_POINT, (all, row, column) =>
    Math.max(Number(row), Number(column)) < size ? pointName(size, Number(row) * size + Number(column)) : all,
  );
}

/**
 * Let each choice of a notation (`select[data-coordinates]`) work, and call `redraw` after a change.
 * @param {ParentNode} root
 * @param {() => void} redraw
 */
export function chooseNotation(root, redraw) {
  /** @type {NodeListOf<HTMLSelectElement>} */
  const selects = root.querySelectorAll("select[data-coordinates]");
  for (const select of selects) {
    select.value = notation;
    select.addEventListener("change", () => setNotation(select.value === "numbers" ? "numbers" : "letters"));
  }
  document.addEventListener(CHANGED, () => {
    for (const select of selects) select.value = notation;
    redraw();
  });
}

/** @param {Notation} chosen */
function setNotation(chosen) {
  notation = chosen;
  try {
    localStorage.setItem(NOTATION_KEY, chosen);
  } catch {
    // A page from the disk may not be let keep anything: the choice holds while it is open.
  }
  document.dispatchEvent(new CustomEvent(CHANGED));
}
