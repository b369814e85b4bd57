import { svg } from "./svg.js";
import { mover, remarkOn } from "./position.js";

/** @typedef {import("./position.js").Game} Game */

const WIDTH = 640;
const HEIGHT = 200;
const MIDDLE = 70;
const SWING = 58;
const TIMES = 190;
const TALLEST = 44;

/**
 * Draw the evaluations and times of both players over a game; a click tells the ply.
 *
 * Above, scores as the first player sees them, each player's in its own units: half of the height
 * is the middle one of its scores. Below, the time of each move.
 * @param {Element} place
 * @param {Game} game
 * @param {(ply: number) => void} jump
 */
export function drawGraph(place, game, jump) {
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img" });
  drawing.setAttribute("aria-label", "Scores and times of both players, move by move");
  drawing.append(svg("path", { d: `M0 ${MIDDLE}H${WIDTH}`, class: "axis" }));
  drawing.append(svg("path", { d: `M0 ${TIMES}H${WIDTH}`, class: "axis" }));
  drawing.append(...times(game), ...[1, 2].map((player) => scores(game, player)));
  drawing.append(svg("path", { d: "", class: "cursor" }));
  drawing.append(svg("rect", { width: WIDTH, height: HEIGHT, class: "clickable" }));
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const share = (/** @type {MouseEvent} */ (event).clientX - box.left) / box.width;
    jump(Math.max(1, Math.min(game.m.length, Math.ceil(share * game.m.length))));
  });
  place.replaceChildren(drawing);
}

/**
 * Mark the ply that is shown.
 * @param {Element} place
 * @param {Game} game
 * @param {number} ply
 */
export function markPly(place, game, ply) {
  const d = ply ? `M${across(game, ply - 1)} 0V${HEIGHT}` : "";
  place.querySelector(".cursor")?.setAttribute("d", d);
}

/**
 * The middle of a ply, counted from 0.
 * @param {Game} game
 * @param {number} ply
 * @returns {number}
 */
function across(game, ply) {
  return Math.round(((ply + 0.5) / Math.max(1, game.m.length)) * WIDTH * 10) / 10;
}

/**
 * One player's scores, squeezed so that any fit.
 * @param {Game} game
 * @param {number} player
 * @returns {SVGElement}
 */
function scores(game, player) {
  const points = plies(game, player).flatMap((ply) => {
    const score = remarkOn(game, ply)?.score;
    return score === null || score === undefined ? [] : [{ ply, score }];
  });
  const sizes = points.map(({ score }) => Math.abs(score)).sort((a, b) => a - b);
  const middle = sizes[Math.floor(sizes.length / 2)] || 1;
  const side = player === 1 ? 1 : -1;
  const path = points.map(({ ply, score }, i) => {
    const height = (side * score) / (Math.abs(score) + middle);
    return `${i ? "L" : "M"}${across(game, ply)} ${(MIDDLE - SWING * height).toFixed(1)}`;
  });
  return svg("path", { d: path.join(""), class: `scores player-${player}` });
}

/**
 * A bar for the time of each move.
 * @param {Game} game
 * @returns {SVGElement[]}
 */
function times(game) {
  const longest = Math.max(...game.t.map((each) => each ?? 0), 0.001);
  const width = Math.max(1, (0.7 * WIDTH) / Math.max(1, game.m.length));
  return plies(game).flatMap((ply) => {
    const spent = remarkOn(game, ply)?.milliseconds;
    if (!spent) return [];
    const height = (TALLEST * spent) / longest;
    const x = across(game, ply) - width / 2;
    const kind = `time player-${mover(ply)}`;
    return [svg("rect", { x, y: TIMES - height, width, height, class: kind })];
  });
}

/**
 * The plies that were chosen, by one player or by both.
 * @param {Game} game
 * @param {number} [player]
 * @returns {number[]}
 */
function plies(game, player) {
  const all = game.m.map((_, ply) => ply).slice(game.o);
  return player === undefined ? all : all.filter((ply) => mover(ply) === player);
}
