/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Game} Game */

/**
 * A game of stones as SGF (FF[4], GM[4]: Gomoku and renju), points counted from the top left.
 * @param {Board} board
 * @param {Game} game
 * @param {[string, string]} players the first and the second
 * @returns {string}
 */
export function sgfText(board, game, players) {
  const result = game.w === 0 ? "0" : game.w === 1 ? "B+" : "W+";
  const moves = game.m.map((move, ply) => `;${ply % 2 ? "W" : "B"}[${point(board, move)}]`);
  const head = [
    `FF[4]GM[4]CA[UTF-8]SZ[${board.size}]`,
    `PB[${escaped(players[0])}]PW[${escaped(players[1])}]`,
    `RE[${result}]GC[${escaped(game.r)}]`,
  ];
  return `(;${head.join("")}${moves.join("")})`;
}

/**
 * @param {Board} board
 * @param {number} cell
 * @returns {string}
 */
function point(board, cell) {
  const letter = (/** @type {number} */ i) => String.fromCharCode(97 + i);
  return letter(cell % board.size) + letter(Math.floor(cell / board.size));
}

/**
 * @param {string} text
 * @returns {string}
 */
function escaped(text) {
  return text.replace(/[\\\]:]/g, "\\$&").replace(/\s+/g, " ");
}
