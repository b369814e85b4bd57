// A position as text that other programs read, and as a picture.

/** @typedef {import("./position.js").Board} Board */

const PICTURE_WIDTH = 1200;
/** What a drawing takes from the style of its page, and must bring along without it. */
const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-width", "opacity", "font-size", "text-anchor"];

/**
 * Moves as this project's files have them: row,column from 0 at the top left.
 * @param {Board} board
 * @param {number[]} moves
 * @returns {string}
 */
export function movesText(board, moves) {
  const { size } = board;
  const area = size ** 2;
  const text = (/** @type {number} */ cell) => `${Math.floor(cell / size)},${cell % size}`;
  const step = (/** @type {number} */ move) => `${text(Math.floor(move / area))}-${text(move % area)}`;
  return moves.map(board.kind === "place" ? text : step).join(" ");
}

/**
 * Stones as openings of Gomocup's programs have them (`h8i9`): rows from 1 at the top.
 * @param {Board} board
 * @param {number[]} moves
 * @returns {string}
 */
export function posText({ size }, moves) {
  return moves.map((cell) => String.fromCharCode(97 + (cell % size)) + (Math.floor(cell / size) + 1)).join("");
}

/**
 * Stones as Gomocup's openings have them: distances from the centre, column before row.
 * @param {Board} board
 * @param {number[]} moves
 * @returns {string}
 */
export function offsetText({ size }, moves) {
  const centre = Math.floor(size / 2);
  return moves.map((cell) => `${(cell % size) - centre},${Math.floor(cell / size) - centre}`).join(", ");
}

/**
 * A drawing of the page as a file of its own, with the colours that it has there.
 * @param {SVGSVGElement} drawing
 * @returns {string}
 */
export function pictureText(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(/** @type {Element} */ (originals[i]));
    for (const name of DRAWN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("font-family", "sans-serif");
  return new XMLSerializer().serializeToString(copy);
}

/**
 * A drawing as a PNG, of a width that prints well.
 * @param {SVGSVGElement} drawing
 * @returns {Promise<Blob>}
 */
export async function picturePng(drawing) {
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(pictureText(drawing))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = PICTURE_WIDTH;
  canvas.height = Math.round((PICTURE_WIDTH * height) / width);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"),
  );
}

/**
 * Let the browser keep a file.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
