import { boardOf, moveAt, moveText, mover, playersOf, remarkOn } from "./position.js";
import { scaleOf, shownScore } from "./score.js";
import { stone } from "./stones.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

/**
 * The end of a game in words, and how the players made its opening, if they did.
 * @param {Data} data
 * @param {Game} game
 * @returns {string}
 */
export function endText(data, game) {
  const winner = game.w === 0 ? "draw" : `${playersOf(data, game)[game.w - 1]} wins`;
  const board = boardOf(data, game);
  const told = game.proof?.map((move) => moveText(board, move)).join(" ") ?? game.detail;
  const end = `${winner}: ${game.r}${told ? ` (${told})` : ""}`;
  return game.made ? `${end}. ${game.made}` : end;
}

/**
 * Write the words on a ply after the stone that it set.
 * @param {Element} place
 * @param {number} plies
 * @param {string} text
 */
export function tellPly(place, plies, text) {
  place.replaceChildren(...(plies ? [stone(mover(plies - 1))] : []), text);
}

/**
 * The last of so many plies in words, with all that its engine said.
 * @param {Data} data
 * @param {Game} game
 * @param {number} plies
 * @returns {string}
 */
export function plyText(data, game, plies) {
  if (!plies) return `The start, of ${game.m.length} plies`;
  const ply = plies - 1;
  const seat = mover(ply);
  const board = boardOf(data, game);
  const name = playersOf(data, game)[seat - 1];
  const move = `${plies}. ${name} ${moveText(board, moveAt(game, ply))}`;
  const remark = remarkOn(game, ply);
  if (!remark) return `${move}: of the opening`;
  const said = [];
  if (remark.score !== null) said.push(shownScore(remark.score, scaleOf(data, game, seat)).words);
  if (remark.depth) said.push(`depth ${remark.depth}`);
  if (remark.nodes) said.push(`${remark.nodes.toLocaleString("en")} ${remark.nodes === 1 ? "node" : "nodes"}`);
  if (remark.milliseconds !== null) said.push(`${remark.milliseconds} ms`);
  const line = remark.line.map((each) => moveText(board, each));
  if (line.length) said.push(`expects ${line.join(" ")}`);
  return `${move}: ${said.join(", ")}`;
}
