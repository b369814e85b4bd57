// Folded sections: open if the address names them, and on paper.

/** Opens them from now on, also those that come later. */
export function startFolds() {
  window.addEventListener("hashchange", openNamed);
  openNamed();
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("section > details")].filter(isClosedFold);
    opened.forEach((fold) => (fold.open = true));
  });
  window.addEventListener("afterprint", () => opened.forEach((fold) => (fold.open = false)));
}

/** Opens the section that the address names. */
function openNamed() {
  const fold = document.getElementById(location.hash.slice(1))?.querySelector(":scope > details");
  if (fold instanceof HTMLDetailsElement) fold.open = true;
}

/**
 * @param {Element} element
 * @returns {element is HTMLDetailsElement}
 */
function isClosedFold(element) {
  return element instanceof HTMLDetailsElement && !element.open && element.querySelector("summary > h2") !== null;
}
