// The list of runs, which stays as the folder is.

import { asked, keepAsking } from "./poll.js";
import { makeSortable, renew } from "./renew.js";

const SHELF_WAIT = 3000;

/** Starts the page. */
function startShelf() {
  const list = document.getElementById("run-list");
  if (!list) return;
  let shown = list.innerHTML.trim();
  makeSortable(list);
  keepAsking(async () => {
    const html = (await (await asked("/list")).text()).trim();
    if (html !== shown) renew(list, html);
    shown = html;
    return SHELF_WAIT;
  }, document.getElementById("trouble"));
}

startShelf();
