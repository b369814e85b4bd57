// Stones as drawings: a character would take the colour of the text around it, and an outline on a
// dark page would look like White's, so that each lies on a piece of the board.

import { svg } from "./svg.js";

/** @typedef {import("./position.js").Board} Board */

const COLOURED = ["gomoku", "renju"];

/**
 * The name of a player's side: of a colour where the game has stones of two, else of its turn.
 * @param {Board} board
 * @param {number} seat 1 or 2
 * @returns {string}
 */
export function sideName(board, seat) {
  const names = COLOURED.includes(board.game) ? ["Black", "White"] : ["First", "Second"];
  return String(names[seat - 1]);
}

/**
 * A stone to stand in a line of text.
 * @param {number} seat 1 or 2
 * @returns {SVGElement}
 */
export function stone(seat) {
  const drawing = svg("svg", { viewBox: "0 0 20 20", class: "disc", "aria-hidden": "true" });
  drawing.append(svg("rect", { width: 20, height: 20, rx: 4, class: "wood" }));
  drawing.append(svg("circle", { cx: 10, cy: 10, r: 7.5, class: `stone ${seat === 1 ? "black" : "white"}` }));
  return drawing;
}

/**
 * A player with its stone.
 * @param {number} seat 1 or 2
 * @param {string} name
 * @returns {HTMLElement}
 */
export function player(seat, name) {
  const place = document.createElement("span");
  place.className = "player";
  place.append(stone(seat), name);
  return place;
}

/**
 * Both players, each with its stone.
 * @param {[string, string]} names
 * @returns {Node[]}
 */
export function pairing(names) {
  return [player(1, names[0]), document.createTextNode(" – "), player(2, names[1])];
}
