/** @typedef {import("./position.js").Data} Data */
/** @typedef {import("./position.js").Game} Game */

/** @typedef {{player: string, opponent: string, result: string, reason: string, opening: string, run: string}} Wanted */

/**
 * The games that a reader wants to see; an empty wish is no wish.
 *
 * `result` is `won`, `lost` or `draw`, of the player if one is chosen, else of the first.
 * @param {Data} data
 * @param {Wanted} wanted
 * @returns {Game[]}
 */
export function gamesWanted(data, wanted) {
  return data.games.filter(
    (game) =>
      (!wanted.run || String(game.run) === wanted.run) &&
      has(game, wanted.player) &&
      has(game, wanted.opponent) &&
      (!wanted.result || resultOf(game, wanted.player) === wanted.result) &&
      (!wanted.reason || game.r === wanted.reason) &&
      (!wanted.opening || String(game.oid) === wanted.opening),
  );
}

/**
 * True if a player met in a game; or if none is wanted.
 * @param {Game} game
 * @param {string} player
 */
function has(game, player) {
  return !player || [game.f, game.s].map(String).includes(player);
}

/**
 * The result for a player, or for the first.
 * @param {Game} game
 * @param {string} player
 * @returns {string}
 */
function resultOf(game, player) {
  if (game.w === 0) return "draw";
  const seat = !player || String(game.f) === player ? 1 : 2;
  return game.w === seat ? "won" : "lost";
}

/**
 * Fill the choices of the filters with what there is.
 * @param {HTMLFormElement} form
 * @param {Data} data
 */
export function fillFilters(form, data) {
  const reasons = [...new Set(data.games.map((game) => game.r))].sort();
  const openings = [...new Set(data.games.map((game) => game.oid))].sort((a, b) => a - b);
  for (const field of ["player", "opponent"]) fill(form, field, data.players.map((name, i) => [String(i), name]));
  fill(form, "reason", reasons.map((reason) => [reason, reason]));
  fill(form, "opening", openings.map((number) => [String(number), number ? `opening ${number}` : "none"]));
  fill(form, "run", data.runs.map((name, i) => [String(i), name]));
  const label = /** @type {HTMLElement | null} */ (form.querySelector("[data-filter=run]"));
  if (label) label.hidden = data.runs.length < 2;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {[string, string][]} choices
 */
function fill(form, name, choices) {
  const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
  const chosen = select.value;
  const [all] = select.options;
  select.replaceChildren(...(all ? [all] : []), ...choices.map(([value, text]) => new Option(text, value)));
  select.value = chosen;
}

/**
 * All that the filters say.
 * @param {HTMLFormElement} form
 * @returns {Wanted}
 */
export function wantedBy(form) {
  const fields = new FormData(form);
  const value = (/** @type {string} */ name) => String(fields.get(name) ?? "");
  return {
    player: value("player"),
    opponent: value("opponent"),
    result: value("result"),
    reason: value("reason"),
    opening: value("opening"),
    run: value("run"),
  };
}
