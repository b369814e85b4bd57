// Which points a reader wants to see: by the states of their trials, and by ranges of their values.

import { valueOf } from "./points.js";

/** @typedef {import("./points.js").PlayedPoint} PlayedPoint */
/** @typedef {import("./points.js").PointAxis} PointAxis */
/** @typedef {import("./points.js").Study} Study */

/**
 * Give each axis its fields: two ends of a range, or a list of choices.
 * @param {HTMLElement} place
 * @param {Study} study
 */
export function makeFilters(place, { axes, trials }) {
  const states = [...new Set(trials.map((trial) => trial.state))];
  const rows = axes.map((axis, i) => filterRow(axis.name, axis.choice ? [choiceField(axis, i)] : rangeFields(axis, i)));
  if (states.length > 1) rows.unshift(filterRow("state", [selectOf("state", "state", states.map((each) => [each, each]))]));
  place.replaceChildren(...rows);
}

/**
 * @param {string} name
 * @param {Node[]} fields
 * @returns {HTMLElement}
 */
function filterRow(name, fields) {
  const row = document.createElement("div");
  const words = document.createElement("span");
  words.textContent = name;
  words.ariaHidden = "true"; // each field has a label of its own
  row.append(words, ...fields);
  return row;
}

/**
 * @param {PointAxis} axis
 * @param {number} i
 * @returns {HTMLInputElement[]}
 */
function rangeFields(axis, i) {
  return ["least", "most"].map((end) => {
    const field = document.createElement("input");
    Object.assign(field, { type: "number", step: "any", name: `${end} ${i}`, placeholder: end });
    field.ariaLabel = `${axis.name}, at ${end}`;
    return field;
  });
}

/**
 * @param {PointAxis} axis
 * @param {number} i
 * @returns {HTMLSelectElement}
 */
function choiceField(axis, i) {
  return selectOf(`only ${i}`, axis.name, axis.ticks.map(([value, text]) => [String(value), text]));
}

/**
 * @param {string} name
 * @param {string} label
 * @param {[string, string][]} values
 * @returns {HTMLSelectElement}
 */
function selectOf(name, label, values) {
  const select = document.createElement("select");
  select.name = name;
  select.ariaLabel = label;
  select.append(new Option("all", ""), ...values.map(([value, text]) => new Option(text, value)));
  return select;
}

/**
 * The points that the filters let through; an empty field asks for nothing.
 * @param {HTMLFormElement} form
 * @param {PlayedPoint[]} points
 * @returns {PlayedPoint[]}
 */
export function pointsWanted(form, points) {
  const wishes = [...new FormData(form)].filter(([, wish]) => wish !== "").map(([name, wish]) => {
    const [kind = "", axis] = name.split(" ");
    return { kind, axis: Number(axis), wish: String(wish) };
  });
  return points.filter((point) =>
    wishes.every(({ kind, axis, wish }) => {
      if (kind === "state") return point.trial.state === wish;
      const value = valueOf(point, axis);
      if (kind === "only") return value === Number(wish);
      return kind === "least" ? value >= Number(wish) : value <= Number(wish);
    }),
  );
}
