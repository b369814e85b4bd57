// The board to think with: a position, its variations, and an engine that thinks while one looks.

import { LineTable } from "./analysis_lines.js";
import { MoveList } from "./analysis_moves.js";
import { doingText, endText, turnText } from "./analysis_words.js";
import { Tree } from "./analysis_tree.js";
import { Thoughts } from "./analysis_thoughts.js";
import { SetUp } from "./analysis_set_up.js";
import { drawBoard } from "./board.js";
import { chooseNotation, withPoints } from "./coordinates.js";
import { movesText, offsetText, posText } from "./copies.js";
import { enable, part } from "./list.js";
import { Cells } from "./play_board.js";
import { analysisAddress, scalesIn, startText } from "./play_link.js";
import { ask, isAway } from "./play_server.js";
import { enginesFor, fillSelect } from "./play_setup.js";
import { cellsAfter, lastCell, moveText, mover } from "./position.js";
import { chooseUnits, scaleBy } from "./score.js";
import { sgfOfTree } from "./sgf.js";
import { sideName, stone } from "./stones.js";

/** @typedef {import("./analysis_thoughts.js").Position} Position */
/** @typedef {import("./analysis_thoughts.js").State} State */
/** @typedef {import("./analysis_tree.js").Node} Node */
/** @typedef {import("./position.js").Board} Board */

/** @type {Record<string, (board: Board, moves: number[]) => string>} */
const TEXTS = { moves: movesText, pos: posText, offset: offsetText };
const KEY_ACTS = new Map([["ArrowLeft", "back"], ["ArrowRight", "on"], ["Home", "first"], ["End", "last"]]);
const LINES = ["1", "2", "3", "4", "5"];
const USUAL_LINES = "3";
const ASK_AGAIN = 1000;

class Analysis {
  /**
   * @param {HTMLElement} root
   * @param {import("./play_setup.js").Offer} offer
   */
  constructor(root, offer) {
    this.root = root;
    this.offer = offer;
    this.tree = new Tree();
    /** @type {WeakMap<Node, Position>} what the server has said of a position */
    this.known = new WeakMap();
    /** @type {Board | null} that of the last position that the server has told */
    this.board = null;
    /** @type {Tree | null} the moves before others were set up */
    this.before = null;
    /** @type {State | null} */
    this.state = null;
    /** @type {Map<string, number>} K of engines by their names, as the games of a run tell it */
    this.scales = new Map();
    this.isThinking = false;
    /** What the server has refused of the last wish. */
    this.refused = "";
    this.thoughts = new Thoughts(() => this.wish(), (answer) => this.take(answer), (state) => this.hear(state));
    this.cells = new Cells(part(root, "cells"), (cell) => this.click(cell));
    this.moves = new MoveList(part(root, "moves"), (node) => this.go(node));
    this.lines = new LineTable(
      /** @type {HTMLTableSectionElement} */ (part(root, "lines")),
      (moves) => this.playLine(moves),
      () => this.drawBoard(),
    );
    this.setUp = new SetUp(root, offer, (moves) => this.begin(moves));
    fillSelect(this.select("count"), LINES, USUAL_LINES);
    this.listen();
    chooseNotation(root, () => this.draw());
    chooseUnits(root, () => this.draw());
    this.follow();
    root.hidden = false;
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-act]");
      if (button instanceof HTMLElement) this.act(String(button.dataset.act));
    });
    // A click by mouse leaves the keys to the moves; the board has them for who went there by Tab.
    this.cells.place.addEventListener("click", (event) => {
      if (event.detail && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    document.addEventListener("keydown", (event) => this.press(event));
    for (const name of ["engine", "count"]) this.select(name).addEventListener("change", () => this.look());
    part(this.root, "numbers").addEventListener("change", () => this.drawBoard());
    part(this.root, "modes").addEventListener("change", () => this.look());
    window.addEventListener("popstate", () => this.follow());
  }

  /** Go to the position that the address names, with the variations that were kept with it. */
  follow() {
    const named = new URLSearchParams(location.hash.slice(1));
    const moves = (named.get("moves") ?? "").split(".").filter((each) => /^\d+$/.test(each)).map(Number);
    const ply = Number(named.get("ply") ?? NaN);
    this.scales = scalesIn(named);
    this.setUp.fill(named);
    this.fillEngines(named.get("engine"));
    if (LINES.includes(named.get("lines") ?? "")) this.select("count").value = String(named.get("lines"));
    this.isThinking = named.has("engine") && this.select("engine").value !== "";
    const kept = history.state?.tree;
    this.tree = kept ? Tree.of(kept, moves) : new Tree(moves);
    if (ply >= 0) this.tree.at = this.tree.path()[ply - 1] ?? (ply ? this.tree.at : this.tree.root);
    this.before = this.board = null;
    this.look();
  }

  /** @param {string | null} wanted */
  fillEngines(wanted) {
    const engines = enginesFor(this.offer, this.setUp.game().name, this.setUp.rule());
    const select = this.select("engine");
    const before = wanted ?? select.selectedOptions[0]?.text;
    select.replaceChildren(...engines.map(({ value, text }) => new Option(text, value)));
    const chosen = engines.find((each) => each.text === before) ?? engines.find((each) => each.preferred);
    if (chosen) select.value = chosen.value;
    if (!engines.length) this.isThinking = false;
  }

  /**
   * Begin with other moves, of the game that is chosen by now; the way back leads to those before.
   * @param {number[]} moves
   */
  begin(moves) {
    history.pushState(null, "", location.href);
    this.fillEngines(null);
    this.before = this.tree;
    this.tree = new Tree(moves);
    this.board = null;
    this.look();
  }

  /** @param {Node} node */
  go(node) {
    this.tree.at = node;
    this.look();
  }

  /** Show the position where one looks, and have the engine think of it. */
  look() {
    this.state = null;
    this.setUp.stones = null;
    this.refused = "";
    this.say("failure", "");
    this.say("said", "");
    this.draw();
    this.thoughts.look();
  }

  /**
   * Keep the position in the address, and the variations with it.
   * @param {Board} board
   */
  remember(board) {
    const { tree } = this;
    const moves = tree.path(tree.end()).map((node) => node.move);
    const words = new URLSearchParams({ lines: this.select("count").value });
    if (this.isThinking) words.set("engine", this.select("engine").selectedOptions[0]?.text ?? "");
    const address = `${analysisAddress(board, moves, tree.moves().length, this.scales)}&${words}`;
    history.replaceState({ tree: tree.nested() }, "", address);
  }

  /**
   * What the server should do.
   * @returns {object}
   */
  wish() {
    const number = this.isThinking ? Number(this.select("engine").value) : null;
    const position = { moves: this.tree.moves(), lines: this.select("count").selectedIndex };
    return { ...this.setUp.choice(), ...position, engine: number };
  }

  /**
   * Take what the server says of the position.
   * @param {{position?: Position, state?: State, refused?: string}} answer
   */
  take({ position, state, refused }) {
    if (refused) this.refuse(withPoints(this.setUp.size, refused));
    if (!position || !state) return;
    this.known.set(this.tree.at, position);
    this.board = position.board;
    this.before = null;
    this.setUp.suit(position.board);
    this.hear(state);
    this.remember(position.board);
  }

  /**
   * Go on without what the server has refused: the engine's thoughts, else the moves.
   * @param {string} words
   */
  refuse(words) {
    if (this.isThinking) {
      this.isThinking = false;
    } else if (this.tree.at.parent) {
      this.tree = this.before ?? new Tree();
    } else {
      this.say("failure", words);
      return;
    }
    this.look();
    this.refused = words;
  }

  /** @param {State} state */
  hear(state) {
    this.state = state;
    this.say("failure", state.trouble || this.refused);
    this.draw();
  }

  /**
   * A point was clicked: a move, or a stone to put or to take.
   * @param {number} move
   */
  click(move) {
    const position = this.position();
    if (this.setUp.stone() !== null) {
      const words = this.setUp.put(move, this.tree.moves());
      if (!words) return;
      this.thoughts.rest();
      this.say("said", words);
      this.drawBoard();
    } else if (position?.legal.includes(move)) {
      this.tree.play(move);
      this.look();
    } else if (position) {
      this.say("said", position.outcome ? "The game is over here." : `${moveText(position.board, move)} cannot be played.`);
    }
  }

  /** @param {number[]} moves */
  playLine(moves) {
    for (const move of moves) this.tree.play(move);
    this.look();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const act = KEY_ACTS.get(event.key);
    const isElse = /** @type {Element} */ (event.target).closest?.("input, select, textarea, .cells");
    if (!act || isElse || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.act(act);
  }

  /** @param {string} act */
  act(act) {
    const { tree } = this;
    this.say("said", "");
    /** @type {Record<string, () => unknown>} */
    const acts = {
      first: () => this.go(tree.root),
      back: () => tree.at.parent && this.go(tree.at.parent),
      on: () => tree.at.children[0] && this.go(tree.at.children[0]),
      last: () => this.go(tree.end()),
      think: () => this.toggle(),
      remove: () => (tree.remove(), this.look()),
      empty: () => this.begin([]),
      sgf: () => this.board && this.copy(sgfOfTree(this.board, tree.root), "The moves were copied, with all variations."),
      link: () => this.copy(location.href, "The link was copied."),
      copy: () => this.copyPosition(),
    };
    acts[act]?.();
  }

  copyPosition() {
    const text = this.board && TEXTS[this.setUp.form()]?.(this.board, this.tree.moves());
    if (text) this.copy(text, "The position was copied.");
    else this.say("said", "The empty board has nothing to copy.");
  }

  toggle() {
    this.isThinking = !this.isThinking && this.select("engine").value !== "";
    this.look();
  }

  /**
   * @param {string} text
   * @param {string} done
   */
  async copy(text, done) {
    try {
      await navigator.clipboard.writeText(text);
      this.say("said", done);
    } catch {
      window.prompt("Copy this:", text);
    }
  }

  /**
   * What is known of the position where one looks.
   * @returns {Position | undefined}
   */
  position() {
    return this.known.get(this.tree.at);
  }

  /**
   * The stones where one looks; null where they are not known yet.
   * @returns {number[] | null}
   */
  stones() {
    const { board } = this;
    const position = this.position();
    if (!board || !(position || board.kind === "place")) return null;
    if (position && !this.setUp.stones) return cellsAfter(board, position.game, position.game.m.length);
    const cells = new Array(board.size ** 2).fill(0);
    const placed = this.setUp.stones;
    if (placed) placed.forEach((side, i) => side.forEach((cell) => (cells[cell] = i + 1)));
    else this.tree.moves().forEach((cell, ply) => (cells[cell] = mover(ply)));
    return cells;
  }

  draw() {
    const { board, tree, state } = this;
    if (!board) return;
    const position = this.position();
    const turn = mover(tree.moves().length);
    const side = sideName(board, turn);
    const plies = tree.moves().length;
    const stand = position?.outcome ? [endText(position)] : [stone(turn), turnText(side, plies)];
    part(this.root, "stand").replaceChildren(...stand);
    const name = this.select("engine").selectedOptions[0]?.text;
    const k = this.scales.get(name ?? "");
    const scale = scaleBy(k);
    part(this.root, "units-choice").hidden = k === undefined;
    this.say("score-title", `${"k" in scale ? "Win probability" : "Score"} for ${side}`);
    this.say("doing", doingText(name, this.isThinking, state));
    this.lines.show(board, state?.lines ?? [], scale);
    this.moves.draw(board, tree);
    this.drawBoard();
    for (const act of ["first", "back", "remove"]) enable(this.root, act, plies > 0);
    for (const act of ["on", "last"]) enable(this.root, act, tree.at.children.length > 0);
    const think = part(this.root, "think");
    think.textContent = this.isThinking ? "Stop" : "Think";
    think.setAttribute("aria-pressed", String(this.isThinking));
    part(this.root, "sgf").hidden = board.kind !== "place";
    const link = /** @type {HTMLAnchorElement} */ (part(this.root, "play-on"));
    link.href = `/play#${startText(board, tree.moves())}`;
  }

  drawBoard() {
    const { board, tree } = this;
    const cells = this.stones();
    if (!board || !cells) return;
    const position = this.position();
    const moves = tree.moves();
    const picture = {
      size: board.size,
      cells,
      last: tree.at.parent && cells[lastCell(board, tree.at.move)] ? lastCell(board, tree.at.move) : null,
      line: position?.game.line,
      numbers: this.isNumbered() && board.kind === "place" ? new Map(moves.map((cell, i) => [cell, i + 1])) : undefined,
      ...this.marks(board, moves.length),
    };
    const place = part(this.root, "board");
    drawBoard(place, picture, `The board after ${moves.length} plies`);
    place.firstElementChild?.setAttribute("aria-hidden", "true");
    const isPut = this.setUp.stone() !== null;
    const legal = isPut ? cells.map((_, cell) => cell) : (position?.legal ?? []);
    const forbidden = isPut ? [] : (position?.forbidden ?? []);
    this.cells.show({ board, cells, moves: legal, forbidden, hint: null });
    this.cells.place.dataset.plies = String(moves.length);
  }

  /**
   * The marks of the lines' first moves, or of the line that is pointed at: numbered stones, or
   * arrows where pieces move.
   * @param {Board} board
   * @param {number} ply
   * @returns {Partial<import("./board.js").Picture>}
   */
  marks(board, ply) {
    const lines = this.state?.lines ?? [];
    const pointed = this.lines.pointed === null ? undefined : lines[this.lines.pointed];
    const moves = pointed ? pointed.moves : lines.flatMap((line) => line.moves.slice(0, 1));
    if (board.kind === "place") {
      return { expected: moves.map((cell, i) => ({ cell, player: mover(pointed ? ply + i : ply) })) };
    }
    const area = board.size ** 2;
    return { arrows: moves.map((move) => ({ from: Math.floor(move / area), to: move % area })) };
  }

  /** @returns {boolean} */
  isNumbered() {
    return /** @type {HTMLInputElement} */ (part(this.root, "numbers")).checked;
  }

  /**
   * @param {string} name
   * @returns {HTMLSelectElement}
   */
  select(name) {
    return /** @type {HTMLSelectElement} */ (part(this.root, name));
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  say(name, text) {
    const place = part(this.root, name);
    if (place.textContent !== text) place.textContent = text;
  }
}

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("analysis"));
  const reply = await ask("/play/offer");
  if (reply.status === 200) new Analysis(root, reply.data);
  else if (isAway(reply)) setTimeout(start, ASK_AGAIN);
}

start();
