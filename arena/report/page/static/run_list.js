// The list of runs, which stays as the folder is, and is searched as one types.

import { asked, keepAsking } from "./poll.js";
import { renew } from "./renew.js";
import { startTables } from "./tables.js";

const LIST_WAIT = 3000;
const TYPING = 150;

/**
 * Starts the page.
 * @param {HTMLElement} list
 * @param {HTMLFormElement} form
 */
function startList(list, form) {
  let shown = list.innerHTML.trim();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  const refresh = async () => {
    const wanted = location.search;
    const html = (await (await asked(`/list${wanted}`)).text()).trim();
    if (html !== shown && wanted === location.search) {
      const ticked = new Set(ticks(list).map((each) => (each.checked ? each.value : "")));
      renew(list, html);
      for (const each of ticks(list)) each.checked = ticked.has(each.value);
      shown = html;
    }
  };
  const search = () => {
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) wanted.set(name, String(value));
    history.replaceState(null, "", wanted.size ? `/?${wanted}` : "/");
    refresh().catch(() => {}); // what asks again and again says what is the matter
  };

  startTables(list);
  form.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(search, TYPING);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  keepAsking(async () => {
    await refresh();
    return LIST_WAIT;
  }, document.getElementById("trouble"));
}

/**
 * The boxes of the runs.
 * @param {HTMLElement} list
 * @returns {HTMLInputElement[]}
 */
function ticks(list) {
  return [...list.querySelectorAll("input")].filter((each) => each.name === "run");
}

const list = document.getElementById("run-list");
const form = document.getElementById("run-search");
if (list && form instanceof HTMLFormElement) startList(list, form);
