import { moveText } from "./position.js";

/** @typedef {import("./position.js").Board} Board */
/** @typedef {import("./analysis_tree.js").Node} Node */
/** @typedef {import("./analysis_tree.js").Tree} Tree */

/**
 * The moves of a tree as a list: the main line, and variations below the move that they replace.
 */
export class MoveList {
  /**
   * @param {HTMLElement} place
   * @param {(node: Node) => void} go
   */
  constructor(place, go) {
    this.place = place;
    /** @type {Map<Element, Node>} */
    this.nodes = new Map();
    place.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      const node = button && this.nodes.get(button);
      if (node) go(node);
    });
  }

  /**
   * @param {Board} board
   * @param {Tree} tree
   */
  draw(board, tree) {
    this.nodes.clear();
    this.place.replaceChildren(...this.line(board, tree, tree.root, 0));
    const current = this.place.querySelector("[aria-current]");
    if (!(current instanceof HTMLElement)) return;
    const { offsetTop, offsetHeight } = current;
    const { scrollTop, clientHeight } = this.place;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
      this.place.scrollTop = offsetTop - clientHeight / 2;
    }
  }

  /**
   * What follows a node.
   * @param {Board} board
   * @param {Tree} tree
   * @param {Node} from
   * @param {number} ply
   * @returns {HTMLElement[]}
   */
  line(board, tree, from, ply) {
    const found = [];
    for (let node = from, i = ply; node.children.length; i++) {
      const [main, ...others] = /** @type {[Node, ...Node[]]} */ (node.children);
      found.push(this.move(board, tree, main, i));
      for (const other of others) {
        const variation = document.createElement("div");
        variation.className = "variation";
        variation.append(this.move(board, tree, other, i), ...this.line(board, tree, other, i + 1));
        found.push(variation);
      }
      node = main;
    }
    return found;
  }

  /**
   * @param {Board} board
   * @param {Tree} tree
   * @param {Node} node
   * @param {number} ply
   * @returns {HTMLButtonElement}
   */
  move(board, tree, node, ply) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "move";
    const number = document.createElement("span");
    number.className = "ply-number";
    number.textContent = `${ply + 1}.`;
    button.append(number, ` ${moveText(board, node.move)}`);
    if (node === tree.at) button.setAttribute("aria-current", "true");
    this.nodes.set(button, node);
    return button;
  }
}
