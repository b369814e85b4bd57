// The form that tells how long a test of two players would take: arena/stats/forecast.py in short.

/** @typedef {{elo0: number, elo1: number, alpha: number, beta: number, workers: number}} Wanted */

/** Standard deviations of a step by which the LLR passes a bound: `EXCESS` of logistic Elo. */
const EXCESS = 0.3;
const LEAST_LEAN = 1e-6;
const MOST_LEAN = 60;
/** The count of a result that never came: `EMPTY_COUNT`. */
const EMPTY = 0.001;
const HALVINGS = 100;

/**
 * Show the forms in an element, and answer what is typed into them.
 * @param {ParentNode} root
 * @param {string[]} [typed] what stood in their fields before the element was made anew
 */
export function startPlans(root, typed = []) {
  planFields(root).forEach((field, i) => (field.value = typed[i] ?? field.value));
  for (const form of root.querySelectorAll("form.plan")) {
    if (!(form instanceof HTMLFormElement)) continue;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => answer(form));
    answer(form);
  }
}

/**
 * The fields of all forms in an element.
 * @param {ParentNode} root
 * @returns {HTMLInputElement[]}
 */
export function planFields(root) {
  return [...root.querySelectorAll("form.plan input")].filter((each) => each instanceof HTMLInputElement);
}

/** @param {HTMLFormElement} form */
function answer(form) {
  const typed = new FormData(form);
  /** @param {string} name */
  const number = (name) => Number(String(typed.get(name)).trim() || NaN);
  const wanted = {
    elo0: number("elo0"), elo1: number("elo1"), alpha: number("alpha"), beta: number("beta"), workers: number("workers"),
  };
  const shares = String(form.dataset.shares).split(" ").map(Number);
  const told = form.querySelector("output");
  if (told) told.textContent = faultOf(wanted) || planText(shares, Number(form.dataset.seconds), wanted);
}

/**
 * What is wrong with what was typed; empty if nothing is.
 * @param {Wanted} wanted
 */
function faultOf({ elo0, elo1, alpha, beta, workers }) {
  if (!(Math.abs(elo0) <= 1000 && Math.abs(elo1) <= 1000)) return "elo0 and elo1 must be from -1000 to 1000.";
  if (!(elo0 < elo1)) return "elo0 must be less than elo1.";
  if (!(Math.min(alpha, beta) >= 1e-9 && Math.max(alpha, beta) <= 0.49)) return "alpha and beta must be from 1e-9 to 0.49.";
  return workers >= 1 ? "" : "workers must be 1 or more.";
}

/**
 * The length of a test, and its power, in words.
 * @param {number[]} shares pairs of 0 to 2 points
 * @param {number} seconds of a game
 * @param {Wanted} wanted
 */
function planText(shares, seconds, wanted) {
  const { elo0, elo1, workers } = wanted;
  const low = expected(shares, wanted, elo0);
  const middle = expected(shares, wanted, (elo0 + elo1) / 2);
  const high = expected(shares, wanted, elo1);
  const time = seconds ? `, ${durationText((2 * high.pairs * seconds) / workers)}` : "";
  return `About ${about(high.pairs)} pairs${time} if H1 is true, which is accepted in ${Math.round(100 * high.h1)} %; `
    + `about ${about(middle.pairs)} midway, and ${about(low.pairs)} if H0 is true.`;
}

/**
 * Expected pairs, and the chance of H1, if the players differ by an Elo.
 * @param {number[]} shares
 * @param {Wanted} wanted
 * @param {number} elo
 */
export function expected(shares, { elo0, elo1, alpha, beta }, elo) {
  const all = shares.reduce((sum, each) => sum + (each || EMPTY), 0);
  const pairs = tilted(shares.map((each) => (each || EMPTY) / all), elo);
  const one = tilted(pairs, elo0);
  const steps = tilted(pairs, elo1).map((share, i) => Math.log(share / (one[i] ?? share)));
  const drift = mean(pairs, steps);
  const lower = Math.log(beta / (1 - alpha));
  const upper = Math.log((1 - beta) / alpha);
  const least = (2 * Math.abs(drift) * (upper - lower)) / MOST_LEAN;
  const variance = Math.max(mean(pairs, steps.map((step) => (step - drift) ** 2)), least);
  const excess = EXCESS * Math.sqrt(variance);
  const down = excess - lower;
  const up = excess + upper;
  const lean = (2 * drift) / variance;
  if (Math.abs(lean) * (down + up) < LEAST_LEAN) return { pairs: (down * up) / variance, h1: down / (down + up) };
  const away = Math.expm1(lean * down);
  const h1 = away / (away - Math.expm1(-lean * up));
  return { pairs: Math.max((h1 * (down + up) - down) / drift, 1), h1 };
}

/**
 * The likeliest shares, given these, of players that differ by an Elo: p / (1 + x v).
 * @param {number[]} shares
 * @param {number} elo
 */
function tilted(shares, elo) {
  const score = 1 / (1 + 10 ** (-elo / 400));
  const leads = shares.map((_, i) => i / (shares.length - 1) - score);
  let [low, high] = [-1 / (1 - score), 1 / score];
  for (let i = 0; i < HALVINGS; i++) {
    const x = (low + high) / 2;
    const surplus = mean(shares, leads.map((lead) => lead / (1 + x * lead)));
    [low, high] = surplus > 0 ? [x, high] : [low, x];
  }
  return shares.map((share, i) => share / (1 + low * (leads[i] ?? 0)));
}

/**
 * @param {number[]} shares
 * @param {number[]} values
 */
function mean(shares, values) {
  return shares.reduce((sum, share, i) => sum + share * (values[i] ?? 0), 0);
}

/** @param {number} pairs */
function about(pairs) {
  return Number(pairs.toPrecision(pairs < 100 ? 3 : 2)).toLocaleString("en", { maximumFractionDigits: 0 });
}

/** @param {number} seconds */
function durationText(seconds) {
  /** @param {number} size */
  const digits = (size) => Number((seconds / size).toPrecision(2)).toLocaleString("en");
  if (seconds < 120) return `${digits(1)} s`;
  if (seconds < 7200) return `${digits(60)} min`;
  return seconds < 172800 ? `${digits(3600)} h` : `${digits(86400)} days`;
}
