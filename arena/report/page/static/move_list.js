import { boardOf, moveAt, moveText, mover, remarkOn } from "./position.js";
import { scaleOf, shownScore } from "./score.js";
import { stone } from "./stones.js";

/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */
/** @typedef {import("./score.js").Scale} Scale */

/**
 * Draw the moves of a game in pairs, each as a button that leads to its ply.
 * @param {HTMLElement} place
 * @param {Data} data
 * @param {Game} game
 */
export function drawMoves(place, data, game) {
  const head = document.createElement("li");
  head.className = "head";
  head.append(document.createElement("span"), stone(1), stone(2));
  /** @type {[Scale, Scale]} */
  const scales = [scaleOf(data, game, 1), scaleOf(data, game, 2)];
  const pairs = [];
  for (let ply = 0; ply < game.m.length; ply += 2) {
    const pair = document.createElement("li");
    const number = document.createElement("span");
    number.textContent = `${ply / 2 + 1}.`;
    pair.append(number, moveButton(data, game, ply, scales));
    if (ply + 1 < game.m.length) pair.append(moveButton(data, game, ply + 1, scales));
    pairs.push(pair);
  }
  place.replaceChildren(head, ...pairs);
}

/**
 * Mark the last of so many plies, and scroll to it; Tab leads to it alone.
 * @param {HTMLElement} place
 * @param {number} plies
 */
export function markMove(place, plies) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = place.querySelectorAll("button");
  buttons.forEach((button, ply) => {
    const isShown = ply === plies - 1;
    button.tabIndex = isShown || (!plies && !ply) ? 0 : -1;
    if (isShown) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const row = buttons[Math.max(0, plies - 1)]?.parentElement;
  // The page itself must stay where it is, so no scrollIntoView.
  if (row) place.scrollTop = row.offsetTop - (place.clientHeight - row.offsetHeight) / 2;
}

/**
 * @param {Data} data
 * @param {Game} game
 * @param {number} ply counted from 0
 * @param {[Scale, Scale]} scales of both players' scores
 * @returns {HTMLButtonElement}
 */
function moveButton(data, game, ply, scales) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.ply = String(ply + 1);
  button.append(moveText(boardOf(data, game), moveAt(game, ply)));
  const score = remarkOn(game, ply)?.score ?? null;
  const small = document.createElement("small");
  if (ply < game.o) small.textContent = "opening";
  else if (score !== null) small.textContent = shownScore(score, scales[mover(ply) === 1 ? 0 : 1]).text;
  button.append(" ", small);
  return button;
}
