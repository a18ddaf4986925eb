/**
 * A player's own games: how many wait, in the window's title and wherever [data-waiting-games] stands, and how many notices
 * are unread ([data-unread]); and telling the site what has been seen of a table. The pages are whole without it.
 */
import { noteWaiting } from "./app.js";
import { countText, post, showCount } from "./site.js";
import "./live.js";

const EVERY_MINUTE = 60_000;
const TOLD_EVERY = 30_000;
const LOOKED = 1_500; // a table counts as seen once it has been in view so long

const inView = () => document.visibilityState === "visible";
const table = document.getElementById("table");

// How much waits --------------------------------------------------------------------------------------------------------

/** The window's title says how many games wait. A table's own title is the table's to write: it counts the others. */
function noteGames(count) {
  noteWaiting(count);
  if (table !== null) return;
  const plain = document.title.replace(/^\(\d+\+?\) /, "");
  document.title = count > 0 ? `(${countText(count)}) ${plain}` : plain;
}

/** Keeps a number in the head of the page right. `after`: rings within so many milliseconds ask once. */
function keepCount(place, { from, field, after, note = () => {} }) {
  let asked = 0;
  const refresh = async () => {
    const answer = await fetch(from, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const count = (await answer.json())[field];
    note(count);
    const number = place.querySelector("[data-count]");
    showCount(number, count, number.parentElement);
  };
  return () => {
    clearTimeout(asked);
    asked = setTimeout(() => refresh().catch(() => {}), after); // the next event or minute asks again
  };
}

const games = document.querySelector("[data-waiting-games]");
if (games !== null) {
  noteGames(Number(games.querySelector("[data-count]").textContent.replace("99+", "100")));
  const askGames = keepCount(games, { from: "/my-games/waiting.json?count", field: "waiting", after: 200, note: noteGames });
  games.addEventListener("update", askGames);
  const bell = document.querySelector("[data-unread]");
  // The event comes a moment before the notice stands in the list.
  if (bell !== null) games.addEventListener("update", keepCount(bell, { from: "/notices/bell.json?count", field: "unread", after: 700 }));
  if (table !== null) {
    // The turn of the player begins or ends.
    const turns = new MutationObserver(([{ oldValue }]) => oldValue !== table.dataset.yours && askGames());
    turns.observe(table, { attributeFilter: ["data-yours"], attributeOldValue: true });
  }
}

// What has been seen ----------------------------------------------------------------------------------------------------

let told = -1;
let toldAt = 0;

/** Tell the site up to which action this table has been in view. @param {boolean} done all that was news is taken note of */
function tell(done = false) {
  const number = Number(table.dataset.number);
  const now = performance.now();
  if (!done && (!inView() || (number === told && now - toldAt < EVERY_MINUTE))) return;
  told = number;
  toldAt = now;
  post(table.dataset.seen, done ? { number, done: "1" } : { number }).catch(() => {}); // told again within a minute
}

if (table?.dataset.seen) {
  setTimeout(tell, LOOKED);
  setInterval(tell, TOLD_EVERY);
  document.addEventListener("visibilitychange", () => {
    if (inView()) setTimeout(tell, LOOKED);
    else if (performance.now() > LOOKED) tell();
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches?.("form[data-since]")) return;
    event.preventDefault();
    tell(true);
    document.getElementById("since").remove();
    document.getElementById("main").focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  });
}
