// The script of the page to play: a form to begin a game, or the game that the address names.

import { Setup } from "./play_setup.js";
import { Table } from "./play_table.js";
import { tellTrouble } from "./play_server.js";

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

function startPlay() {
  const setup = new Setup(element("setup"), (id) => {
    location.hash = `table=${id}`;
  });
  const table = new Table(element("table"), () => setup.open(new URLSearchParams()));
  const follow = () => {
    const named = new URLSearchParams(location.hash.slice(1));
    tellTrouble("");
    const id = named.get("table") ?? "";
    table.open(/^[0-9a-f]{16}$/.test(id) ? id : "");
    if (table.id) setup.close();
    else setup.open(named);
  };
  window.addEventListener("hashchange", follow);
  follow();
}

startPlay();
