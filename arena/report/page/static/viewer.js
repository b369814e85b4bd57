import { drawBoard } from "./board.js";
import { chooseNotation } from "./coordinates.js";
import { CopyMenu } from "./copy_menu.js";
import { drawGraph, markPly } from "./graph.js";
import { GameList, enable, gameName, part } from "./list.js";
import { drawMoves, markMove } from "./move_list.js";
import { boardOf, cellsAfter, lastCell, moveAt, mover, playersOf, remarkOn } from "./position.js";
import { chooseUnits, knownScales } from "./score.js";
import { pairing } from "./stones.js";
import { endText, plyText, tellPly } from "./words.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

const KEYS = new Map([
  ["ArrowLeft", "back"],
  ["ArrowRight", "on"],
  ["Home", "first"],
  ["End", "last"],
  ["PageUp", "before"],
  ["PageDown", "after"],
]);
/** Keys that go through a game wherever the page is scrolled to, since they do not scroll it. */
const ANYWHERE = ["ArrowLeft", "ArrowRight"];
const TYPED_IN = "input, select, textarea, [contenteditable]";

/**
 * The viewer of a page's games: the game that is shown, and up to which ply.
 */
export class Viewer {
  /**
   * @param {HTMLElement} root the element of `viewer.html`
   * @param {Data} data
   */
  constructor(root, data) {
    this.root = root;
    this.data = data;
    this.list = new GameList(root, data, () => this.followList());
    this.menu = new CopyMenu(root, () => this.shown());
    /** @type {Game | null} */
    this.game = null;
    this.ply = 0;
    this.listen();
    root.hidden = false;
  }

  listen() {
    const range = this.range();
    range.addEventListener("input", () => this.show(this.game, Number(range.value)));
    for (const option of ["numbers", "expected"]) {
      part(this.root, option).addEventListener("change", () => this.show(this.game, this.ply));
    }
    this.root.addEventListener("click", (event) => this.click(event));
    document.addEventListener("keydown", (event) => this.press(event));
    window.addEventListener("hashchange", () => this.follow());
    this.followWidth(part(this.root, "graph-place"));
    chooseNotation(this.root, () => this.redraw());
    chooseUnits(this.root, () => this.redraw());
  }

  /** @param {Event} event */
  click(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-act], [data-game], [data-ply]");
    if (!(target instanceof HTMLElement)) return;
    const { act, game: index, ply } = target.dataset;
    if (act !== undefined) {
      this.act(act);
    } else if (ply !== undefined) {
      this.show(this.game, Number(ply));
    } else {
      this.show(this.data.games[Number(index)], Infinity);
      this.reveal();
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const act = KEYS.get(event.key);
    const isOurs = !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
    if (!act || !isOurs || event.defaultPrevented || !this.hears(event)) return;
    event.preventDefault();
    this.act(act);
  }

  /**
   * True if a key is meant for the game: it is not typed into a field or used by another part of
   * the page, and the game is in sight unless the key does nothing else.
   * @param {KeyboardEvent} event
   * @returns {boolean}
   */
  hears(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest(TYPED_IN)) return false;
    if (this.root.contains(target)) return true;
    if (target.closest("[tabindex], .scroll, pre")?.matches("main") === false) return false;
    return ANYWHERE.includes(event.key) || this.isInSight();
  }

  /**
   * True if the board, or most of it, is on the screen.
   * @returns {boolean}
   */
  isInSight() {
    const { top, bottom } = part(this.root, "board").getBoundingClientRect();
    return Math.min(bottom, window.innerHeight) - Math.max(top, 0) > (bottom - top) / 2;
  }

  /** @param {string} act */
  act(act) {
    /** @type {Record<string, () => unknown>} */
    const acts = {
      first: () => this.show(this.game, 0),
      back: () => this.show(this.game, this.ply - 1),
      on: () => this.show(this.game, this.ply + 1),
      last: () => this.show(this.game, Infinity),
      before: () => this.show(this.list.neighbour(-1), Infinity),
      after: () => this.show(this.list.neighbour(1), Infinity),
      earlier: () => this.list.leaf(-1),
      later: () => this.list.leaf(1),
    };
    acts[act]?.();
  }

  /**
   * Show a game after so many plies, or as near to that as it has.
   * @param {Game | null | undefined} game
   * @param {number} ply
   * @param {boolean} [isNamed] if the address is to name them
   */
  show(game, ply, isNamed = true) {
    if (!game) return;
    if (game !== this.game) this.open(game);
    this.ply = Math.max(0, Math.min(game.m.length, Math.round(ply)));
    this.draw(game);
    this.say("missing", "");
    const run = this.data.runs.length > 1 ? `run=${game.run}&` : "";
    this.root.dispatchEvent(new CustomEvent("shown", { detail: { game: game.n, ply: this.ply } }));
    if (isNamed) history.replaceState(null, "", `#${run}game=${game.n}&ply=${this.ply}`);
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    const [first, second] = playersOf(this.data, game);
    part(this.root, "title").replaceChildren(`Game ${gameName(this.data, game)}: `, ...pairing([first, second]));
    this.say("end", endText(this.data, game));
    this.menu.open(this.isPlaced(game));
    this.range().max = String(game.m.length);
    part(this.root, "graph").hidden = !game.t.length;
    part(this.root, "game").hidden = false;
    drawMoves(part(this.root, "moves"), this.data, game);
    this.drawGraph();
    this.offerExpected(game);
    this.offerUnits(game);
    this.list.mark(game);
  }

  /**
   * Draw the graph anew when there is another width for it; what it tells may change its height.
   * @param {HTMLElement} place
   */
  followWidth(place) {
    let width = 0;
    const observer = new ResizeObserver(() => {
      if (place.clientWidth !== width) this.drawGraph();
      width = place.clientWidth;
    });
    observer.observe(place);
  }

  drawGraph() {
    const { game } = this;
    if (!game) return;
    drawGraph(part(this.root, "graph-place"), this.data, game, (ply) => this.show(game, ply));
    markPly(part(this.root, "graph-place"), game, this.ply);
  }

  /** Draw anew all that names points or scores; the move that has the focus keeps it. */
  redraw() {
    if (!this.game) return;
    this.say("end", endText(this.data, this.game));
    const moves = part(this.root, "moves");
    const focused = document.activeElement;
    const ply = focused instanceof HTMLElement && moves.contains(focused) ? focused.dataset.ply : undefined;
    drawMoves(moves, this.data, this.game);
    this.drawGraph();
    this.offerUnits(this.game);
    this.draw(this.game);
    /** @type {HTMLElement | null} */ (moves.querySelector(`[data-ply="${ply}"]`))?.focus({ preventScroll: true });
  }

  /**
   * Offer to draw the moves that engines expected; where none were recorded, say so.
   * @param {Game} game
   */
  offerExpected(game) {
    const isRecorded = this.isPlaced(game) && (game.l ?? []).some((line) => line?.length);
    /** @type {HTMLInputElement} */ (part(this.root, "expected")).disabled = !isRecorded;
    this.say("unexpected", isRecorded ? "" : "(none recorded)");
  }

  /**
   * Offer scores in the players' own units, where games tell of a win probability.
   * @param {Game} game
   */
  offerUnits(game) {
    const isScaled = knownScales(this.data, game).length > 0;
    /** @type {HTMLInputElement} */ (part(this.root, "units")).disabled = !isScaled;
    this.say("unscaled", isScaled ? "" : "(no win probability known)");
  }

  /** Show a game that is listed, after the reader has asked for others. */
  followList() {
    const { game, list } = this;
    if (game && list.listed.length && !list.listed.includes(game)) this.show(list.listed[0], Infinity);
  }

  /** @param {Game} game */
  draw(game) {
    const { data, ply, root } = this;
    const board = boardOf(data, game);
    const picture = {
      size: board.size,
      cells: cellsAfter(board, game, ply),
      last: ply ? lastCell(board, moveAt(game, ply - 1)) : null,
      line: ply === game.m.length ? game.line : undefined,
      numbers: this.wants("numbers") ? this.numbers(game) : undefined,
      expected: this.following(game),
    };
    drawBoard(part(root, "board"), picture, `The board after ${ply} of ${game.m.length} plies`);
    markPly(part(root, "graph-place"), game, ply);
    markMove(part(root, "moves"), ply);
    const sentence = plyText(data, game, ply);
    tellPly(part(root, "remark"), ply, sentence);
    this.range().value = String(ply);
    this.range().setAttribute("aria-valuetext", sentence);
    for (const act of ["first", "back"]) enable(root, act, ply > 0);
    for (const act of ["on", "last"]) enable(root, act, ply < game.m.length);
    enable(root, "before", this.list.neighbour(-1) !== undefined);
    enable(root, "after", this.list.neighbour(1) !== undefined);
  }

  /**
   * The plies on the board, by cells; none where pieces move.
   * @param {Game} game
   * @returns {Map<number, number> | undefined}
   */
  numbers(game) {
    if (!this.isPlaced(game)) return undefined;
    return new Map(game.m.slice(0, this.ply).map((cell, i) => [cell, i + 1]));
  }

  /**
   * The moves after those on the board: at the end the proof, if one has ended the game, or else
   * those that the engine expected after its own, the last one. None where pieces move.
   * @param {Game} game
   * @returns {{cell: number, player: 1 | 2}[]}
   */
  following(game) {
    const proof = this.ply === game.m.length ? game.proof : undefined;
    const expected = this.ply && this.wants("expected") ? remarkOn(game, this.ply - 1)?.line : undefined;
    const line = (this.isPlaced(game) && (proof ?? expected)) || [];
    return line.map((cell, i) => ({ cell, player: mover(this.ply + i) }));
  }

  /**
   * @param {Game} game
   * @returns {boolean}
   */
  isPlaced(game) {
    return boardOf(this.data, game).kind === "place";
  }

  /**
   * What can be copied: the game up to the ply that is shown.
   * @returns {import("./copy_menu.js").Shown | null}
   */
  shown() {
    const { data, game, ply } = this;
    return game && { board: boardOf(data, game), game, players: playersOf(data, game), ply };
  }

  /**
   * Show the game, or list the games of two players, that the address names; false if it names none.
   * @returns {boolean}
   */
  follow() {
    const named = new URLSearchParams(location.hash.slice(1));
    const [player, opponent] = [named.get("player"), named.get("opponent")];
    if (player && opponent) {
      this.list.ofPlayers(player, opponent);
      this.show(this.list.listed[0], Infinity, false);
      this.root.scrollIntoView({ block: "start" });
      return true;
    }
    if (!named.has("game")) return false;
    const game = this.named();
    const ply = Number(named.get("ply") ?? Infinity);
    this.show(game, Number.isNaN(ply) ? Infinity : ply);
    if (!game) this.say("missing", `Game ${named.get("game")} is not among those on this page.`);
    this.reveal();
    return game !== undefined;
  }

  /**
   * The game that the address names, if it is here.
   * @returns {Game | undefined}
   */
  named() {
    const named = new URLSearchParams(location.hash.slice(1));
    const number = Number(named.get("game") ?? NaN);
    const run = Number(named.get("run") ?? 0);
    return this.data.games.find((each) => each.n === number && each.run === run);
  }

  /** Scroll to where games are shown, unless they are in sight. */
  reveal() {
    if (!this.game) part(this.root, "missing").scrollIntoView({ block: "nearest" });
    else if (!this.isInSight()) part(this.root, "game").scrollIntoView({ block: "start" });
  }

  /** @returns {HTMLInputElement} */
  range() {
    return /** @type {HTMLInputElement} */ (part(this.root, "ply"));
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  say(name, text) {
    part(this.root, name).textContent = text;
  }

  /**
   * @param {string} option
   * @returns {boolean}
   */
  wants(option) {
    return /** @type {HTMLInputElement} */ (part(this.root, option)).checked;
  }
}

/**
 * Start the viewer of a page that has one, with the game in the address or the first.
 * @param {Document} page
 */
export function startViewer(page) {
  const root = page.getElementById("viewer");
  const text = page.getElementById("data")?.textContent;
  if (!root || !text) return;
  const viewer = new Viewer(root, /** @type {Data} */ (JSON.parse(text)));
  if (!viewer.follow()) viewer.show(viewer.data.games[0], Infinity, false);
}
