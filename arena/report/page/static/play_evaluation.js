import { boardOf, mover, playersOf, remarkOn } from "./position.js";
import { SCORE_UNIT, scaleOf, shownScore } from "./score.js";
import { sideName } from "./stones.js";
import { svg } from "./svg.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

const BAR_WIDTH = 640;
const BAR_HEIGHT = 18;

/**
 * The last score up to a ply as it is shown; null if no engine has given one.
 * @param {Data} data
 * @param {Game} game
 * @param {number} plies
 * @returns {(import("./score.js").ShownScore & {ply: number, unit: string}) | null}
 */
export function lastScore(data, game, plies) {
  for (let ply = plies - 1; ply >= game.o; ply--) {
    const score = remarkOn(game, ply)?.score;
    if (score === null || score === undefined) continue;
    const scale = scaleOf(data, game, mover(ply), plies);
    const shown = shownScore(score, scale);
    return { ply, ...shown, unit: "k" in scale || shown.isSeen ? "" : `, in its ${SCORE_UNIT}` };
  }
  return null;
}

/**
 * The first player's share of the bar: a half where the game is even.
 * @param {Data} data
 * @param {Game} game
 * @param {number} plies
 * @returns {number}
 */
export function firstShare(data, game, plies) {
  const last = lastScore(data, game, plies);
  if (!last) return 0.5;
  return 0.5 + (mover(last.ply) === 1 ? 0.5 : -0.5) * last.height;
}

/**
 * Draw the bar: the first player's part of it is dark, and half of it where the game is even.
 * @param {Element} place
 * @param {Data} data
 * @param {Game} game
 * @param {number} plies
 */
export function drawEvaluation(place, data, game, plies) {
  const share = firstShare(data, game, plies);
  const bar = svg("svg", { viewBox: `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`, class: "evaluation", role: "img" });
  bar.setAttribute("aria-label", `${Math.round(share * 100)} parts of 100 for the first player`);
  bar.append(
    svg("rect", { width: BAR_WIDTH, height: BAR_HEIGHT, class: "second" }),
    svg("rect", { width: Math.round(share * BAR_WIDTH), height: BAR_HEIGHT, class: "first" }),
    svg("path", { d: `M${BAR_WIDTH / 2} 0V${BAR_HEIGHT}`, class: "half" }),
  );
  place.replaceChildren(bar);
}

/**
 * The same in words.
 * @param {Data} data
 * @param {Game} game
 * @param {number} plies
 * @returns {string}
 */
export function evaluationText(data, game, plies) {
  const last = lastScore(data, game, plies);
  if (!last) return "No engine has given a score yet.";
  const seat = mover(last.ply);
  const name = playersOf(data, game)[seat - 1];
  return `${name}, after ply ${last.ply + 1}: ${last.text} for ${sideName(boardOf(data, game), seat)}${last.unit}.`;
}
