// The points that a study has played: the data of the page, and how they are written.

/**
 * @typedef {{name: string, low: number, high: number, log: boolean, signed: boolean,
 *   choice: boolean, ticks: [number, string][], default: number | null,
 *   found: number | null}} PointAxis
 */
/**
 * @typedef {{number: number, state: string, games: number, faults: number, doubtful: boolean,
 *   numbers: number[], points: [string, ...number[]][]}} StoredTrial
 */
/** @typedef {{found: string, shown: number[], axes: PointAxis[], trials: StoredTrial[]}} Study */
/** @typedef {{trial: StoredTrial, name: string, values: number[]}} PlayedPoint */

/** The places of the first axes; weights come after them. */
export const ELO = 1;
/** The mark of an Elo that rests on faults. */
const DOUBT = "?";
export const WEIGHTS = 3;

/**
 * The data that the page holds; nothing if it is not that of a study with trials.
 * @returns {Study | null}
 */
export function readStudy() {
  const data = document.getElementById("points-data")?.textContent;
  return data ? JSON.parse(data) : null;
}

/**
 * @param {Study} study
 * @returns {PlayedPoint[]}
 */
export function pointsOf({ trials }) {
  return trials.flatMap((trial) => trial.points.map(([name, ...values]) => ({ trial, name, values })));
}

/**
 * The value of a point on the axis of this place.
 * @param {PlayedPoint} point
 * @param {number} axis
 * @returns {number}
 */
export function valueOf(point, axis) {
  return point.values[axis] ?? NaN;
}

/**
 * The place of a value between the low end of its axis (0) and the high one (1).
 * @param {PointAxis} axis
 * @param {number} value
 * @returns {number}
 */
export function shareOf({ low, high, log }, value) {
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(Math.max(share, 0), 1);
}

/**
 * @param {PointAxis} axis
 * @param {number} value
 * @returns {string}
 */
export function valueText(axis, value) {
  if (axis.choice) return axis.ticks[value]?.[1] ?? "";
  if (!axis.signed) return value.toLocaleString("en", { maximumSignificantDigits: 5 });
  const text = Math.round(value).toLocaleString("en");
  return value >= 0.5 ? `+${text}` : text.replace(/^-0$/, "0");
}

/**
 * A point's value on the axis of this place as people read it; an Elo that rests on faults is marked.
 * @param {Study} study
 * @param {PlayedPoint} point
 * @param {number} place
 * @returns {string}
 */
export function pointValueText({ axes }, point, place) {
  const axis = axes[place];
  if (!axis) return "";
  return valueText(axis, valueOf(point, place)) + (axis.signed && point.trial.doubtful ? DOUBT : "");
}

/**
 * The number of a trial's games that ended by faults, behind that of all; empty if none did.
 * @param {StoredTrial} trial
 * @returns {string}
 */
export function faultsText({ faults }) {
  return faults ? ` (${faults} by faults)` : "";
}

/**
 * A point in words, as its row of the table has them.
 * @param {Study} study
 * @param {PlayedPoint} point
 * @returns {string}
 */
export function pointText(study, point) {
  const { axes } = study;
  const texts = axes.map((_, i) => pointValueText(study, point, i));
  const results = texts.slice(0, WEIGHTS).map((text, i) => `${axes[i]?.name} ${text}`);
  const weights = texts.map((text, i) => `${axes[i]?.name}=${text}`).slice(WEIGHTS);
  if (point.name) results.splice(1, 0, point.name);
  const games = `${point.trial.games} game${point.trial.games === 1 ? "" : "s"}${faultsText(point.trial)}`;
  return `${results.join(", ")}, ${games}, ${point.trial.state}: ${weights.join(", ")}`;
}

/**
 * The numbers of a trial's games, as rows of numbers that follow each other.
 * @param {StoredTrial} trial
 * @returns {[number, number][]}
 */
export function gameRows({ numbers }) {
  /** @type {[number, number][]} */
  const rows = [];
  for (let i = 0; i < numbers.length; i += 2) rows.push([numbers[i] ?? 0, numbers[i + 1] ?? 0]);
  return rows;
}
