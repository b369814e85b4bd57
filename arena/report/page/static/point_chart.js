// Points by any two of their values, coloured by their results.

import { ELO, WEIGHTS, pointText, shareOf, valueOf } from "./points.js";
import { svg } from "./svg.js";

/** @typedef {import("./points.js").PlayedPoint} PlayedPoint */
/** @typedef {import("./points.js").PointAxis} PointAxis */
/** @typedef {import("./points.js").Study} Study */
/** @typedef {{x: number, y: number}} ChartPlace */

/** @typedef {{width: number, height: number, left: number, right: number, top: number, bottom: number}} ChartRoom */

/** @type {ChartRoom} */
const CHART = { width: 520, height: 340, left: 76, right: 32, top: 14, bottom: 48 };
const NEAR_ENOUGH = 18;
const SQUARES = 8;
const LEAST_POINTS = 3;
/** Elo of the strongest colour. */
const STRONGEST = 200;
/** @type {Record<string, [number, "x" | "y"]>} */
const POINT_STEPS = { ArrowRight: [1, "x"], ArrowLeft: [-1, "x"], ArrowUp: [-1, "y"], ArrowDown: [1, "y"] };

/**
 * The chart: a reader goes from point to point by mouse or by the arrow keys, and chooses one.
 */
export class PointChart {
  /**
   * @param {HTMLElement} place
   * @param {HTMLElement} tip
   * @param {(point: PlayedPoint) => void} choose
   */
  constructor(place, tip, choose) {
    this.place = place;
    this.tip = tip;
    this.choose = choose;
    /** @type {Study} */
    this.study = { found: "", shown: [], axes: [], trials: [] };
    /** @type {PlayedPoint[]} */
    this.points = [];
    this.across = this.upwards = 0;
    this.room = CHART;
    /** @type {PointAxis | null} the part of the axis upwards that a chart of the page shows */
    this.rise = null;
    /** @type {PlayedPoint | null} */
    this.pointed = null;
    place.addEventListener("pointermove", (event) => this.pointAt(this.nearest(event)));
    place.addEventListener("pointerleave", () => this.pointAt(null));
    place.addEventListener("blur", () => this.pointAt(null));
    place.addEventListener("click", (event) => this.take(this.nearest(event)));
    place.addEventListener("keydown", (event) => this.press(event));
  }

  /**
   * @param {Study} study
   * @param {PlayedPoint[]} points
   * @param {number} across the place of an axis, as is `upwards`
   * @param {number} upwards
   * @param {PlayedPoint | null} chosen
   */
  show(study, points, across, upwards, chosen) {
    Object.assign(this, { study, points, across, upwards });
    const [x, y] = [this.axis(across), this.axis(upwards)];
    const label = `${points.length} points by ${x.name} and ${y.name}`;
    const { width, height } = CHART;
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "plot", role: "img", "aria-label": label });
    root.append(...this.squares(), ...this.frame(x, y), ...points.map((each) => this.dot(each)));
    this.ring = svg("circle", { r: 8, class: "pointed", visibility: "hidden" });
    root.append(this.ring);
    if (chosen && points.includes(chosen)) {
      const { x: cx, y: cy } = this.at(chosen);
      root.append(svg("circle", { cx, cy, r: 8, class: "chosen" }));
    }
    this.place.querySelector("svg")?.remove();
    this.place.prepend(root);
    this.pointAt(this.pointed && points.includes(this.pointed) ? this.pointed : null);
  }

  /**
   * Take a chart of one value and the Elo that the page has already.
   * @param {Study} study
   * @param {PlayedPoint[]} points
   * @param {SVGElement} root
   */
  adopt(study, points, root) {
    const { name, low, high, frame } = JSON.parse(String(root.dataset.slice));
    const across = study.axes.findIndex((axis, i) => i >= WEIGHTS && axis.name === name);
    Object.assign(this, { study, across, upwards: ELO, room: frame });
    this.rise = { ...this.axis(ELO), low, high };
    this.points = points.filter((point) => low <= valueOf(point, ELO) && valueOf(point, ELO) <= high);
    this.ring = svg("circle", { r: 6, class: "pointed", visibility: "hidden" });
    root.append(this.ring);
  }

  /**
   * @param {number} i
   * @returns {PointAxis}
   */
  axis(i) {
    return /** @type {PointAxis} */ (this.study.axes[i]);
  }

  /**
   * @param {PlayedPoint} point
   * @returns {ChartPlace}
   */
  at(point) {
    return { x: this.x(valueOf(point, this.across)), y: this.y(valueOf(point, this.upwards)) };
  }

  /** @param {number} value */
  x(value) {
    const { left, right, width } = this.room;
    return left + shareOf(this.axis(this.across), value) * (width - left - right);
  }

  /** @param {number} value */
  y(value) {
    const { top, bottom, height } = this.room;
    return top + (1 - shareOf(this.rise ?? this.axis(this.upwards), value)) * (height - top - bottom);
  }

  /**
   * The axes with their ticks, and lines where the default value and the one that was found are.
   * @param {PointAxis} x
   * @param {PointAxis} y
   * @returns {SVGElement[]}
   */
  frame(x, y) {
    const [left, right, top] = [CHART.left, CHART.width - CHART.right, CHART.top];
    const bottom = CHART.height - CHART.bottom;
    const upright = (/** @type {number} */ at, /** @type {string} */ style, low = top, high = bottom) =>
      svg("line", { x1: at, x2: at, y1: low, y2: high, class: style });
    const level = (/** @type {number} */ at, /** @type {string} */ style) =>
      svg("line", { x1: left, x2: right, y1: at, y2: at, class: style });
    const text = (/** @type {string} */ words, /** @type {Record<string, string | number>} */ given) =>
      svg("text", { "text-anchor": "middle", class: "tick", ...given }, words);
    const found = [level(bottom, "axis")];
    for (const [value, words] of y.ticks) {
      found.push(level(this.y(value), value === 0 && y.signed ? "zero" : "grid"));
      found.push(text(y.choice ? words.slice(0, 7) : words, { x: left - 8, y: this.y(value) + 4, "text-anchor": "end" }));
    }
    for (const [value, words] of x.ticks) {
      found.push(upright(this.x(value), "axis", bottom, bottom + 4));
      found.push(text(words.slice(0, 12), { x: this.x(value), y: bottom + 18 }));
    }
    for (const [value, style] of /** @type {const} */ ([["default", "default"], ["found", "tuned"]])) {
      if (x[value] !== null) found.push(upright(this.x(x[value]), style));
      if (y[value] !== null) found.push(level(this.y(y[value]), style));
    }
    const middle = (top + bottom) / 2;
    found.push(text(x.name, { x: (left + right) / 2, y: CHART.height - 6, class: "label" }));
    found.push(text(y.name, { x: 14, y: middle, class: "label", transform: `rotate(-90 14 ${middle})` }));
    return found;
  }

  /**
   * @param {PlayedPoint} point
   * @returns {SVGElement}
   */
  dot(point) {
    const { x: cx, y: cy } = this.at(point);
    return svg("circle", { cx, cy, r: 4, class: "played", ...colourOf(valueOf(point, ELO), 0.25) });
  }

  /**
   * The mean results of parts of the plane, behind the points; none of charts that show results.
   * @returns {SVGElement[]}
   */
  squares() {
    if ([this.across, this.upwards].includes(ELO)) return [];
    const width = (CHART.width - CHART.left - CHART.right) / SQUARES;
    const height = (CHART.height - CHART.top - CHART.bottom) / SQUARES;
    /** @type {Map<string, number[]>} */
    const parts = new Map();
    for (const point of this.points) {
      const { x, y } = this.at(point);
      const column = Math.min(Math.floor((x - CHART.left) / width), SQUARES - 1);
      const row = Math.min(Math.floor((y - CHART.top) / height), SQUARES - 1);
      const key = `${CHART.left + column * width} ${CHART.top + row * height}`;
      parts.set(key, [...(parts.get(key) ?? []), valueOf(point, ELO)]);
    }
    return [...parts].filter(([, results]) => results.length >= LEAST_POINTS).map(([key, results]) => {
      const [x = 0, y = 0] = key.split(" ").map(Number);
      const mean = results.reduce((sum, each) => sum + each, 0) / results.length;
      return svg("rect", { x, y, width, height, class: "square", ...colourOf(mean, 0, 0.5) });
    });
  }

  /**
   * The point under the mouse, or near to it.
   * @param {MouseEvent} event
   * @returns {PlayedPoint | null}
   */
  nearest(event) {
    const box = this.place.querySelector("svg")?.getBoundingClientRect();
    if (!box) return null;
    const scale = this.room.width / box.width;
    const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    /** @type {PlayedPoint | null} */
    let found = null;
    let least = NEAR_ENOUGH * Math.max(scale, 1);
    for (const point of this.points) {
      const at = this.at(point);
      const distance = Math.hypot(at.x - x, at.y - y);
      if (distance < least) [found, least] = [point, distance];
    }
    return found;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = POINT_STEPS[event.key];
    if (step) this.pointAt(this.neighbour(...step));
    else if (event.key === "Home") this.pointAt(this.inOrder("x")[0] ?? null);
    else if (event.key === "End") this.pointAt(this.inOrder("x").at(-1) ?? null);
    else if (event.key === "Enter" || event.key === " ") this.take(this.pointed);
    else if (event.key === "Escape") this.pointAt(null);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the games below have keys of their own
  }

  /**
   * The point that follows along one of the two directions.
   * @param {number} by
   * @param {"x" | "y"} along
   * @returns {PlayedPoint | null}
   */
  neighbour(by, along) {
    const points = this.inOrder(along);
    const at = this.pointed ? points.indexOf(this.pointed) + by : 0;
    return points[Math.min(Math.max(at, 0), points.length - 1)] ?? null;
  }

  /**
   * @param {"x" | "y"} along
   * @returns {PlayedPoint[]}
   */
  inOrder(along) {
    const other = along === "x" ? "y" : "x";
    const placed = this.points.map((point) => ({ point, ...this.at(point) }));
    placed.sort((one, two) => one[along] - two[along] || one[other] - two[other]);
    return placed.map(({ point }) => point);
  }

  /** @param {PlayedPoint | null} point */
  take(point) {
    if (point) this.choose(point);
  }

  /**
   * Say what a point is, beside it.
   * @param {PlayedPoint | null} point
   */
  pointAt(point) {
    this.pointed = point;
    this.ring?.setAttribute("visibility", point ? "visible" : "hidden");
    this.tip.hidden = !point;
    if (!point) return;
    const { x, y } = this.at(point);
    this.ring?.setAttribute("cx", String(x));
    this.ring?.setAttribute("cy", String(y));
    const words = pointText(this.study, point);
    if (this.tip.textContent !== words) this.tip.textContent = words;
    const width = this.place.querySelector("svg")?.getBoundingClientRect().width ?? 0;
    this.tip.style.left = `${(x * width) / this.room.width}px`;
    this.tip.style.top = `${(y * width) / this.room.width}px`;
    this.tip.classList.toggle("leftwards", x > this.room.width / 2);
  }
}

/**
 * The colour of a result: that of a win or of a loss, the stronger the more.
 * @param {number} elo
 * @param {number} least the opacity of no gain
 * @param {number} [most]
 * @returns {Record<string, string | number>}
 */
function colourOf(elo, least, most = 1) {
  const share = Math.min(Math.abs(elo) / STRONGEST, 1);
  const style = elo > 0 ? "won" : elo < 0 ? "lost" : "even";
  return { "data-result": style, "fill-opacity": (least + share * (most - least)).toFixed(2) };
}
