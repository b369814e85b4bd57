// The form that tells how long a test of two players would take: arena/stats/forecast.py, and short_tests.py, in short.

/** @typedef {{elo0: number, elo1: number, alpha: number, beta: number, workers: number}} Wanted */

/** Standard deviations of a step by which the LLR passes a bound: `EXCESS` of logistic Elo. */
const EXCESS = 0.3;
const LEAST_LEAN = 1e-6;
const MOST_LEAN = 60;
/** The count of a result that never came: `EMPTY_COUNT`. */
const EMPTY = 0.001;
const HALVINGS = 100;
/** As in arena/stats/forecast.py and arena/stats/short_tests.py. */
const FEW_OTHERS = 100;
const TESTS = 2000;
const STRIDES = 32;
const CLOSE = 1e-5;
/** Pairs of a test of the form, which ends in time: more than there can be. */
const MOST_PAIRS = 1e7;

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
export function expected(shares, wanted, elo) {
  const all = shares.reduce((sum, each) => sum + (each || EMPTY), 0);
  const filled = shares.map((each) => (each || EMPTY) / all);
  const midway = tilted(filled, (wanted.elo0 + wanted.elo1) / 2);
  const pairs = tilted(filled, elo);
  const others = 1 - Math.max(...midway);
  return passage(midway, wanted).pairs * others < FEW_OTHERS ? simulated(pairs, wanted) : passage(pairs, wanted);
}

/**
 * The same of tests whose LLR is nearly a Brownian motion: `Passage`.
 * @param {number[]} pairs shares of pairs
 * @param {Wanted} wanted
 */
function passage(pairs, { elo0, elo1, alpha, beta }) {
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
 * The same of short tests, by playing them: arena/stats/short_tests.py, with the same random numbers.
 * @param {number[]} pairs shares of pairs
 * @param {Wanted} wanted
 */
function simulated(pairs, { elo0, elo1, alpha, beta }) {
  const share = Math.max(...pairs);
  const common = pairs.indexOf(share);
  let sum = 0;
  const edges = pairs.map((each, kind) => (sum += kind === common ? 0 : each)).map((edge) => edge / sum);
  const scores = [expectedScore(elo0), expectedScore(elo1)];
  const lower = Math.log(beta / (1 - alpha));
  const upper = Math.log((1 - beta) / alpha);
  let [total, accepted] = [0, 0];
  for (let test = 0; test < TESTS; test++) {
    const next = randomNumbers(Math.imul(test, 0x9e3779b9));
    const runLength = () => Math.floor(Math.min(Math.log(next()) / Math.log(share), MOST_PAIRS));
    const counts = pairs.map(() => 0);
    let [played, last, run] = [0, 0, runLength()];
    while (played < MOST_PAIRS) {
      let step = Math.min(run, Math.max(1, Math.floor(played / STRIDES)), MOST_PAIRS - played);
      let kind = common;
      if (step > 0) run -= step;
      else {
        const number = next();
        kind = edges.findIndex((edge) => edge > number);
        [run, step] = [runLength(), 1];
      }
      counts[kind] = (counts[kind] ?? 0) + step;
      const llr = loss(counts, scores[0] ?? 0) - loss(counts, scores[1] ?? 0);
      const bound = llr >= upper ? upper : lower;
      if (llr >= upper || llr <= lower) {
        total += played + Math.max(1, Math.ceil((step * (bound - last)) / (llr - last)));
        accepted += bound === upper ? 1 : 0;
        break;
      }
      [played, last] = [played + step, llr];
    }
  }
  return { pairs: total / TESTS, h1: accepted / TESTS };
}

/**
 * Random numbers between 0 and 1 (mulberry32).
 * @param {number} word
 */
function randomNumbers(word) {
  return () => {
    word = (word + 0x6d2b79f5) | 0;
    let mixed = Math.imul(word ^ (word >>> 15), word | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/**
 * By how much the counts of pairs are less likely if players have this expected score.
 * @param {number[]} counts
 * @param {number} score
 */
function loss(counts, score) {
  // Loops over numbers: a page does this a million times when somebody types.
  const best = counts.length - 1;
  let surplus = 0;
  for (let i = 0; i <= best; i++) surplus += (counts[i] || EMPTY) * (i / best - score);
  const pole = surplus > 0 ? -score : 1 - score;
  let near = 0;
  let far = 1;
  let y = 1;
  for (let turn = 0; turn < HALVINGS; turn++) {
    let total = 0;
    let slope = 0;
    for (let i = 0; i <= best; i++) {
      const ratio = (i / best - score) / pole;
      const term = ratio / (1 + (y - 1) * ratio);
      const weighted = (counts[i] || EMPTY) * term;
      total += weighted;
      slope += weighted * term;
    }
    if (total > 0) near = y;
    else far = y;
    const step = y - (y * total) / (total - y * slope);
    const isClose = Math.abs(step - y) <= CLOSE * y;
    y = isClose || (near < step && step < far) ? step : (near + far) / 2;
    if (isClose) break;
  }
  let found = 0;
  for (let i = 0; i <= best; i++) found += (counts[i] || EMPTY) * Math.log(1 + ((y - 1) * (i / best - score)) / pole);
  return found;
}

/** @param {number} elo */
function expectedScore(elo) {
  return 1 / (1 + 10 ** (-elo / 400));
}

/**
 * The likeliest shares, given these, of players that differ by an Elo: p / (1 + x v).
 * @param {number[]} shares
 * @param {number} elo
 */
function tilted(shares, elo) {
  const score = expectedScore(elo);
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
