import { startTables } from "./tables.js";

/**
 * Put new HTML of our server into the place of what an element has; the focus, the order of the
 * tables, where they are scrolled to, and the sections that are open stay.
 * @param {HTMLElement} root
 * @param {string} html
 */
export function renew(root, html) {
  const before = { path: focusPath(root), orders: orders(root), scrolls: scrolls(root), open: open(root) };
  // A parsed document runs nothing, and the page's policy allows no script inside of it.
  root.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  startTables(root);
  root.querySelectorAll("section > details").forEach((each) => {
    if (before.open.includes(each.parentElement?.id)) each.setAttribute("open", "");
  });
  restoreOrders(root, before.orders);
  root.querySelectorAll(".scroll").forEach((each, i) => (each.scrollLeft = before.scrolls[i] ?? 0));
  focusAt(root, before.path);
}

/**
 * @param {Element} root
 * @returns {number[]}
 */
function scrolls(root) {
  return [...root.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
}

/**
 * The sections that are open.
 * @param {Element} root
 */
function open(root) {
  return [...root.querySelectorAll("section > details[open]")].map((each) => each.parentElement?.id);
}

/**
 * The place of the element that has the focus: of each level the number among its siblings.
 * @param {Element} root
 * @returns {number[] | null}
 */
function focusPath(root) {
  let at = document.activeElement;
  if (!at || at === root || !root.contains(at)) return null;
  const path = [];
  for (; at && at !== root; at = at.parentElement) {
    path.unshift([...(at.parentElement?.children ?? [])].indexOf(at));
  }
  return path;
}

/**
 * @param {Element} root
 * @param {number[] | null} path
 */
function focusAt(root, path) {
  /** @type {Element | undefined} */
  let at = path ? root : undefined;
  for (const place of path ?? []) at = at?.children[place];
  if (at instanceof HTMLElement) at.focus({ preventScroll: true });
}

/**
 * The tables that are sorted: by which column, and which way.
 * @param {Element} root
 * @returns {Map<string, [number, string]>}
 */
function orders(root) {
  /** @type {Map<string, [number, string]>} */
  const found = new Map();
  for (const [name, table] of tables(root)) {
    const heads = [...table.querySelectorAll("thead th")];
    const column = heads.findIndex((head) => head.hasAttribute("aria-sort"));
    if (column >= 0) found.set(name, [column, String(heads[column]?.getAttribute("aria-sort"))]);
  }
  return found;
}

/**
 * @param {Element} root
 * @param {Map<string, [number, string]>} wanted
 */
function restoreOrders(root, wanted) {
  for (const [name, table] of tables(root)) {
    const [column, order] = wanted.get(name) ?? [-1, ""];
    const head = table.querySelectorAll("thead th")[column];
    for (let tries = 0; head && tries < 2 && head.getAttribute("aria-sort") !== order; tries++) {
      head.querySelector("button")?.click();
    }
  }
}

/**
 * All tables, each with its section and its number there.
 * @param {Element} root
 * @returns {[string, Element][]}
 */
function tables(root) {
  return [...root.querySelectorAll("table")].map((table) => {
    const section = table.closest("section");
    const own = [...(section ?? root).querySelectorAll("table")];
    return [`${section?.id} ${own.indexOf(table)}`, table];
  });
}
