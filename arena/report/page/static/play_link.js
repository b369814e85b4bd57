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
 * @param {Iterable<[string, number]>} scales of players' scores, as far as games tell them
 * @returns {string}
 */
export function analysisAddress(board, moves, ply, scales) {
  const words = new URLSearchParams([...scales].map(([name, k]) => ["k", `${k} ${name}`]));
  return `/analysis#${startText(board, moves)}&ply=${ply}${words.size ? `&${words}` : ""}`;
}

/**
 * The scales that an address has: each player's K by its name.
 * @param {URLSearchParams} named
 * @returns {Map<string, number>}
 */
export function scalesIn(named) {
  const found = named.getAll("k").map((text) => /^(\d[\d.e-]*) (.+)$/.exec(text));
  return new Map(found.flatMap((words) => (words && Number(words[1]) > 0 ? [[String(words[2]), Number(words[1])]] : [])));
}
