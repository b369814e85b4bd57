import { asked } from "./poll.js";
import { ask, isAway } from "./play_server.js";

/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Game} Game */
/**
 * @typedef {{
 *   board: Board, game: Game, legal: number[],
 *   forbidden: [number, string, string][], outcome: {winner: number, reason: string} | null
 * }} Position as the server tells it, with the moves that led there
 * @typedef {{
 *   version: string, number: number, trouble: string, lines: import("./analysis_lines.js").Line[],
 *   phase: "prepares" | "thinks" | "done" | "rests" | "failed" | "ended"
 * }} State what the engine has found so far
 */

const AT_FIRST = 60;
const SOON = 200;
const FIRST_LOOKS = 10;
const TRY_AGAIN = 1000;
const AT_WORK = ["prepares", "thinks"];

/**
 * The thinking on the server: one position at a time, as long as the page is seen.
 */
export class Thoughts {
  /**
   * @param {() => object} wish what is to be looked at now
   * @param {(answer: {position?: Position, state?: State, refused?: string}) => void} taken
   * @param {(state: State) => void} heard
   */
  constructor(wish, taken, heard) {
    this.wish = wish;
    this.taken = taken;
    this.heard = heard;
    /** @type {string | null} */
    this.id = null;
    this.isAsking = false;
    this.isStale = false;
    this.looks = 0;
    this.version = "";
    this.timer = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.look()));
    window.addEventListener("pagehide", () => this.rest());
  }

  /** Have the server go to what is looked at now; of many wishes in a row, the last is enough. */
  async look() {
    clearTimeout(this.timer);
    if (this.isAsking || document.hidden) {
      this.isStale = true;
      return;
    }
    this.isAsking = true;
    this.isStale = false;
    const reply = await ask("/analysis/boards", { ...this.wish(), id: this.id });
    this.isAsking = false;
    if (reply.status === 200) this.id = reply.data.id;
    if (document.hidden) {
      this.rest();
    } else if (this.isStale) {
      this.look();
    } else if (isAway(reply)) {
      this.timer = window.setTimeout(() => this.look(), TRY_AGAIN);
    } else {
      this.looks = 0;
      // First, as some browsers note no more than so many addresses in some seconds, and throw.
      this.goOn(reply.data?.state);
      this.taken(reply.data);
    }
  }

  /** Stop thinking, at once. */
  rest() {
    clearTimeout(this.timer);
    if (!this.id) return;
    // `keepalive`: it is sent although the page is gone.
    const options = { method: "POST", body: "{}", keepalive: true };
    asked(`/analysis/boards/${this.id}/rest`, options).catch(() => {});
  }

  /** @param {State | undefined} state */
  goOn(state) {
    if (!state || this.isAsking) return;
    this.version = state.version;
    clearTimeout(this.timer);
    if (!AT_WORK.includes(state.phase)) return;
    this.looks += 1;
    this.timer = window.setTimeout(() => this.listen(), this.looks < FIRST_LOOKS ? AT_FIRST : SOON);
  }

  /** Ask what has been found. */
  async listen() {
    const { id, version } = this;
    const reply = await ask(`/analysis/boards/${id}?since=${version}`);
    if (this.isAsking || document.hidden || version !== this.version) return;
    if (isAway(reply)) this.timer = window.setTimeout(() => this.listen(), TRY_AGAIN);
    else if (reply.status === 204) this.timer = window.setTimeout(() => this.listen(), SOON);
    else if (reply.status !== 200 || reply.data.phase === "rests") this.look();
    else {
      this.heard(reply.data);
      this.goOn(reply.data);
    }
  }
}
