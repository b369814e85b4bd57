import { drawBoard } from "./board.js";
import { chooseNotation, pointName, withPoints } from "./coordinates.js";
import { drawGraph, markPly } from "./graph.js";
import { enable, part } from "./list.js";
import { Cells } from "./play_board.js";
import { answerButtons, openingText } from "./play_opening.js";
import { drawEvaluation, evaluationText } from "./play_evaluation.js";
import { analysisAddress, startText } from "./play_link.js";
import { ask, isAway, tellTrouble } from "./play_server.js";
import { clockText, forbiddenText, gameOf, keptText, standText } from "./play_words.js";
import { boardOf, cellsAfter, lastCell, moveAt, mover, playersOf } from "./position.js";
import { pairing, stone } from "./stones.js";
import { plyText, tellPly } from "./words.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./play_opening.js").Answer} Answer */

/**
 * @typedef {{
 *   version: string, turn: number, persons: number[], data: Data, moves: number[],
 *   phase: "prepares" | "yours" | "thinks" | "advises" | "over" | "left" | "asleep" | "failed",
 *   forbidden: [number, string, string][], clocks: (number | null)[], said: string,
 *   opens: boolean, answers: Answer[], made: string, hint: number | null, help: string, kept: {run?: string, number?: number, address?: string}
 * }} State as the server tells it
 */

const ENDED = ["over", "left", "failed"];
const SOON = 250;
const LATER = 2500;
const TRY_AGAIN = 1000;
const REALLY = { resign: "Resign this game?", leave: "Leave this game? Nothing of it is kept." };

/**
 * One game in play: it is asked for as long as the page is looked at.
 */
export class Table {
  /**
   * @param {HTMLElement} root
   * @param {() => void} gone called when there is no such game any more
   */
  constructor(root, gone) {
    this.root = root;
    this.gone = gone;
    this.id = "";
    /** @type {State | null} */
    this.state = null;
    /** @type {number | null} the ply that is looked at; null for the present */
    this.back = null;
    this.isBusy = false;
    this.timer = 0;
    /** @type {number[]} the stones that are laid in the opening, before they are sent */
    this.laid = [];
    /** The number of the answer in the opening whose stones they are to be. */
    this.chosen = 0;
    this.cells = new Cells(part(root, "cells"), (move) => this.play(move));
    this.listen();
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-act]");
      if (button instanceof HTMLElement) this.press(String(button.dataset.act), Number(button.dataset.answer));
    });
    for (const name of ["numbers", "forbidden", "evaluation"]) {
      const box = /** @type {HTMLInputElement} */ (part(this.root, name));
      const kept = localStorage.getItem(`play-${name}`);
      if (kept) box.checked = kept === "yes";
      box.addEventListener("change", () => {
        localStorage.setItem(`play-${name}`, box.checked ? "yes" : "no");
        this.draw();
      });
    }
    chooseNotation(this.root, () => this.draw());
    document.addEventListener("visibilitychange", () => this.look());
    window.addEventListener("online", () => this.look());
  }

  /**
   * Show a game; none for an empty id.
   * @param {string} id
   */
  open(id) {
    this.id = id;
    this.state = null;
    this.back = null;
    this.laid = [];
    this.chosen = 0;
    this.root.hidden = true;
    this.look();
  }

  /** Ask how the game stands, now and again. */
  async look() {
    clearTimeout(this.timer);
    if (!this.id || document.hidden) return;
    const id = this.id;
    const since = this.state ? `?since=${this.state.version}` : "";
    const reply = await ask(`/play/games/${id}${since}`);
    if (id !== this.id) return;
    if (reply.status === 200) this.take(reply.data);
    else if (isAway(reply)) this.wait(TRY_AGAIN);
    else if (reply.status === 204) this.wait(this.pause());
    else this.lose(reply.data?.error ?? "This game cannot be shown.");
  }

  /**
   * @param {number} milliseconds
   */
  wait(milliseconds) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.look(), milliseconds);
  }

  /** @returns {number} */
  pause() {
    return this.state?.phase === "yours" ? LATER : SOON;
  }

  /**
   * Show a state, and ask for the next if there will be one.
   * @param {State} state
   */
  take(state) {
    if (state.version !== this.state?.version) {
      this.laid = [];
      this.chosen = 0;
    }
    this.state = state;
    this.draw();
    this.root.hidden = false;
    clearTimeout(this.timer);
    if (!ENDED.includes(state.phase)) this.wait(this.pause());
  }

  /** @param {string} why */
  lose(why) {
    this.id = "";
    this.root.hidden = true;
    this.gone();
    tellTrouble(why);
  }

  /**
   * Play a move, or lay a stone of the opening; the stones are sent once there are enough.
   * @param {number} move
   */
  play(move) {
    const { state } = this;
    if (!state?.opens) {
      this.act("move", move);
      return;
    }
    if (this.laid.includes(move) || !state.moves.includes(move)) return;
    this.laid.push(move);
    if (this.laid.length === state.answers[this.chosen]?.stones) this.act("open", undefined, this.laid);
    else this.draw();
  }

  /**
   * Answer in the opening without a stone, or begin to lay the stones of an answer.
   * @param {number} number
   */
  choose(number) {
    if (!this.state?.answers[number]?.stones) {
      this.act("open", undefined, []);
      return;
    }
    this.chosen = number;
    this.laid = [];
    this.draw();
  }

  /**
   * @param {string} act
   * @param {number} answer
   */
  press(act, answer) {
    const { state } = this;
    if (!state) return;
    const plies = gameOf(state).m.length;
    const at = this.back ?? plies;
    if (act === "first") this.step(0);
    else if (act === "back") this.step(at - 1);
    else if (act === "on") this.step(at + 1);
    else if (act === "last") this.step(plies);
    else if (act === "again") location.hash = this.startHere();
    else if (act === "new") location.hash = "";
    else if (act === "undo" || act === "hint") this.act(act);
    else if (act === "answer") this.choose(answer);
    else if (act === "clear") this.choose(this.chosen);
    else if (act === "resign" || act === "leave") {
      if (window.confirm(REALLY[act])) this.act(act);
    }
  }

  /**
   * Look at an earlier position; the last one is the present, which goes on.
   * @param {number} ply
   */
  step(ply) {
    const plies = this.state ? gameOf(this.state).m.length : 0;
    this.back = ply >= plies ? null : Math.max(0, ply);
    this.draw();
  }

  /** @returns {string} */
  startHere() {
    const { state } = this;
    if (!state) return "";
    const game = gameOf(state);
    return startText(boardOf(state.data, game), game.m.slice(0, this.back ?? game.m.length));
  }

  /**
   * Do something, once.
   * @param {string} act
   * @param {number} [move]
   * @param {number[]} [stones]
   */
  async act(act, move, stones) {
    const { state } = this;
    if (this.isBusy || !state || !this.mayDo(act)) return;
    this.isBusy = true;
    clearTimeout(this.timer);
    const ply = gameOf(state).m.length;
    const id = this.id;
    const reply = await ask(`/play/games/${id}`, { act, move, stones, ply: act === "leave" ? undefined : ply });
    this.isBusy = false;
    if (id !== this.id) return;
    if (reply.data?.left) {
      location.hash = "";
    } else if (reply.status === 200) {
      this.take(reply.data.state);
      if (reply.data.refused) this.tell(reply.data.refused);
    } else if (reply.data?.error && !isAway(reply)) {
      this.lose(reply.data.error);
    } else {
      this.wait(TRY_AGAIN);
    }
  }

  /**
   * @param {string} act
   * @returns {boolean}
   */
  mayDo(act) {
    const { state } = this;
    if (!state || ENDED.includes(state.phase)) return false;
    if (act === "leave") return true;
    const isOurs = state.persons.length > 0;
    const isTurn = state.phase === "yours" && this.back === null;
    if (act === "undo") return isOurs && gameOf(state).m.length > gameOf(state).o;
    if (act === "hint" && state.opens) return false;
    return act === "resign" ? isOurs : isTurn;
  }

  draw() {
    const { state } = this;
    if (!state) return;
    const game = gameOf(state);
    const ply = this.back ?? game.m.length;
    const names = playersOf(state.data, game);
    document.title = `${standText(state)} - gomoku-arena`;
    part(this.root, "title").replaceChildren(...pairing(names));
    const isBack = this.back !== null;
    const back = isBack ? `The position after ${ply} of ${game.m.length} plies. ` : "";
    const isTurn = ["yours", "thinks"].includes(state.phase);
    const stand = isTurn && state.opens ? openingText(state, this.chosen) : standText(state);
    this.say("stand", back + stand, isTurn ? state.turn : 0);
    this.tell(state.said);
    this.say("made", state.phase === "over" ? "" : state.made);
    this.say("clock", clockText(state));
    this.say("kept", keptText(state));
    const link = /** @type {HTMLAnchorElement} */ (part(this.root, "stored"));
    link.hidden = !state.kept.address;
    link.href = state.kept.address ?? "";
    this.say("help", state.help ? `Help taken: ${state.help}.` : "");
    if (ply > game.o) tellPly(part(this.root, "remark"), ply, plyText(state.data, game, ply));
    else this.say("remark", "");
    this.drawPosition(state, ply);
    this.drawScores(state, ply);
    this.drawButtons(state, ply);
  }

  /**
   * @param {State} state
   * @param {number} ply
   */
  drawPosition(state, ply) {
    const game = gameOf(state);
    const board = boardOf(state.data, game);
    const isNow = ply === game.m.length;
    const laid = isNow && this.back === null ? this.laid : [];
    const cells = cellsAfter(board, game, ply);
    for (const [i, cell] of laid.entries()) cells[cell] = mover(ply + i);
    const numbers = new Map(game.m.slice(0, ply).map((cell, i) => [cell, i + 1]));
    const picture = {
      size: board.size,
      cells,
      last: laid.at(-1) ?? (ply ? lastCell(board, moveAt(game, ply - 1)) : null),
      line: isNow ? game.line : undefined,
      numbers: this.wants("numbers") && board.kind === "place" ? numbers : undefined,
    };
    drawBoard(part(this.root, "board"), picture, `The board after ${ply} plies`);
    part(this.root, "board").firstElementChild?.setAttribute("aria-hidden", "true");
    const isOpen = isNow && state.phase === "yours" && this.back === null;
    const forbidden = isOpen && this.wants("forbidden") ? state.forbidden : [];
    const hint = isOpen ? state.hint : null;
    const moves = isOpen ? state.moves.filter((move) => !laid.includes(move)) : [];
    this.cells.show({ board, cells, moves, forbidden, hint });
    this.cells.place.dataset.plies = String(game.m.length);
    this.say("why", forbidden.length ? forbiddenText(state, (cell) => pointName(board.size, cell)) : "");
    part(this.root, "forbidden-choice").hidden = board.game !== "renju";
  }

  /**
   * @param {State} state
   * @param {number} ply
   */
  drawScores(state, ply) {
    const game = gameOf(state);
    const figure = part(this.root, "scores");
    figure.hidden = !this.wants("evaluation");
    if (figure.hidden) return;
    drawEvaluation(part(this.root, "bar"), state.data, game, ply);
    this.say("evaluated", evaluationText(state.data, game, ply));
    drawGraph(part(this.root, "graph-place"), state.data, game, (to) => this.step(to));
    markPly(part(this.root, "graph-place"), game, ply);
  }

  /**
   * @param {State} state
   * @param {number} ply
   */
  drawButtons(state, ply) {
    const plies = gameOf(state).m.length;
    for (const act of ["undo", "hint", "resign", "leave"]) enable(this.root, act, this.mayDo(act));
    for (const act of ["first", "back"]) enable(this.root, act, ply > 0);
    for (const act of ["on", "last"]) enable(this.root, act, ply < plies);
    const isAsked = state.opens && state.phase === "yours" && this.back === null;
    part(this.root, "opens").hidden = !isAsked;
    const answers = part(this.root, "answers");
    const isFocused = answers.contains(document.activeElement);
    answers.replaceChildren(...answerButtons(state, this.chosen));
    if (isFocused) answers.querySelector("button")?.focus();
    part(this.root, "clear").hidden = !this.laid.length;
    const isOurs = state.persons.length > 0;
    for (const act of ["undo", "hint", "resign"]) part(this.root, act).hidden = !isOurs;
    const link = /** @type {HTMLAnchorElement} */ (part(this.root, "analyse"));
    link.href = analysisAddress(boardOf(state.data, gameOf(state)), gameOf(state).m, ply, []);
    part(this.root, "leave").textContent = isOurs ? "Leave" : "Stop";
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {number} [seat] of which a stone stands before the text
   */
  say(name, text, seat) {
    const place = part(this.root, name);
    if (place.textContent !== text) place.replaceChildren(...(seat ? [stone(seat)] : []), text);
  }

  /**
   * Say what the server says, with the points of moves as the reader has them.
   * @param {string} words
   */
  tell(words) {
    const { state } = this;
    if (state) this.say("said", withPoints(boardOf(state.data, gameOf(state)).size, words));
  }

  /**
   * @param {string} option
   * @returns {boolean}
   */
  wants(option) {
    return /** @type {HTMLInputElement} */ (part(this.root, option)).checked;
  }
}
