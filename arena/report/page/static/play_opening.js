import { gameOf } from "./play_words.js";
import { playersOf } from "./position.js";

/** @typedef {import("./play_table.js").State} State */

/**
 * @typedef {{stones: number, wish: string, button: string}} Answer in an opening that the players
 *   make: the stones that it lays, what it is in words, and on a button
 */

/**
 * What a player is to do in an opening, in a sentence: all that may be chosen, or what was.
 * @param {State} state
 * @param {number} chosen the number of the answer whose stones are being laid
 * @returns {string}
 */
export function openingText(state, chosen) {
  const name = playersOf(state.data, gameOf(state))[state.turn - 1];
  if (state.phase !== "yours") return `${name} is at the opening.`;
  const answers = chosen ? [state.answers[chosen]] : state.answers;
  const words = answers.map((each) => each?.wish).join(", or ");
  return upper(`${state.persons.length > 1 ? `${name}, ` : ""}${words}.`);
}

/**
 * The buttons for the answers that are not being laid.
 * @param {State} state
 * @param {number} chosen
 * @returns {HTMLButtonElement[]}
 */
export function answerButtons(state, chosen) {
  return state.answers.flatMap((each, i) => {
    if (i === chosen) return [];
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = each.button;
    button.dataset.act = "answer";
    button.dataset.answer = String(i);
    return [button];
  });
}

/**
 * @param {string} text
 * @returns {string}
 */
function upper(text) {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
