import { boardOf, moveAt, moveText, mover, playersOf, remarkOn } from "./position.js";
import { SCORE_UNIT, scaleOf, scoreTicks, shownScore } from "./score.js";
import { player, sideName, stone } from "./stones.js";
import { svg } from "./svg.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

const USUAL_WIDTH = 640;
const SIDE = 46;
const TOP = 8;
const HEIGHT = 196;
const MIDDLE = 74;
const SWING = 60;
const TIMES = 188;
const TALLEST = 40;

/**
 * Draw the evaluations and times of both players over a game; a click tells the ply.
 *
 * Above, scores as the first player sees them: the first player's values stand on the left, the
 * second's on the right, since each may count in units of its own. Below, the time of each move. The
 * figure's caption, if there is one, says which scale is which.
 * What is under the pointer is told in a line.
 * @param {Element} place
 * @param {Data} data
 * @param {Game} game
 * @param {(ply: number) => void} jump
 */
export function drawGraph(place, data, game, jump) {
  const width = Math.max(240, Math.min(USUAL_WIDTH, place.clientWidth || USUAL_WIDTH));
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "graph", role: "img" });
  drawing.setAttribute("aria-label", `${caption(data, game)}, and the times of the moves`);
  const inner = width - 2 * SIDE;
  drawing.append(
    svg("rect", { x: SIDE, y: TOP, width: inner, height: TIMES - TOP, class: "ground" }),
    svg("path", { d: `M${SIDE} ${MIDDLE}H${width - SIDE}`, class: "axis" }),
    ...times(game, width),
    ...[scores(data, game, width, 1), scores(data, game, width, 2)].flat(),
    svg("path", { d: "", class: "cursor" }),
    svg("path", { d: "", class: "pointed" }),
    svg("rect", { x: SIDE, y: 0, width: inner, height: HEIGHT, class: "clickable" }),
  );
  const told = document.createElement("p");
  told.className = "pointed-text";
  const plyAt = (/** @type {MouseEvent} */ event) => {
    const box = drawing.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * width - SIDE) / inner;
    return Math.max(1, Math.min(game.m.length, Math.ceil(share * game.m.length)));
  };
  drawing.addEventListener("click", (event) => jump(plyAt(/** @type {MouseEvent} */ (event))));
  drawing.addEventListener("pointermove", (event) => point(/** @type {MouseEvent} */ (event)));
  drawing.addEventListener("pointerleave", () => point(null));
  /** @param {MouseEvent | null} event */
  function point(event) {
    const ply = event && game.m.length ? plyAt(event) - 1 : null;
    const line = ply === null ? "" : `M${across(game, ply, width)} ${TOP}V${TIMES}`;
    drawing.querySelector(".pointed")?.setAttribute("d", line);
    told.replaceChildren(...(ply === null ? [] : [stone(mover(ply)), plyValues(data, game, ply)]));
  }
  place.replaceChildren(names(data, game), drawing, told);
  const words = place.parentElement?.querySelector("[data-part=scale]");
  if (words) words.textContent = caption(data, game);
}

/**
 * Mark the ply that is shown.
 * @param {Element} place
 * @param {Game} game
 * @param {number} ply
 */
export function markPly(place, game, ply) {
  const drawing = place.querySelector("svg.graph");
  const width = drawing instanceof SVGSVGElement ? drawing.viewBox.baseVal.width : USUAL_WIDTH;
  const d = ply ? `M${across(game, ply - 1, width)} ${TOP}V${TIMES}` : "";
  drawing?.querySelector(".cursor")?.setAttribute("d", d);
}

/**
 * The players above their axes.
 * @param {Data} data
 * @param {Game} game
 * @returns {HTMLElement}
 */
function names(data, game) {
  const row = document.createElement("div");
  row.className = "graph-names";
  row.append(...playersOf(data, game).map((name, i) => player(i + 1, name)));
  return row;
}

/**
 * The score and the time of a ply, in words.
 * @param {Data} data
 * @param {Game} game
 * @param {number} ply counted from 0
 * @returns {string}
 */
function plyValues(data, game, ply) {
  const seat = mover(ply);
  const remark = remarkOn(game, ply);
  const move = moveText(boardOf(data, game), moveAt(game, ply));
  const words = [`${ply + 1}. ${move}`];
  if (!remark) words.push("of the opening");
  const score = remark?.score ?? null;
  if (score !== null) words.push(scoreText(data, game, seat, score));
  if (remark && remark.milliseconds !== null) words.push(`${remark.milliseconds} ms`);
  return words.join(", ");
}

/**
 * A score in words; a win probability with the side that it is of, as the line may show the other's.
 * @param {Data} data
 * @param {Game} game
 * @param {1 | 2} seat
 * @param {number} score
 * @returns {string}
 */
function scoreText(data, game, seat, score) {
  const scale = scaleOf(data, game, seat);
  const { text, isSeen } = shownScore(score, scale);
  return "k" in scale && !isSeen ? `${text} for ${sideName(boardOf(data, game), seat)}` : text;
}

/**
 * What the lines are.
 * @param {Data} data
 * @param {Game} game
 * @returns {string}
 */
function caption(data, game) {
  /** @type {(1 | 2)[]} */
  const seats = [1, 2];
  const scored = seats.filter((seat) => plies(game, seat).some((ply) => scoreAt(game, ply) !== null));
  const [own, ...others] = scored.filter((seat) => "middle" in scaleOf(data, game, seat));
  if (!scored.length) return "No player gave scores";
  const probability = "The first player's win probability, as the scores of each let expect of equals";
  if (own === undefined) return probability;
  if (others.length || scored.length === 1) {
    return `Up is better for the first player. Left are its scores, right the second's, each in the player's ${SCORE_UNIT}`;
  }
  return `${probability}; the scores of ${playersOf(data, game)[own - 1]} are in its ${SCORE_UNIT}`;
}

/**
 * @param {Game} game
 * @param {number} ply
 * @returns {number | null}
 */
function scoreAt(game, ply) {
  return remarkOn(game, ply)?.score ?? null;
}

/**
 * The middle of a ply, counted from 0.
 * @param {Game} game
 * @param {number} ply
 * @param {number} width
 * @returns {number}
 */
function across(game, ply, width) {
  const share = (ply + 0.5) / Math.max(1, game.m.length);
  return Math.round((SIDE + share * (width - 2 * SIDE)) * 10) / 10;
}

/**
 * One player's scores, with the values of its axis; nothing for a player that gave none.
 * @param {Data} data
 * @param {Game} game
 * @param {number} width
 * @param {1 | 2} seat
 * @returns {SVGElement[]}
 */
function scores(data, game, width, seat) {
  const scale = scaleOf(data, game, seat);
  const side = seat === 1 ? 1 : -1;
  const points = plies(game, seat).flatMap((ply) => {
    const score = scoreAt(game, ply);
    return score === null ? [] : [`${across(game, ply, width)} ${level(side * shownScore(score, scale).height)}`];
  });
  if (!points.length) return [];
  const x = seat === 1 ? SIDE - 5 : width - SIDE + 5;
  const ticks = scoreTicks(scale, seat).map(({ text, height }) =>
    svg("text", { x, y: Number(level(height)) + 4, class: `tick of-${seat}` }, text),
  );
  // A single point is a line without length, which round ends make a dot.
  const d = `M${points.join("L")}${points.length === 1 ? "h0" : ""}`;
  return [...ticks, svg("path", { d, class: `scores player-${seat}` })];
}

/**
 * @param {number} height from -1 to 1
 * @returns {string}
 */
function level(height) {
  return (MIDDLE - SWING * height).toFixed(1);
}

/**
 * A bar for the time of each move.
 * @param {Game} game
 * @param {number} width
 * @returns {SVGElement[]}
 */
function times(game, width) {
  const longest = Math.max(...game.t.map((each) => each ?? 0), 0.001);
  const thick = Math.max(1, (0.7 * (width - 2 * SIDE)) / Math.max(1, game.m.length));
  const bars = plies(game).flatMap((ply) => {
    const spent = remarkOn(game, ply)?.milliseconds;
    if (!spent) return [];
    const height = (TALLEST * spent) / longest;
    const x = across(game, ply, width) - thick / 2;
    return [svg("rect", { x, y: TIMES - height, width: thick, height, class: `time player-${mover(ply)}` })];
  });
  if (!bars.length) return [];
  const y = TIMES - TALLEST + 4;
  return [svg("text", { x: SIDE - 5, y, class: "tick of-1" }, timeText(longest)), ...bars];
}

/**
 * @param {number} milliseconds
 * @returns {string}
 */
function timeText(milliseconds) {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Number((milliseconds / 1000).toPrecision(2))} s`;
}

/**
 * The plies that were chosen, by one player or by both.
 * @param {Game} game
 * @param {number} [seat]
 * @returns {number[]}
 */
function plies(game, seat) {
  const all = game.m.map((_, ply) => ply).slice(game.o);
  return seat === undefined ? all : all.filter((ply) => mover(ply) === seat);
}
