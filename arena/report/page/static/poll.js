// Questions to the server, again and again as long as somebody looks.

const LONGEST_ANSWER = 15_000;
const LONGEST_WAIT = 5_000;

/** An answer that is none: its text is for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} text
   */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

const UNKNOWN = "The server does not know this browser any more: open the address that it printed.";
const WORDS = new Map([
  [401, UNKNOWN],
  [403, UNKNOWN],
  [404, "This is no longer in the folder that the server shows."],
  [503, "The server has too much to do at the moment."],
]);

/**
 * The answer of the server; a Refusal where it refuses, a TypeError where it is away.
 * @param {string} address
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
export async function asked(address, options = {}) {
  const signal = AbortSignal.timeout(LONGEST_ANSWER);
  const answer = await fetch(address, { ...options, signal, cache: "no-store" });
  if (answer.ok) return answer;
  const isData = answer.headers.get("content-type")?.startsWith("application/json");
  const told = isData ? String((await answer.json()).error ?? "") : "";
  throw new Refusal(answer.status, told || WORDS.get(answer.status) || "The server failed; its terminal says how.");
}

/**
 * Ask again and again, as long as the page is seen, or seldom while it is not; say in plain words if
 * that is not answered.
 *
 * No stream is kept open, so that any number of tabs can be.
 * @param {() => Promise<number>} question answers the milliseconds until the next one
 * @param {HTMLElement | null} trouble where to say that the server is away
 * @param {number} [unseen] milliseconds between two questions of a page that nobody sees; 0: none
 */
export function keepAsking(question, trouble, unseen = 0) {
  let failures = 0;
  let isAsking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const ask = async () => {
    clearTimeout(timer);
    if (isAsking || (document.hidden && !unseen)) return;
    isAsking = true;
    let wait = LONGEST_WAIT;
    try {
      wait = await question();
      failures = 0;
      if (trouble) trouble.textContent = "";
    } catch (error) {
      failures += 1;
      wait = Math.min(LONGEST_WAIT, 500 * 2 ** failures);
      if (trouble) trouble.textContent = troubleText(error);
    }
    isAsking = false;
    timer = setTimeout(ask, document.hidden ? Math.max(wait, unseen) : wait);
  };
  document.addEventListener("visibilitychange", ask);
  window.addEventListener("online", ask);
  ask();
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function troubleText(error) {
  if (error instanceof Refusal) return error.message;
  if (error instanceof TypeError || error instanceof DOMException) {
    return (
      "The server does not answer. What is being played goes on without it; this page goes on by " +
      "itself once the server is back."
    );
  }
  console.error(error);
  return "This page failed; it tries again by itself.";
}
