import { boardOf, playersOf } from "./position.js";
import { sideName } from "./stones.js";
import { endText } from "./words.js";

/** @typedef {import("./play_table.js").State} State */
/** @typedef {import("./position.js").Game} Game */

/**
 * How the game stands, in a sentence.
 * @param {State} state
 * @returns {string}
 */
export function standText(state) {
  const game = gameOf(state);
  const name = playersOf(state.data, game)[state.turn - 1];
  const side = sideName(boardOf(state.data, game), state.turn);
  switch (state.phase) {
    case "prepares":
      return "The engine gets ready; the first time that may take a minute.";
    case "yours":
      return state.persons.length > 1 ? `${name} is to move, as ${side}.` : `Your move, as ${side}.`;
    case "advises":
      return "The engine thinks of a hint.";
    case "thinks":
      return `${name} thinks, as ${side}.`;
    case "over":
      return endText(state.data, game);
    case "left":
      return "This game was left, and is not kept.";
    case "asleep":
      return "This game rests. It goes on when it is opened again.";
    default:
      return "This game cannot be played.";
  }
}

/**
 * Where the game is kept, once it is over.
 * @param {State} state
 * @returns {string}
 */
export function keptText(state) {
  if (state.phase !== "over") return "";
  const { run, number } = state.kept;
  if (run) return `Kept as game ${number} of ${run}; to see it again: arena replay ${run} ${number}`;
  return state.persons.length ? "" : "Games that are only watched are not kept.";
}

/**
 * The time that is left to those who have a clock.
 * @param {State} state
 * @returns {string}
 */
export function clockText(state) {
  const game = gameOf(state);
  const names = playersOf(state.data, game);
  const board = boardOf(state.data, game);
  const told = state.clocks.flatMap((seconds, i) =>
    seconds === null ? [] : [`${names[i]} (${sideName(board, i + 1)}) has ${seconds.toFixed(1)} s left`],
  );
  return told.join("; ");
}

/**
 * The points that are forbidden, and why.
 * @param {State} state
 * @param {(cell: number) => string} cellName
 * @returns {string}
 */
export function forbiddenText(state, cellName) {
  if (!state.forbidden.length) return "";
  const points = state.forbidden.map(([cell, kind, why]) => `${cellName(cell)} (${kind}: ${why})`);
  return `Forbidden to Black here, and marked ×: ${points.join("; ")}. A stone there would lose the game.`;
}

/**
 * The one game of a state.
 * @param {State} state
 * @returns {Game}
 */
export function gameOf(state) {
  return /** @type {Game} */ (state.data.games[0]);
}
