// Scores of engines as they are shown: the one place that knows what a score means.

import { mover, remarkOn } from "./position.js";

/** @typedef {import("./position.js").Game} Game */
/** @typedef {{text: string, height: number, isSeen: boolean}} ShownScore `isSeen`: a win or loss is */

/** A win at once, and the plies of the longest that is told from other scores: see arena/engine.py. */
const MATE = 20_000_000_000;
const LONGEST_MATE = 1000;
/** No evaluation is larger. */
const CERTAIN = MATE / 2;

export const SCORE_UNIT = "own units";

/**
 * What is shown for a score: words, and a height from -1 (lost) over 0 (even) to 1 (won).
 *
 * Both are from the side that the score is of. `middle` is a middling size of that engine's scores,
 * which comes to half of the height: engines count in units of their own.
 * @param {number} score
 * @param {number} middle
 * @returns {ShownScore}
 */
export function shownScore(score, middle) {
  const size = Math.abs(score);
  const sign = Math.sign(score);
  if (size >= CERTAIN) {
    const plies = MATE - size;
    const distance = plies >= 0 && plies <= LONGEST_MATE ? ` in ${plies}` : "";
    return { text: `${sign > 0 ? "win" : "loss"}${distance}`, height: sign, isSeen: true };
  }
  const text = `${sign > 0 ? "+" : ""}${score.toLocaleString("en")}`;
  return { text, height: score / (size + middle), isSeen: false };
}

/**
 * The middling size of a player's scores in the first plies of a game, or in all.
 * @param {Game} game
 * @param {1 | 2} seat
 * @param {number} [plies]
 * @returns {number}
 */
export function middleOf(game, seat, plies = game.m.length) {
  const sizes = [];
  for (let ply = game.o; ply < plies; ply++) {
    const score = mover(ply) === seat ? remarkOn(game, ply)?.score : null;
    if (score !== null && score !== undefined && Math.abs(score) < CERTAIN) sizes.push(Math.abs(score));
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] || 1;
}

/**
 * Values to write at an axis, shortly, with their heights: 0, and round ones about the middling.
 * @param {number} middle
 * @returns {{text: string, height: number}[]}
 */
export function scoreTicks(middle) {
  const round = roundNumber(middle);
  const short = { notation: /** @type {const} */ ("compact"), signDisplay: /** @type {const} */ ("exceptZero") };
  return [-3 * round, -round, 0, round, 3 * round].map((score) => ({
    text: score.toLocaleString("en", short),
    height: shownScore(score, middle).height,
  }));
}

/**
 * The number of one digit and zeros that is next.
 * @param {number} number
 * @returns {number}
 */
function roundNumber(number) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, number)));
  return Math.round(number / power) * power || 1;
}
