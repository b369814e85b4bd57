import { Refusal, asked } from "./poll.js";

const SERVER_AWAY = "The server does not answer. The games are kept; this page goes on by itself once it is back.";

/**
 * @typedef {{status: number, data: any}} Reply `status` is 0 where the server is away
 */

/**
 * Ask the server; whether it is there is said in the page's line for trouble.
 * @param {string} path
 * @param {object} [body] of a POST
 * @returns {Promise<Reply>} a refusal has its words as `error`
 */
export async function ask(path, body) {
  try {
    const answer = await asked(path, body ? { method: "POST", body: JSON.stringify(body) } : {});
    tellTrouble("");
    return { status: answer.status, data: answer.status === 200 ? await answer.json() : null };
  } catch (error) {
    const reply = { status: error instanceof Refusal ? error.status : 0, data: null };
    const words = error instanceof Refusal ? error.message : SERVER_AWAY;
    tellTrouble(isAway(reply) ? words : "");
    return isAway(reply) ? reply : { ...reply, data: { error: words } };
  }
}

/**
 * True if it is worth to ask again: nothing is known to be wrong with the question.
 * @param {Reply} reply
 * @returns {boolean}
 */
export function isAway({ status }) {
  return status === 0 || status >= 500 || status === 403;
}

/**
 * Say what is wrong, at the top of the page; nothing if all is well.
 * @param {string} text
 */
export function tellTrouble(text) {
  const place = document.getElementById("trouble");
  if (place && place.textContent !== text) place.textContent = text;
}
