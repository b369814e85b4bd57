import { gameOf, standText } from "./play_words.js";
import { playersOf } from "./position.js";

/** @typedef {import("./play_table.js").State} State */

/**
 * The stones of an answer in an opening by swap2; with none instead, a player takes Black.
 * @param {number} plies the stones that are there
 * @param {boolean} isTwo if two more are to be laid
 * @returns {number}
 */
export function stonesWanted(plies, isTwo) {
  if (plies === 0) return 3;
  return plies === 3 && isTwo ? 2 : 1;
}

/**
 * What a player is to do in an opening by swap2, in a sentence.
 * @param {State} state
 * @param {boolean} isTwo
 * @returns {string}
 */
export function openingText(state, isTwo) {
  const game = gameOf(state);
  const name = playersOf(state.data, game)[state.turn - 1];
  if (state.phase !== "yours") return `${name} is at the opening.`;
  const who = state.persons.length > 1 ? `${name}, ` : "";
  const words = openingWords(game.m.length, isTwo);
  return words ? upper(`${who}${words}`) : standText(state);
}

/**
 * @param {number} plies
 * @param {boolean} isTwo
 * @returns {string}
 */
function openingWords(plies, isTwo) {
  if (plies === 0) return "lay three stones: black, white, black. The other player then chooses a side.";
  if (plies === 3 && isTwo) return "lay a white stone and a black one. The other player then chooses a side.";
  const stay = "stay White and put down your next stone, or take Black";
  return plies === 3 ? `${stay}, or lay two stones more and let the other player choose.` : `${stay}.`;
}

/**
 * @param {string} text
 * @returns {string}
 */
function upper(text) {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
