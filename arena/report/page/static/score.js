// Scores of engines as they are shown: the one place that knows what a score means.

import { mover, playersOf, remarkOn } from "./position.js";

/** @typedef {import("./position.js").Game} Game */
/** @typedef {import("./position.js").Data} Data */
/** @typedef {{k: number} | {middle: number}} Scale
 *   `k`: the log odds that one unit is worth; `middle`: a middling size of the scores, which comes to
 *   half of the height, as engines count in units of their own */
/** @typedef {{text: string, words: string, height: number, isSeen: boolean}} ShownScore `isSeen`: a win or loss is */

/** A win at once, and the plies of the longest that is told from other scores: see arena/engine.py. */
const MATE = 20_000_000_000;
const LONGEST_MATE = 1000;
/** No evaluation is larger. */
const CERTAIN = MATE / 2;

export const SCORE_UNIT = "own units";

const UNITS_KEY = "arena-score-units";
const UNITS_CHANGED = "score-units";
let isInUnits = readUnits();

/** @returns {boolean} */
function readUnits() {
  try {
    return localStorage.getItem(UNITS_KEY) === "own";
  } catch {
    return false;
  }
}

/**
 * Let each choice of the players' own units (`input[data-units]`) work, and call `redraw` after a
 * change.
 * @param {ParentNode} root
 * @param {() => void} redraw
 */
export function chooseUnits(root, redraw) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = root.querySelectorAll("input[data-units]");
  for (const box of boxes) {
    box.checked = isInUnits;
    box.addEventListener("change", () => setUnits(box.checked));
  }
  document.addEventListener(UNITS_CHANGED, () => {
    for (const box of boxes) box.checked = isInUnits;
    redraw();
  });
}

/** @param {boolean} wanted */
function setUnits(wanted) {
  isInUnits = wanted;
  try {
    localStorage.setItem(UNITS_KEY, wanted ? "own" : "probability");
  } catch {
    // A page from the disk may not be let keep anything: the choice holds while it is open.
  }
  document.dispatchEvent(new CustomEvent(UNITS_CHANGED));
}

/**
 * How a player's scores are shown: as win probabilities by the run's games (see
 * arena/stats/score_scale.py), or in units of the player's own.
 * @param {Data} data
 * @param {Game} game
 * @param {1 | 2} seat
 * @param {number} [plies] the first plies of the game, which tell the size of its units; else all
 * @returns {Scale}
 */
export function scaleOf(data, game, seat, plies) {
  const k = kOf(data, game, seat);
  return k && !isInUnits ? { k } : { middle: middleOf(game, seat, plies) };
}

/**
 * How an engine's scores are shown, by its K if that is known.
 * @param {number | undefined} k
 * @returns {Scale}
 */
export function scaleBy(k) {
  return k && !isInUnits ? { k } : { middle: 1 };
}

/**
 * The log odds that one unit of a player's scores is worth; null if games do not tell.
 * @param {Data} data
 * @param {Game} game
 * @param {1 | 2} seat
 * @returns {number | null}
 */
function kOf(data, game, seat) {
  return data.scales[seat === 1 ? game.f : game.s] ?? null;
}

/**
 * The scales of a game's players, as far as games tell them: each K with the player's name.
 * @param {Data} data
 * @param {Game} game
 * @returns {[string, number][]}
 */
export function knownScales(data, game) {
  const [first, second] = playersOf(data, game);
  /** @type {[string, number | null][]} */
  const found = [[first, kOf(data, game, 1)], [second, kOf(data, game, 2)]];
  return found.flatMap(([name, k]) => (k === null ? [] : [[name, k]]));
}

/**
 * What is shown for a score: short, and in a sentence; and a height from -1 (lost) over 0 (even) to
 * 1 (won). All are from the side that the score is of.
 * @param {number} score
 * @param {Scale} scale
 * @returns {ShownScore}
 */
export function shownScore(score, scale) {
  const size = Math.abs(score);
  const sign = Math.sign(score);
  if (size >= CERTAIN) {
    const plies = MATE - size;
    const distance = plies >= 0 && plies <= LONGEST_MATE ? ` in ${plies}` : "";
    const text = `${sign > 0 ? "win" : "loss"}${distance}`;
    return { text, words: text, height: sign, isSeen: true };
  }
  if ("k" in scale) {
    const share = 1 / (1 + Math.exp(-scale.k * score));
    const text = shareText(share);
    return { text, words: `win probability ${text}`, height: 2 * share - 1, isSeen: false };
  }
  const text = `${sign > 0 ? "+" : ""}${score.toLocaleString("en")}`;
  return { text, words: `score ${text}`, height: score / (size + scale.middle), isSeen: false };
}

/**
 * A probability as per cent; what is not certain is neither 0 nor 100.
 * @param {number} share
 * @returns {string}
 */
function shareText(share) {
  const percent = Math.round(100 * share);
  return percent <= 0 ? "<1 %" : percent >= 100 ? ">99 %" : `${percent} %`;
}

/**
 * The middling size of a player's scores in the first plies of a game, or in all.
 * @param {Game} game
 * @param {1 | 2} seat
 * @param {number} [plies]
 * @returns {number}
 */
function middleOf(game, seat, plies = game.m.length) {
  const sizes = [];
  for (let ply = game.o; ply < plies; ply++) {
    const score = mover(ply) === seat ? remarkOn(game, ply)?.score : null;
    if (score !== null && score !== undefined && Math.abs(score) < CERTAIN) sizes.push(Math.abs(score));
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] || 1;
}

/**
 * Values to write at the axis of a player, shortly, with their heights on the whole graph, where up
 * is better for the first: its win probability; or 0, and round scores about the middling, in the
 * player's own units.
 * @param {Scale} scale
 * @param {1 | 2} seat
 * @returns {{text: string, height: number}[]}
 */
export function scoreTicks(scale, seat) {
  if ("k" in scale) return [0, 25, 50, 75, 100].map((share) => ({ text: `${share} %`, height: share / 50 - 1 }));
  const { middle } = scale;
  const side = seat === 1 ? 1 : -1;
  const round = roundNumber(middle);
  const short = { notation: /** @type {const} */ ("compact"), signDisplay: /** @type {const} */ ("exceptZero") };
  return [-3 * round, -round, 0, round, 3 * round].map((score) => ({
    text: score.toLocaleString("en", short),
    height: side * shownScore(score, scale).height,
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
