import { columnName, isNamedBelow, rowName } from "./coordinates.js";
import { svg } from "./svg.js";

const CELL = 40;
const MARGIN = 44;
/** The middle of a name at the edge: beyond all that stands on the outermost points. */
const NAMES = 13;
const STAR_SIZES = new Map([[15, [3, 7, 11]], [19, [3, 9, 15]]]);

/**
 * @typedef {{
 *   size: number, cells: number[], last?: number | null, numbers?: Map<number, number>,
 *   line?: number[], expected?: {cell: number, player: 1 | 2}[],
 *   arrows?: {from: number, to: number}[]
 * }} Picture
 */

/**
 * Draw a position into an element, in place of what it held.
 *
 * `numbers` are plies by cells, `line` the cells that win, `expected` the moves to come, and
 * `arrows` go from cell to cell.
 * @param {Element} place
 * @param {Picture} picture
 * @param {string} label for who cannot see it
 */
export function drawBoard(place, picture, label) {
  const side = sideOf(picture.size);
  const drawing = svg("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", class: "board" });
  drawing.setAttribute("aria-label", label);
  drawing.append(svg("rect", { width: side, height: side, rx: 6, class: "wood" }));
  drawing.append(...grid(picture.size), ...stars(picture.size), ...labels(picture.size));
  drawing.append(...stones(picture), ...marks(picture), ...ghosts(picture));
  drawing.append(...arrows(picture));
  place.replaceChildren(drawing);
}

/**
 * @param {number} size
 * @returns {number}
 */
function sideOf(size) {
  return 2 * MARGIN + (size - 1) * CELL;
}

/**
 * The centre of a cell in the drawing.
 * @param {number} size
 * @param {number} cell
 * @returns {[number, number]}
 */
function centre(size, cell) {
  return [MARGIN + (cell % size) * CELL, MARGIN + Math.floor(cell / size) * CELL];
}

/**
 * @param {number} size
 * @returns {SVGElement[]}
 */
function grid(size) {
  const end = MARGIN + (size - 1) * CELL;
  const paths = [];
  for (let i = 0; i < size; i++) {
    const at = MARGIN + i * CELL;
    paths.push(`M${MARGIN} ${at}H${end}M${at} ${MARGIN}V${end}`);
  }
  return [svg("path", { d: paths.join(""), class: "grid" })];
}

/**
 * @param {number} size
 * @returns {SVGElement[]}
 */
function stars(size) {
  const places = STAR_SIZES.get(size) ?? [];
  return places.flatMap((row) =>
    places.map((column) => {
      const [cx, cy] = centre(size, row * size + column);
      return svg("circle", { cx, cy, r: 4, class: "star" });
    }),
  );
}

/**
 * The names of columns and rows, as in moves.
 * @param {number} size
 * @returns {SVGElement[]}
 */
function labels(size) {
  const found = [];
  const y = (isNamedBelow() ? sideOf(size) - NAMES : NAMES) + 5;
  for (let i = 0; i < size; i++) {
    const at = MARGIN + i * CELL;
    found.push(svg("text", { x: at, y, class: "label" }, columnName(i)));
    found.push(svg("text", { x: NAMES, y: at + 5, class: "label" }, rowName(size, i)));
  }
  return found;
}

/**
 * @param {Picture} picture
 * @returns {SVGElement[]}
 */
function stones({ size, cells, numbers }) {
  return cells.flatMap((stone, cell) => {
    if (!stone) return [];
    const [cx, cy] = centre(size, cell);
    const kind = stone === 1 ? "black" : "white";
    const drawn = [svg("circle", { cx, cy, r: 17, class: `stone ${kind}` })];
    const number = numbers?.get(cell);
    if (number === undefined) return drawn;
    const text = svg("text", { x: cx, y: cy + 5, class: `number on-${kind}` }, String(number));
    return [...drawn, text];
  });
}

/**
 * The winning line, and the last move.
 * @param {Picture} picture
 * @returns {SVGElement[]}
 */
function marks({ size, cells, last, line, numbers }) {
  const found = (line ?? []).map((cell) => {
    const [cx, cy] = centre(size, cell);
    return svg("circle", { cx, cy, r: 18, class: "winning" });
  });
  if (last === undefined || last === null) return found;
  const [cx, cy] = centre(size, last);
  const kind = cells[last] === 1 ? "on-black" : "on-white";
  if (numbers?.has(last)) return [...found, svg("circle", { cx, cy, r: 14, class: "last-ring" })];
  return [...found, svg("circle", { cx, cy, r: 5, class: `last ${kind}` })];
}

/**
 * The moves that are expected, numbered from 1.
 * @param {Picture} picture
 * @returns {SVGElement[]}
 */
function ghosts({ size, expected }) {
  return (expected ?? []).flatMap(({ cell, player }, i) => {
    const [cx, cy] = centre(size, cell);
    const kind = player === 1 ? "black" : "white";
    return [
      svg("circle", { cx, cy, r: 16, class: `ghost ${kind}` }),
      svg("text", { x: cx, y: cy + 5, class: `number on-${kind}` }, String(i + 1)),
    ];
  });
}

/**
 * @param {Picture} picture
 * @returns {SVGElement[]}
 */
function arrows({ size, arrows: given }) {
  return (given ?? []).map(({ from, to }) => {
    const [x1, y1] = centre(size, from);
    const [x2, y2] = centre(size, to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - 12 * dx, y2 - 12 * dy];
    const d = `M${x1} ${y1}L${x} ${y}M${x2} ${y2}L${x - 9 * dy} ${y + 9 * dx}L${x + 9 * dy} ${y - 9 * dx}Z`;
    return svg("path", { d, class: "arrow" });
  });
}
