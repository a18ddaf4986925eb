/**
 * A player's own games: how many wait, in the window's title and on the app's icon; and telling the site what has been seen
 * of a table. The pages are whole without it.
 */
import { noteWaiting } from "./app.js";
import { post } from "./site.js";
import "./live.js";

const EVERY_MINUTE = 60_000;
const TOLD_EVERY = 30_000;
const LOOKED = 1_500; // a table counts as seen once it has been in view so long

const inView = () => document.visibilityState === "visible";
const table = document.getElementById("table");

// How much waits --------------------------------------------------------------------------------------------------------

const games = document.querySelector("[data-waiting-games]");

/** The window's title says how many games wait. A table's own title is the table's to write: it counts the others. */
function noteGames() {
  const count = games.querySelector("[data-count]").textContent;
  noteWaiting(Number(count.replace("99+", "100")));
  if (table !== null) return;
  const plain = document.title.replace(/^\(\d+\+?\) /, "");
  document.title = count ? `(${count}) ${plain}` : plain;
}

if (games !== null) {
  noteGames();
  games.addEventListener("htmx:afterSwap", noteGames);
  document.addEventListener("live:shown", noteGames); // what is renewed may have given the window its own title
  if (table !== null) {
    // The turn of the player begins or ends.
    const turns = new MutationObserver(([{ oldValue }]) => oldValue !== table.dataset.yours && htmx.trigger(games, "turn"));
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
  document.addEventListener("visibilitychange", () => inView() && setTimeout(tell, LOOKED));
  document.addEventListener("submit", (event) => {
    if (!event.target.matches?.("form[data-since]")) return;
    event.preventDefault();
    tell(true);
    document.getElementById("since").remove();
    document.getElementById("main").focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  });
}
