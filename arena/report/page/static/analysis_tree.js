/**
 * @typedef {{move: number, parent: Node | null, children: Node[]}} Node `move` of the start is -1
 * @typedef {[number, Nested[]]} Nested a move and what follows it
 */

/**
 * Moves with variations, and the one that is looked at. The first child of a node is the main line.
 */
export class Tree {
  /** @param {number[]} [moves] the main line */
  constructor(moves = []) {
    /** @type {Node} */
    this.root = { move: -1, parent: null, children: [] };
    this.at = this.root;
    for (const move of moves) this.play(move);
  }

  /**
   * Go to a move from here; a new one opens a branch.
   * @param {number} move
   */
  play(move) {
    let child = this.at.children.find((each) => each.move === move);
    if (!child) {
      child = { move, parent: this.at, children: [] };
      this.at.children.push(child);
    }
    this.at = child;
  }

  /** Take the move that is looked at away, with all that follows it. */
  remove() {
    const { at } = this;
    if (!at.parent) return;
    at.parent.children = at.parent.children.filter((each) => each !== at);
    this.at = at.parent;
  }

  /**
   * The nodes that lead to one, the start left out.
   * @param {Node} [node]
   * @returns {Node[]}
   */
  path(node = this.at) {
    const found = [];
    for (let each = node; each.parent; each = each.parent) found.unshift(each);
    return found;
  }

  /**
   * The moves that lead to where one looks.
   * @returns {number[]}
   */
  moves() {
    return this.path().map((node) => node.move);
  }

  /**
   * The last node of the line that goes on from here.
   * @returns {Node}
   */
  end() {
    let node = this.at;
    for (let next = node.children[0]; next; next = node.children[0]) node = next;
    return node;
  }

  /**
   * The whole tree as plain data.
   * @returns {Nested[]}
   */
  nested() {
    /** @type {(node: Node) => Nested} */
    const nest = (node) => [node.move, node.children.map(nest)];
    return this.root.children.map(nest);
  }

  /**
   * The mirror of `nested`, at the node to which these moves lead, or as far as they do.
   * @param {Nested[]} data
   * @param {number[]} moves
   * @returns {Tree}
   */
  static of(data, moves) {
    const tree = new Tree();
    /** @type {(parent: Node, found: Nested[]) => void} */
    const grow = (parent, found) => {
      parent.children = found.map(([move, rest]) => {
        const node = { move, parent, children: [] };
        grow(node, rest);
        return node;
      });
    };
    grow(tree.root, data);
    for (const move of moves) {
      if (tree.at.children.some((each) => each.move === move)) tree.play(move);
      else break;
    }
    return tree;
  }
}
