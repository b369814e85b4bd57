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
  const moves = game.m.map((move, ply) => `;${ply % 2 ? "W" : "B"}[${point(board, move)}]`);
  const head = [
    `FF[4]GM[4]CA[UTF-8]SZ[${board.size}]RU[${escaped(board.rule ?? "")}]`,
    `PB[${escaped(players[0])}]PW[${escaped(players[1])}]`,
    `RE[${result(game)}]GC[${escaped(game.r)}]`,
    game.made ? `C[${escaped(game.made)}]` : "",
  ];
  return `(;${head.join("")}${moves.join("")})`;
}

/**
 * Moves with variations as SGF, the main line first.
 * @param {Board} board
 * @param {import("./analysis_tree.js").Node} root the start, whose children are first moves
 * @returns {string}
 */
export function sgfOfTree(board, root) {
  const head = `FF[4]GM[4]CA[UTF-8]SZ[${board.size}]RU[${escaped(board.rule ?? "")}]`;
  return `(;${head}${branches(board, root, 0)})`;
}

/**
 * @param {Board} board
 * @param {import("./analysis_tree.js").Node} node
 * @param {number} ply
 * @returns {string}
 */
function branches(board, node, ply) {
  const texts = node.children.map(
    (child) => `;${ply % 2 ? "W" : "B"}[${point(board, child.move)}]${branches(board, child, ply + 1)}`,
  );
  return texts.length === 1 ? String(texts[0]) : texts.map((text) => `(${text})`).join("");
}

/**
 * The result as SGF has it: by time, by a fault, by resignation, or on the board.
 * @param {Game} game
 * @returns {string}
 */
function result(game) {
  if (game.w === 0) return "0";
  const faults = ["illegal move", "exception", "crash", "memory"];
  const isLate = game.r === "time" || game.r === "hang";
  const how = isLate ? "T" : game.r === "resignation" ? "R" : faults.includes(game.r) ? "F" : "";
  return `${game.w === 1 ? "B" : "W"}+${how}`;
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
