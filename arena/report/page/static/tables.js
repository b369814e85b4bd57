// Tables whose columns sort their rows, and which can be downloaded.

import { download } from "./copies.js";

/** @typedef {"ascending" | "descending"} Order */

/**
 * Let the tables in an element be sorted and downloaded.
 * @param {Element} root
 */
export function startTables(root) {
  root.querySelectorAll("table[data-sortable]").forEach((table) => {
    if (!(table instanceof HTMLTableElement)) return;
    sortable(table);
    downloadable(table);
  });
}

/**
 * Puts a button below a table that downloads it.
 * @param {HTMLTableElement} table
 */
function downloadable(table) {
  const name = table.dataset.csv;
  if (!name) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "csv";
  button.textContent = "CSV";
  button.setAttribute("aria-label", `${name} as CSV`);
  button.addEventListener("click", () => download(`${name}.csv`, new Blob([csvText(table)], { type: "text/csv" })));
  table.closest(".scroll")?.after(button);
}

/**
 * A table as comma-separated values, in the order that it has: numbers with all their digits, no drawings.
 * @param {HTMLTableElement} table
 * @returns {string}
 */
function csvText(table) {
  const heads = [...table.querySelectorAll("thead th")];
  const columns = heads.flatMap((head, i) => (head.hasAttribute("data-sort") ? [i] : []));
  const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => columns.map((i) => csvValue(row.cells[i])));
  const lines = [columns.map((i) => textOf(heads[i])), ...rows];
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

/**
 * A number has all its digits; a bound, such as `<-450`, is no number.
 * @param {HTMLTableCellElement | undefined} cell
 */
function csvValue(cell) {
  const text = textOf(cell);
  return cell?.dataset.value === undefined || /^[<>]/.test(text) ? text : String(keyOf(cell));
}

/** @param {string} text */
function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts a button into each head of a column that can be sorted.
 * @param {HTMLTableElement} table
 */
function sortable(table) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    if (!(head instanceof HTMLElement) || head.dataset.sort === undefined) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sortRows(table, column, nextOrder(heads, column)));
  });
}

/**
 * Marks the column that is sorted by from now on: the other way around if it was already.
 * @param {Element[]} heads
 * @param {number} column
 * @returns {Order}
 */
function nextOrder(heads, column) {
  const head = /** @type {HTMLElement} */ (heads[column]);
  const before = head.getAttribute("aria-sort");
  /** @type {Order} */
  const first = head.dataset.sort === "number" ? "descending" : "ascending";
  /** @type {Order} */
  const other = first === "ascending" ? "descending" : "ascending";
  const order = before === first ? other : first;
  heads.forEach((each) => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  return order;
}

/**
 * @param {HTMLTableElement} table
 * @param {number} column
 * @param {Order} order
 */
function sortRows(table, column, order) {
  const body = table.tBodies[0];
  if (body) body.append(...sortedRows([...body.rows], column, order));
}

/**
 * The rows in their new order; those without a value come last either way.
 * @param {HTMLTableRowElement[]} rows
 * @param {number} column
 * @param {Order} order
 */
function sortedRows(rows, column, order) {
  const sign = order === "ascending" ? 1 : -1;
  const keyed = rows.map((row) => ({ row, key: keyOf(row.cells[column]) }));
  keyed.sort((one, other) => {
    if (one.key === "" || other.key === "") return Number(one.key === "") - Number(other.key === "");
    return sign * compared(one.key, other.key);
  });
  return keyed.map((each) => each.row);
}

/**
 * The value of a cell: a number where it has one.
 * @param {HTMLTableCellElement | undefined} cell
 * @returns {number | string}
 */
function keyOf(cell) {
  const given = cell?.dataset.value ?? textOf(cell);
  return given === "" || Number.isNaN(Number(given)) ? given : Number(given);
}

/** @param {Element | undefined} cell */
function textOf(cell) {
  return cell?.textContent?.trim() ?? "";
}

/**
 * @param {number | string} one
 * @param {number | string} other
 */
function compared(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}
