/**
 * What a device keeps by its person's choice: whether hands may be kept on it, and the cards laid there without a connection. A
 * card goes to the site once, with the number of the table it was laid at: where that has moved on, nothing is played.
 */
import { alertOf, keep, kept, newId, post } from "./site.js";

const CHOICE = "keep-games"; // the public id of who chose it
const LAID = "laid-cards";

/** @returns {boolean} whether this device may keep the hands of a player. */
export const keepsHands = (player) => player !== "" && kept(CHOICE) === player;

/** Keep the choice of a player for this device; taken back, what was laid goes, too. @returns {boolean} whether that is kept */
export function choose(player, on) {
  if (!on) keep(LAID, null);
  return keep(CHOICE, on ? player : null);
}

/** Somebody else is here, or nobody any more: nothing of the one before stays. */
export function forgetOthers(player) {
  if (kept(CHOICE) !== player) keep(CHOICE, null);
  const own = laidCards().filter((card) => player !== "" && card.player === player);
  keep(LAID, own.length > 0 ? own : null);
}

/** @returns {{player: string, game: string, number: number, code: string, name: string, id: string}[]} what waits to be sent. */
export const laidCards = () => kept(LAID) ?? [];

/** Lay a card ahead, in place of another at the same table; without a card none. */
export function layAhead(player, table, card) {
  const others = laidCards().filter((laid) => laid.game !== table.game);
  const own = card ? [{ player, game: table.game, number: table.number, code: card.code, name: card.name, id: newId() }] : [];
  keep(LAID, [...others, ...own]);
}

/** Send what was laid without a connection, each once: the same id is sent until there is an answer. */
export async function sendLaid(player) {
  for (const card of laidCards().filter((each) => each.player === player)) {
    const fields = { action: `play ${card.code}`, expected: card.number, request_id: card.id, sure: "1" };
    const answer = await post(`/g/${card.game}/act/`, fields).catch(() => null);
    if (answer === null || answer.status >= 500 || answer.status === 429) return; // not now: with the next page
    keep(LAID, laidCards().filter((each) => each.id !== card.id));
    tell(answer, card);
  }
}

function tell(answer, { name, game }) {
  const done = interpolate(gettext("%s, which you laid without a connection, was played."), [name]);
  const moved = gettext("The table has moved on since you laid %s without a connection, so nothing was played. Please decide again.");
  const notice = answer.ok ? alertOf(done, "info") : alertOf(interpolate(moved, [name]), "warning");
  notice.classList.add("laid-told");
  document.getElementById("main").prepend(notice);
  const table = document.getElementById("table");
  if (table?.dataset.base === `/g/${game}/`) window.htmx?.trigger(table, "update");
}
