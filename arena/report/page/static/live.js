import { drawBoard } from "./board.js";
import { chooseNotation } from "./coordinates.js";
import { drawGraph, markPly } from "./graph.js";
import { enable, part } from "./list.js";
import { boardOf, cellsAfter, lastCell, moveAt, mover, playersOf } from "./position.js";
import { chooseUnits } from "./score.js";
import { pairing } from "./stones.js";
import { plyText, tellPly } from "./words.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game & {slot: number, id: number, on: boolean}} LiveGame */

/**
 * The boards of a run, side by side: one for each worker.
 */
export class LiveBoards {
  /**
   * @param {HTMLElement} place
   * @param {HTMLTemplateElement} template
   */
  constructor(place, template) {
    this.place = place;
    this.template = template;
    /** @type {Map<number, LiveBoard>} */
    this.boards = new Map();
    chooseNotation(place, () => this.boards.forEach((board) => board.draw()));
    chooseUnits(place, () => this.boards.forEach((board) => board.redraw()));
  }

  /**
   * Show the games as they are; boards of workers that are gone go.
   * @param {Data} data
   */
  show(data) {
    const games = /** @type {LiveGame[]} */ (data.games);
    for (const game of games) this.board(game.slot).take(data, game);
    const slots = new Set(games.map((game) => game.slot));
    for (const [slot, board] of this.boards) {
      if (slots.has(slot)) continue;
      board.root.remove();
      this.boards.delete(slot);
    }
  }

  /**
   * @param {number} slot
   * @returns {LiveBoard}
   */
  board(slot) {
    const found = this.boards.get(slot);
    if (found) return found;
    const copy = /** @type {DocumentFragment} */ (this.template.content.cloneNode(true));
    const root = /** @type {HTMLElement} */ (copy.firstElementChild);
    const made = new LiveBoard(root, slot);
    const after = [...this.boards].filter(([other]) => other > slot).sort(([a], [b]) => a - b)[0];
    this.place.insertBefore(root, after?.[1].root ?? null);
    this.boards.set(slot, made);
    return made;
  }
}

/**
 * One board: it follows the game, unless somebody looks at earlier moves.
 */
class LiveBoard {
  /**
   * @param {HTMLElement} root
   * @param {number} slot
   */
  constructor(root, slot) {
    this.root = root;
    this.slot = slot;
    /** @type {Data | null} */
    this.data = null;
    /** @type {LiveGame | null} */
    this.game = null;
    /** @type {number | null} */
    this.held = null;
    root.setAttribute("aria-label", `Board ${slot + 1}`);
    root.addEventListener("click", (event) => this.click(event));
  }

  /**
   * @param {Data} data
   * @param {LiveGame} game
   */
  take(data, game) {
    const before = this.game;
    const isSame = before?.id === game.id && before.m.length === game.m.length && before.on === game.on;
    if (before?.id !== game.id) this.held = null;
    this.data = data;
    this.game = game;
    if (isSame) return;
    const [first, second] = playersOf(data, game);
    part(this.root, "title").replaceChildren(...pairing([first, second]));
    this.redraw();
  }

  /** Draw all, the graph too, which is another only after a move. */
  redraw() {
    const { data, game } = this;
    if (!data || !game) return;
    drawGraph(part(this.root, "graph"), data, game, (ply) => this.hold(ply));
    this.draw();
  }

  /** @param {Event} event */
  click(event) {
    const button = /** @type {Element} */ (event.target).closest("[data-act]");
    if (!(button instanceof HTMLElement) || !this.game) return;
    const last = this.game.m.length;
    const ply = this.held ?? last;
    /** @type {Record<string, number>} */
    const plies = { first: 0, back: ply - 1, on: ply + 1, newest: last };
    this.hold(plies[String(button.dataset.act)] ?? ply);
  }

  /**
   * Stay at a ply; at the newest one, go on with the game.
   * @param {number} ply
   */
  hold(ply) {
    const last = this.game?.m.length ?? 0;
    this.held = ply >= last ? null : Math.max(0, ply);
    this.draw();
  }

  draw() {
    const { data, game, root } = this;
    if (!data || !game) return;
    const last = game.m.length;
    const ply = Math.min(this.held ?? last, last);
    const board = boardOf(data, game);
    const picture = {
      size: board.size,
      cells: cellsAfter(board, game, ply),
      last: ply ? lastCell(board, moveAt(game, ply - 1)) : null,
    };
    const players = playersOf(data, game).join(" against ");
    drawBoard(part(root, "board"), picture, `${players}, after ${ply} plies`);
    markPly(part(root, "graph"), game, ply);
    const next = playersOf(data, game)[mover(last) - 1];
    const state = this.held === null ? (game.on ? `${next} is thinking` : "over") : `of ${last} plies`;
    tellPly(part(root, "remark"), ply, `${plyText(data, game, ply)} – ${state}`);
    for (const act of ["first", "back"]) enable(root, act, ply > 0);
    for (const act of ["on", "newest"]) enable(root, act, ply < last);
    root.classList.toggle("held", this.held !== null);
  }
}
