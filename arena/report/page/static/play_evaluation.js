import { mover, playersOf, remarkOn } from "./position.js";
import { svg } from "./svg.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

const BAR_WIDTH = 640;
const BAR_HEIGHT = 18;

/**
 * The last score up to a ply, as the first player sees it, beside the middle size of that engine's
 * scores; null if no engine has given one.
 * @param {Game} game
 * @param {number} plies
 * @returns {{ply: number, score: number, middle: number} | null}
 */
export function lastScore(game, plies) {
  for (let ply = plies - 1; ply >= game.o; ply--) {
    const score = remarkOn(game, ply)?.score;
    if (score === null || score === undefined) continue;
    const own = game.m.map((_, i) => i).filter((i) => i <= ply && mover(i) === mover(ply));
    const sizes = own.map((i) => Math.abs(remarkOn(game, i)?.score ?? NaN)).filter((size) => size >= 0);
    sizes.sort((a, b) => a - b);
    const middle = sizes[Math.floor(sizes.length / 2)] || 1;
    return { ply, score: mover(ply) === 1 ? score : -score, middle };
  }
  return null;
}

/**
 * Draw the bar: the first player's part of it is dark, and half of it where the game is even.
 * @param {Element} place
 * @param {Game} game
 * @param {number} plies
 */
export function drawEvaluation(place, game, plies) {
  const last = lastScore(game, plies);
  const share = last ? 0.5 + (0.5 * last.score) / (Math.abs(last.score) + last.middle) : 0.5;
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
  const last = lastScore(game, plies);
  if (!last) return "No engine has given a score yet.";
  const name = playersOf(data, game)[mover(last.ply) - 1];
  const better = last.score === 0 ? "even" : last.score > 0 ? "better for ●" : "better for ○";
  return `${name}, after ply ${last.ply + 1}: ${better}, by ${Math.abs(last.score)} in its own units.`;
}
