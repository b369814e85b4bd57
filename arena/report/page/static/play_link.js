/** @typedef {import("./position.js").Board} Board */

/**
 * A position to start a game from, as an address has it.
 * @param {Board} board
 * @param {number[]} moves
 * @returns {string}
 */
export function startText(board, moves) {
  const words = new URLSearchParams({ game: board.game, size: String(board.size) });
  if (board.rule) words.set("rule", board.rule);
  words.set("moves", moves.join("."));
  return String(words);
}

/**
 * The address of the analysis of a game, at one of its plies.
 * @param {Board} board
 * @param {number[]} moves
 * @param {number} ply
 * @returns {string}
 */
export function analysisAddress(board, moves, ply) {
  return `/analysis#${startText(board, moves)}&ply=${ply}`;
}
