/**
 * Shows the games of a page.
 * @param {Document} page
 */
export function startViewer(page) {
  page.getElementById("games")?.setAttribute("data-viewer", "none");
}
