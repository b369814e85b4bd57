import { download, movesText, offsetText, picturePng, pictureText, posText } from "./copies.js";
import { part } from "./list.js";
import { sgfText } from "./sgf.js";

/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./position.js").Game} Game */
/** @typedef {{board: Board, game: Game, players: [string, string], ply: number}} Shown */

/**
 * The menu that copies a position or a game, or keeps its picture.
 */
export class CopyMenu {
  /**
   * @param {HTMLElement} root an element with the parts `copies`, `said` and `board`
   * @param {() => Shown | null} shown
   */
  constructor(root, shown) {
    this.root = root;
    this.shown = shown;
    this.menu = /** @type {HTMLDetailsElement} */ (part(root, "copies"));
    this.menu.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("[data-copy]");
      if (button instanceof HTMLElement) this.choose(String(button.dataset.copy));
    });
    this.menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close(true);
    });
    document.addEventListener("click", (event) => {
      if (!this.menu.contains(/** @type {Node} */ (event.target))) this.close(false);
    });
  }

  /**
   * Make ready for a game; what only stones can be written in is for games of stones.
   * @param {boolean} isPlaced
   */
  open(isPlaced) {
    this.say("");
    for (const name of ["pos", "offset", "sgf"]) {
      /** @type {HTMLElement} */ (this.menu.querySelector(`[data-copy=${name}]`)).hidden = !isPlaced;
    }
  }

  /** @param {boolean} withFocus if the focus goes back to what opens the menu */
  close(withFocus) {
    this.menu.open = false;
    if (withFocus) this.menu.querySelector("summary")?.focus();
  }

  /** @param {string} what */
  async choose(what) {
    const shown = this.shown();
    this.close(true);
    if (!shown) return;
    const { board, game, players, ply } = shown;
    const moves = game.m.slice(0, ply);
    /** @type {Record<string, () => unknown>} */
    const choices = {
      pos: () => this.copy(posText(board, moves), "The position was copied."),
      offset: () => this.copy(offsetText(board, moves), "The position was copied."),
      moves: () => this.copy(movesText(board, moves), "The moves were copied."),
      sgf: () => this.copy(sgfText(board, game, players), "The game was copied."),
      link: () => this.copy(location.href, "The link was copied."),
      svg: () => this.keep(new Blob([pictureText(this.drawing())], { type: "image/svg+xml" }), "svg", shown),
      png: async () => this.keep(await picturePng(this.drawing()), "png", shown),
    };
    await choices[what]?.();
  }

  /** @returns {SVGSVGElement} */
  drawing() {
    return /** @type {SVGSVGElement} */ (part(this.root, "board").querySelector("svg"));
  }

  /**
   * @param {Blob} content
   * @param {string} suffix
   * @param {Shown} shown
   */
  keep(content, suffix, { game, ply }) {
    download(`game-${game.n}-ply-${ply}.${suffix}`, content);
    this.say("The picture was saved.");
  }

  /**
   * @param {string} text
   * @param {string} done
   */
  async copy(text, done) {
    if (!text) {
      this.say("The empty board has nothing to copy.");
      return;
    }
    try {
      await navigator.clipboard.writeText(text);
      this.say(done);
    } catch {
      // A page from disk may not be let near the clipboard: the text can be taken by hand.
      window.prompt("Copy this:", text);
    }
  }

  /** @param {string} words */
  say(words) {
    part(this.root, "said").textContent = words;
  }
}
