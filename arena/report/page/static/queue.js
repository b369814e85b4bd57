// The queue: its tests as they are, what can be done with them, and a form for a new one.

import { Refusal, asked, keepAsking } from "./poll.js";
import { renew } from "./renew.js";

const LIST_WAIT = 2000;
/** Bytes that are turned into text at once: a call takes so many arguments at most. */
const CHUNK = 8192;
/** The name of the test among its files. */
const OWN_FILE = "test.yaml";

/**
 * Starts the page.
 * @param {HTMLElement} list
 * @param {HTMLElement} said
 */
function startQueue(list, said) {
  let shown = list.innerHTML.trim();

  const refresh = async () => {
    const html = (await (await asked("/queue/list")).text()).trim();
    if (html !== shown) {
      renew(list, html);
      shown = html;
    }
  };
  /**
   * Send a wish, and say what comes of it.
   * @param {string} path
   * @param {object} body
   * @param {(answer: any) => string} words
   * @returns {Promise<boolean>} whether it was taken
   */
  const send = async (path, body, words) => {
    try {
      const answer = await asked(path, { method: "POST", body: JSON.stringify(body) });
      said.textContent = words(await answer.json());
      await refresh();
      return true;
    } catch (error) {
      said.textContent = error instanceof Refusal ? error.message : "The server does not answer.";
      return false;
    }
  };

  list.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button?.dataset.act) return;
    send(`/queue/tests/${button.dataset.id}`, { act: button.dataset.act }, (test) => `${test.name}: ${test.state}`);
  });
  const form = document.getElementById("queue-form");
  if (form instanceof HTMLFormElement) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      said.textContent = "It is being checked.";
      if (await send("/queue/tests", await submission(form), takenWords)) form.reset();
    });
    // Without this script, the browser would throw away what is typed.
    form.querySelector("button")?.toggleAttribute("disabled", false);
  }
  keepAsking(async () => {
    await refresh();
    return LIST_WAIT;
  }, document.getElementById("trouble"));
}

/**
 * A test that was taken, in words.
 * @param {any} test
 * @returns {string}
 */
function takenWords(test) {
  const games = test.total === null ? "" : `, at most ${test.total} games`;
  return `${test.name} is in the queue${games}${test.time && `, about ${test.time}`}.`;
}

/**
 * The test that a form describes, as it travels.
 * @param {HTMLFormElement} form
 * @returns {Promise<object>}
 */
async function submission(form) {
  const values = new FormData(form);
  /** @type {Record<string, string>} */
  const files = {};
  for (const file of values.getAll("files")) {
    if (file instanceof File && file.name) files[file.name] = await base64(file);
  }
  return {
    config: String(values.get("config")),
    place: OWN_FILE,
    priority: Number(values.get("priority")),
    files,
  };
}

/**
 * A file's bytes as text.
 * @param {File} file
 * @returns {Promise<string>}
 */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}

const list = document.getElementById("queue-list");
const said = document.getElementById("queue-said");
if (list && said) startQueue(list, said);
