// A run that may be at play: its progress, its boards, its report, its games.

import { LiveBoards } from "./live.js";
import { startFolds } from "./folds.js";
import { part } from "./list.js";
import { analysisAddress, startText } from "./play_link.js";
import { asked, keepAsking } from "./poll.js";
import { boardOf } from "./position.js";
import { renew } from "./renew.js";
import { knownScales } from "./score.js";
import { startTables } from "./tables.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game & {op: string}} StoredGame */
/** @typedef {{text: string, basis: string, tone: string, next_step: string}} Verdict */
/**
 * @typedef {{state: "playing" | "stopping" | "still", games: number, total: number | null,
 *   left: string, share: number | null, mark: string, stamp: string, boards: Data | null, verdict: Verdict | null}} Pulse
 */

const AT_PLAY = 500;
const STILL = 2000;
const UNSEEN = 10_000;
const NAME = String(document.querySelector("h1")?.firstChild?.textContent).trim();
const STOPPING = "No further game is started; those in flight are played to their ends.";

/**
 * The page of a run, as long as it is open.
 */
class Watch {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.address = `/runs/${root.dataset.run}`;
    this.mark = String(root.dataset.mark);
    this.stamp = "";
    this.generation = "";
    this.taken = 0;
    this.isTaken = false;
    this.state = "";
    /** @type {Data} */
    this.data = { runs: [""], boards: [], players: [], games: [], left_out: 0, scales: [] };
    /** @type {Viewer | null} */
    this.viewer = null;
    const template = /** @type {HTMLTemplateElement} */ (document.getElementById("live-board"));
    this.boards = new LiveBoards(part(root, "boards"), template);
    this.report = /** @type {HTMLElement} */ (document.getElementById("report"));
    startTables(this.report);
    startFolds();
    part(root, "stop").addEventListener("click", () => this.stop());
    keepAsking(() => this.ask(), document.getElementById("trouble"), UNSEEN);
  }

  /**
   * Ask for what is new; while nobody sees the tab, for what its title says.
   * @returns {Promise<number>}
   */
  async ask() {
    if (document.hidden) {
      this.showPulse(await (await asked(`${this.address}/pulse?unseen=yes`)).json());
      return AT_PLAY;
    }
    const query = new URLSearchParams({ stamp: this.stamp });
    const pulse = /** @type {Pulse} */ (await (await asked(`${this.address}/pulse?${query}`)).json());
    this.showPulse(pulse);
    if (pulse.boards) this.boards.show(pulse.boards);
    this.stamp = pulse.stamp;
    if (pulse.mark !== this.mark) await this.takeReport();
    if (!this.isTaken) await this.takeGames();
    return pulse.state === "still" && this.isTaken ? STILL : AT_PLAY;
  }

  /** @param {Pulse} pulse */
  showPulse({ state, games, total, left, share, verdict }) {
    const isAtPlay = state !== "still";
    const of = total === null ? "" : ` of ${total.toLocaleString("en")}`;
    const bar = /** @type {HTMLProgressElement} */ (part(this.root, "bar"));
    bar.value = Math.min(share ?? 0, 1);
    bar.hidden = share === null;
    const time = left ? `, ${left}` : "";
    part(this.root, "pulse").textContent = `${games.toLocaleString("en")}${of} games${time}`;
    const played = isAtPlay ? `${games}${total === null ? "" : `/${total}`} ` : "";
    document.title = `${played}${verdict ? `${verdict.text} - ` : ""}${NAME} - gomoku-arena`;
    if (verdict) this.showVerdict(verdict, isAtPlay);
    /** @type {HTMLElement} */ (document.getElementById("live")).hidden = !isAtPlay;
    part(this.root, "stop").hidden = state !== "playing";
    // What was said to the button stays until the state is another.
    if (state !== this.state) this.sayOfStop(state === "stopping" ? STOPPING : "");
    this.state = state;
    if (!isAtPlay) this.boards.show({ runs: [], boards: [], players: [], games: [], left_out: 0, scales: [] });
  }

  /**
   * @param {Verdict} verdict
   * @param {boolean} isAtPlay
   */
  showVerdict({ text, basis, tone, next_step }, isAtPlay) {
    const place = part(this.root, "verdict");
    const strong = document.createElement("strong");
    strong.textContent = text;
    const told = document.createElement("p");
    told.append(strong, `${basis ? `: ${basis}` : ""}.`);
    const next = document.createElement("p");
    next.className = "next";
    // While it goes on, the buttons and the time left below tell what comes next.
    next.textContent = isAtPlay ? "" : next_step;
    if (place.textContent?.trim() === told.textContent + next.textContent) return;
    place.className = `verdict ${tone}`;
    place.replaceChildren(told, next);
  }

  async takeReport() {
    const answer = await asked(`${this.address}/report`);
    const html = await answer.text();
    renew(this.report, html);
    this.mark = answer.headers.get("x-mark") ?? "";
    this.isTaken = false;
  }

  /** Take the games that the page has not yet. */
  async takeGames() {
    const query = new URLSearchParams({ generation: this.generation, after: String(this.taken) });
    const answer = await (await asked(`${this.address}/games?${query}`)).json();
    const { data } = this;
    if (answer.is_new) {
      data.games = [];
      this.taken = 0;
    }
    this.generation = answer.generation;
    this.taken += answer.games.length;
    this.isTaken = this.taken >= answer.all;
    const { runs, boards, players, scales } = answer;
    const isRescaled = String(scales) !== String(data.scales);
    Object.assign(data, { runs, boards, players, scales });
    data.games.push(...answer.games);
    numberOpenings(data);
    part(this.root, "loading").textContent = this.isTaken ? "" : `${this.taken} of ${answer.all} games so far`;
    this.showGames();
    if (isRescaled) this.viewer?.redraw();
  }

  showGames() {
    const { data } = this;
    if (this.viewer) {
      this.viewer.list.grow();
    } else if (data.games.length) {
      const root = /** @type {HTMLElement} */ (document.getElementById("viewer"));
      root.addEventListener("shown", (event) => this.pointOn(/** @type {CustomEvent} */ (event).detail));
      this.viewer = new Viewer(root, data);
      if (!/game=|player=/.test(location.hash)) this.viewer.show(data.games[0], Infinity, false);
    }
    // A game that the address names may come with a later part.
    if (this.viewer && !this.viewer.game && (this.isTaken || this.viewer.named())) this.viewer.follow();
  }

  /**
   * Let the link to the board lead to the position that is shown.
   * @param {{ply: number}} shown
   */
  pointOn({ ply }) {
    const game = this.viewer?.game;
    if (!game) return;
    const place = /** @type {HTMLElement} */ (document.getElementById("play-on-place"));
    part(this.root, "game").append(place);
    const start = startText(boardOf(this.data, game), game.m.slice(0, ply));
    document.getElementById("play-on")?.setAttribute("href", `/play#${start}`);
    const analysis = analysisAddress(boardOf(this.data, game), game.m, ply, knownScales(this.data, game));
    document.getElementById("analyse")?.setAttribute("href", analysis);
    place.hidden = false;
  }

  async stop() {
    try {
      await asked(`${this.address}/stop`, { method: "POST" });
      this.sayOfStop(STOPPING);
    } catch (error) {
      this.sayOfStop(error instanceof Error ? error.message : String(error));
    }
  }

  /** @param {string} words */
  sayOfStop(words) {
    part(this.root, "stopped").textContent = words;
  }
}

/**
 * Sort the games as the schedule has them, and number their openings as the report does.
 * @param {Data} data
 */
function numberOpenings(data) {
  const games = /** @type {StoredGame[]} */ (data.games);
  games.sort((one, other) => one.n - other.n);
  /** @type {Map<string, number>} */
  const numbers = new Map();
  for (const game of games) {
    if (game.op && !numbers.has(game.op)) numbers.set(game.op, numbers.size + 1);
    game.oid = numbers.get(game.op) ?? 0;
  }
}

const run = document.getElementById("run");
if (run) new Watch(run);
