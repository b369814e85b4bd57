import { pointName } from "./coordinates.js";

/**
 * Games as a page's data has them, and the board after each ply.
 *
 * @typedef {{game: string, size: number, rule: string | null, kind: "place" | "step", start?: number[]}} Board
 * @typedef {{
 *   n: number, run: number, b: number, f: number, s: number, w: 0 | 1 | 2, r: string,
 *   detail: string, o: number, oid: number, m: number[], t: (number | null)[],
 *   e: (number | null)[], d: (number | null)[], c: (number | null)[],
 *   l?: (number[] | null)[], x?: [number, number][][], line?: number[], proof?: number[] | null,
 *   made?: string
 * }} Game
 * @typedef {{runs: string[], boards: Board[], players: string[], games: Game[], left_out: number,
 *   scales: (number | null)[]}} Data `scales`: of each player, the log odds that one unit of its scores is worth
 * @typedef {{score: number | null, depth: number | null, nodes: number | null,
 *   milliseconds: number | null, line: number[]}} Remark
 */

/**
 * The stones on the board after so many plies: 0, 1 or 2 for each cell.
 * @param {Board} board
 * @param {Game} game
 * @param {number} ply
 * @returns {number[]}
 */
export function cellsAfter(board, game, ply) {
  const cells = board.start ? [...board.start] : new Array(board.size ** 2).fill(0);
  for (let i = 0; i < ply; i++) {
    for (const [cell, stone] of changes(game, i)) cells[cell] = stone;
  }
  return cells;
}

/**
 * The cells that a ply changes, each with what stands there after it.
 * @param {Game} game
 * @param {number} ply
 * @returns {[number, number][]}
 */
function changes(game, ply) {
  return game.x ? (game.x[ply] ?? []) : [[moveAt(game, ply), mover(ply)]];
}

/**
 * The board that a game was played on.
 * @param {Data} data
 * @param {Game} game
 * @returns {Board}
 */
export function boardOf(data, game) {
  return /** @type {Board} */ (data.boards[game.b]);
}

/**
 * The move of a ply.
 * @param {Game} game
 * @param {number} ply
 * @returns {number}
 */
export function moveAt(game, ply) {
  return /** @type {number} */ (game.m[ply]);
}

/**
 * The players of a game, the first and the second.
 * @param {Data} data
 * @param {Game} game
 * @returns {[string, string]}
 */
export function playersOf(data, game) {
  return [data.players[game.f] ?? "", data.players[game.s] ?? ""];
}

/**
 * The player who makes a ply, counted from 0: 1 or 2.
 * @param {number} ply
 * @returns {1 | 2}
 */
export function mover(ply) {
  return ply % 2 ? 2 : 1;
}

/**
 * The cell where the move of a ply ends.
 * @param {Board} board
 * @param {number} move
 * @returns {number}
 */
export function lastCell(board, move) {
  return move % board.size ** 2;
}

/**
 * A move as the reader has it: h8 or row,column, or from-to.
 * @param {Board} board
 * @param {number} move
 * @returns {string}
 */
export function moveText(board, move) {
  const area = board.size ** 2;
  if (board.kind === "place") return pointName(board.size, move);
  return `${pointName(board.size, Math.floor(move / area))}-${pointName(board.size, move % area)}`;
}

/**
 * All that an engine said with the move of a ply; null for a move of the opening.
 * @param {Game} game
 * @param {number} ply
 * @returns {Remark | null}
 */
export function remarkOn(game, ply) {
  const i = ply - game.o;
  if (i < 0 || i >= game.t.length) return null;
  return {
    score: game.e[i] ?? null,
    depth: game.d[i] ?? null,
    nodes: game.c[i] ?? null,
    milliseconds: game.t[i] ?? null,
    line: game.l?.[i] ?? [],
  };
}

/**
 * The result as it is usually written.
 * @param {Game} game
 * @returns {string}
 */
export function resultText(game) {
  return game.w === 0 ? "½-½" : game.w === 1 ? "1-0" : "0-1";
}
