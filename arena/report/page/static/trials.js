// The trials of a study: a chart of their points, a table of them, and filters for both.

import { part } from "./list.js";
import { PointChart } from "./point_chart.js";
import { makeFilters, pointsWanted } from "./point_filters.js";
import { WEIGHTS, faultsText, gameRows, pointText, pointValueText, pointsOf, readStudy, valueOf, valueText } from "./points.js";
import { compared, sortable } from "./tables.js";

/** @typedef {import("./points.js").PlayedPoint} PlayedPoint */
/** @typedef {import("./points.js").Study} Study */
/** @typedef {{title: string, text: (point: PlayedPoint) => string, key: (point: PlayedPoint) => number | string}} PointColumn */

const TRIAL_ROWS = 20;
const MOST_LINKS = 60;

/**
 * Show the trials, if the page has any.
 * @returns {Trials | null}
 */
export function startTrials() {
  const root = document.getElementById("trials");
  const study = readStudy();
  return root && study ? new Trials(root, study) : null;
}

/**
 * The section of the trials: what a reader has asked it stays when trials are added.
 */
export class Trials {
  /**
   * @param {HTMLElement} root
   * @param {Study} study
   */
  constructor(root, study) {
    this.root = root;
    this.study = study;
    this.axes = /** @type {HTMLFormElement} */ (part(root, "axes"));
    this.filters = /** @type {HTMLFormElement} */ (part(root, "ranges"));
    this.chart = new PointChart(part(root, "chart"), part(root, "tip"), (point) => this.choose(point));
    this.points = pointsOf(study);
    this.listed = this.points;
    /** The first listed point of each trial, which has the trial's row. */
    this.firsts = this.points;
    this.rows = TRIAL_ROWS;
    /** @type {{column: number, sign: number}} */
    this.order = { column: 0, sign: 1 };
    /** @type {PlayedPoint | null} */
    this.chosen = null;
    this.columns = columnsOf(study);
    this.fill();
    this.listen();
    root.hidden = false;
    this.draw();
    this.adoptSlices();
  }

  /** Let the points of the slices tell what they are, too. */
  adoptSlices() {
    for (const slice of /** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("svg[data-slice]"))) {
      const place = slice.parentElement;
      if (!place) continue;
      const tip = /** @type {HTMLElement} */ (part(this.root, "tip").cloneNode());
      place.append(tip);
      place.className = "chart-place";
      place.tabIndex = 0;
      new PointChart(place, tip, (point) => {
        this.choose(point);
        part(this.root, "point").scrollIntoView({ block: "center" });
      }).adopt(this.study, this.points, slice);
    }
  }

  listen() {
    for (const form of [this.axes, this.filters]) {
      form.addEventListener("submit", (event) => event.preventDefault());
      form.addEventListener("input", () => this.draw());
      form.addEventListener("reset", () => setTimeout(() => this.draw()));
    }
    part(this.root, "more").addEventListener("click", () => {
      this.rows += 5 * TRIAL_ROWS;
      this.drawRows();
    });
    part(this.root, "rows").addEventListener("click", (event) => {
      const index = /** @type {HTMLElement} */ (event.target).closest("button")?.dataset.point;
      const point = index === undefined ? null : this.points[Number(index)];
      if (point) this.choose(point);
    });
  }

  /** Fill the two lists, the filters and the table's head with what the study has. */
  fill() {
    const { axes, found, shown } = this.study;
    for (const [i, name] of ["across", "upwards"].entries()) {
      const select = /** @type {HTMLSelectElement} */ (this.axes.elements.namedItem(name));
      select.replaceChildren(...axes.map((axis, place) => new Option(axis.name, String(place))));
      select.value = String(shown[i]);
    }
    part(this.root, "found").textContent = found;
    makeFilters(part(this.root, "fields"), this.study);
    const table = /** @type {HTMLTableElement} */ (part(this.root, "table"));
    table.tHead?.rows[0]?.replaceChildren(...this.columns.map(headOf));
    sortable(table, (column, order) => {
      this.order = { column, sign: order === "ascending" ? 1 : -1 };
      this.draw();
    });
  }

  /**
   * Take in the trials that are over by now.
   * @param {Study | null} study
   */
  take(study) {
    if (!study) return;
    const index = this.chosen ? this.points.indexOf(this.chosen) : -1;
    this.study = study;
    this.points = pointsOf(study);
    this.columns = columnsOf(study);
    part(this.root, "found").textContent = study.found;
    this.chosen = this.points[index] ?? null;
    this.draw();
    this.adoptSlices();
  }

  draw() {
    this.listed = pointsWanted(this.filters, this.points);
    const { key } = /** @type {PointColumn} */ (this.columns[this.order.column]);
    this.listed.sort((one, other) => this.order.sign * compared(key(one), key(other)));
    const seen = new Set();
    this.firsts = this.listed.filter(({ trial }) => !seen.has(trial) && seen.add(trial));
    const [across = 0, upwards = 0] = [...new FormData(this.axes).values()].map(Number);
    this.chart.show(this.study, this.listed, across, upwards, this.chosen);
    const all = this.points.length.toLocaleString("en");
    part(this.root, "count").textContent =
      `${this.listed.length.toLocaleString("en")} of ${all} points, of ${this.firsts.length.toLocaleString("en")} trials`;
    this.drawRows();
  }

  drawRows() {
    const shown = this.firsts.slice(0, this.rows);
    part(this.root, "rows").replaceChildren(...shown.map((point) => this.row(point)));
    part(this.root, "more").hidden = shown.length === this.firsts.length;
  }

  /**
   * @param {PlayedPoint} point
   * @returns {HTMLTableRowElement}
   */
  row(point) {
    const row = document.createElement("tr");
    if (point.trial === this.chosen?.trial) row.setAttribute("aria-current", "true");
    const cells = this.columns.map(({ text, key }, i) => {
      const cell = document.createElement(i ? "td" : "th");
      cell.className = typeof key(point) === "number" ? "number" : "text short";
      if (i) {
        cell.textContent = text(point);
      } else {
        cell.scope = "row";
        cell.append(this.button(point, text(point)));
      }
      return cell;
    });
    row.append(...cells);
    return row;
  }

  /**
   * @param {PlayedPoint} point
   * @param {string} text
   * @returns {HTMLButtonElement}
   */
  button(point, text) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.dataset.point = String(this.points.indexOf(point));
    button.textContent = text;
    button.ariaLabel = `Trial ${text}`;
    return button;
  }

  /**
   * Say which point a reader has chosen, and where its games are.
   * @param {PlayedPoint} point
   */
  choose(point) {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.point : undefined;
    this.chosen = point;
    this.draw();
    part(this.root, "point").textContent = pointText(this.study, point);
    part(this.root, "games").replaceChildren(...gamesOf(point));
    if (focused !== undefined) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-point="${focused}"]`))?.focus();
    }
  }
}

/**
 * A point, and the one that it met, if there is one.
 * @param {Study} study
 * @param {PlayedPoint} point
 * @returns {PlayedPoint[]}
 */
function withOther(study, point) {
  const all = pointsOf({ ...study, trials: [point.trial] });
  return [point, ...all.filter(({ name }) => name !== point.name)];
}

/**
 * The columns of the table: what is known of a point's trial, then its weights and those of the point that it met.
 * @param {Study} study
 * @returns {PointColumn[]}
 */
function columnsOf(study) {
  const { axes } = study;
  const found = axes.map((axis, i) => ({
    title: axis.name,
    text: (/** @type {PlayedPoint} */ point) =>
      (i < WEIGHTS ? [point] : withOther(study, point)).map((each) => pointValueText(study, each, i)).join(" : "),
    key: (/** @type {PlayedPoint} */ point) => (axis.choice ? valueText(axis, valueOf(point, i)) : valueOf(point, i)),
  }));
  const named = (/** @type {string} */ title, /** @type {(point: PlayedPoint) => string} */ text) => ({ title, text, key: text });
  const games = {
    title: "games",
    text: (/** @type {PlayedPoint} */ point) => `${point.trial.games}${faultsText(point.trial)}`,
    key: (/** @type {PlayedPoint} */ point) => point.trial.games,
  };
  found.splice(WEIGHTS, 0, games, named("state", (point) => point.trial.state));
  return found;
}

/**
 * @param {PointColumn} column
 * @returns {HTMLTableCellElement}
 */
function headOf({ title }) {
  const head = document.createElement("th");
  head.scope = "col";
  head.dataset.sort = "number";
  head.textContent = title;
  return head;
}

/**
 * The games of a point's trial: links to them where the page has a viewer, else their numbers.
 * @param {PlayedPoint} point
 * @returns {(Node | string)[]}
 */
function gamesOf({ trial }) {
  const rows = gameRows(trial);
  if (!document.getElementById("viewer")) {
    const texts = rows.map(([first, last]) => (first === last ? String(first) : `${first} to ${last}`));
    return [`Its games: ${texts.join(", ")} of the study. arena serve shows them.`];
  }
  const numbers = rows.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  const links = numbers.slice(0, MOST_LINKS).flatMap((number) => {
    const link = document.createElement("a");
    link.href = `#game=${number}`;
    link.textContent = String(number);
    return [" ", link];
  });
  const more = numbers.length > MOST_LINKS ? ` and ${numbers.length - MOST_LINKS} more` : "";
  return ["Its games:", ...links, more];
}
