// The script of a report: its tables can be sorted, its games looked at.

import { startFolds } from "./folds.js";
import { startTables } from "./tables.js";
import { startViewer } from "./viewer.js";

/**
 * Puts the games that a page holds packed to where the viewer reads them.
 * @param {HTMLElement} packed
 */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = document.createElement("script");
  data.type = "application/json";
  data.id = "data";
  data.textContent = await new Response(stream).text();
  packed.replaceWith(data);
}

/** Starts the page. */
async function start() {
  startTables(document.body);
  startFolds();
  if (!document.getElementById("games")) return;
  const packed = document.getElementById("packed");
  if (packed) await unpack(packed);
  startViewer(document);
}

start();
