import { sideName } from "./stones.js";

/** @typedef {import("./analysis_thoughts.js").Position} Position */
/** @typedef {import("./analysis_thoughts.js").State} State */

/**
 * Whose turn it is.
 * @param {string} side
 * @param {number} plies
 * @returns {string}
 */
export function turnText(side, plies) {
  return `${side} to move, after ${plies} ${plies === 1 ? "ply" : "plies"}`;
}

/**
 * How the game has ended.
 * @param {Position} position
 * @returns {string}
 */
export function endText({ board, outcome }) {
  if (!outcome) return "";
  const winner = outcome.winner ? `${sideName(board, outcome.winner)} wins` : "a draw";
  return `The game is over: ${winner} (${outcome.reason})`;
}

/**
 * What an engine is at.
 * @param {string | undefined} name undefined where none plays the game
 * @param {boolean} isWanted if it is to think
 * @param {State | null} state
 * @returns {string}
 */
export function doingText(name, isWanted, state) {
  if (!name) return "No engine here plays this game.";
  if (!isWanted) return `${name} is not thinking.`;
  const first = state?.lines[0];
  const nodes = first?.nodes ? `, ${first.nodes.toLocaleString("en")} nodes` : "";
  switch (state?.phase) {
    case "prepares":
      return `${name} gets ready; the first time that may take a minute.`;
    case "thinks":
      return `${name} thinks${first ? `: depth ${first.depth}${nodes}` : ""}.`;
    case "done":
      return `${name} has thought as far as it does${nodes}.`;
    case "ended":
    case "failed":
      return "Choose another engine, or stop and think again.";
    default:
      return "";
  }
}
