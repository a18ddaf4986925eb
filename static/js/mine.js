/**
 * A player's own games: how many wait, in the window's title and wherever [data-waiting-games] stands; the list that keeps
 * itself up to date; and telling the site what has been seen of a table. The pages are whole without it.
 */
import { untilLetGo } from "./let_go.js";
import { noteWaiting } from "./phone.js";
import { askUnread } from "./unread.js";

const EVERY_MINUTE = 60_000;
const TOLD_EVERY = 30_000;
const LOOKED = 1_500; // a table counts as seen once it has been in view so long
const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 60_000;
const COUNTED = 99;

const token = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}")["X-CSRFToken"] ?? "";
const inView = () => document.visibilityState === "visible";
const table = document.getElementById("table");
const worded = (count) => (count > COUNTED ? `${COUNTED}+` : String(count));

// How many games wait ---------------------------------------------------------------------------------------------------

/** Keeps every place that shows the number right: rung by the socket, asked once a minute, and when the page comes into view. */
class Waiting {
  #wait = FIRST_WAIT;
  #asked = 0;
  #opened = false;

  start() {
    this.#connect();
    document.addEventListener("visibilitychange", () => inView() && this.ask());
    setInterval(() => inView() && this.ask(), EVERY_MINUTE);
    if (table !== null) this.#follow(table);
  }

  /** Ask soon; several rings at once ask once. */
  ask() {
    askUnread();
    clearTimeout(this.#asked);
    this.#asked = setTimeout(() => this.#refresh().catch(() => {}), 200); // the next ring or minute asks again
  }

  async #refresh() {
    const list = document.getElementById("my-games");
    if (list !== null) {
      await renewList(list);
      return;
    }
    const answer = await fetch("/my-games/waiting.json?count", { headers: { Accept: "application/json" } });
    if (answer.ok) show((await answer.json()).waiting);
  }

  /** At a table: ask when the player's turn begins or ends. */
  #follow(table) {
    let { yours } = table.dataset;
    new MutationObserver(() => {
      if (table.dataset.yours === yours) return;
      yours = table.dataset.yours;
      this.ask();
    }).observe(table, { attributeFilter: ["data-yours"] });
  }

  #connect() {
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${window.location.host}/ws/games/`);
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      // What rang before it was open: since it was lost, or since the page was made. A list that was just made is not
      // made again.
      if (this.#opened || document.getElementById("my-games") === null) this.ask();
      else askUnread();
      this.#opened = true;
    });
    socket.addEventListener("message", () => this.ask());
    socket.addEventListener("close", (event) => {
      if (event.code >= 4400) return; // not wanted here
      setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random()));
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }
}

/** The window's title says how many wait. A table's own title is the table's to write: it counts the others. */
function titled(count) {
  const plain = document.title.replace(/^\(\d+\+?\) /, "");
  document.title = count > 0 ? `(${worded(count)}) ${plain}` : plain;
}

/** @param {number} count */
function show(count) {
  if (table === null) titled(count);
  noteWaiting(count);
  for (const place of document.querySelectorAll("[data-waiting-games]")) {
    const number = place.querySelector("[data-count]");
    if (number === null) continue;
    if (number.textContent !== worded(count)) number.textContent = worded(count);
    number.parentElement.hidden = count === 0;
  }
}

/** Put the list as it is now in the place of the one shown; the focus stays on the same game. */
async function renewList(shown) {
  const address = new URL(window.location.href);
  address.searchParams.set("fragment", "1");
  const answer = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("my-games");
  if (fresh === null) return;
  await untilLetGo();
  show(Number(fresh.dataset.waiting));
  if (fresh.innerHTML === shown.innerHTML) return;
  const focus = shown.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  shown.replaceWith(document.importNode(fresh, true));
  if (focus !== null) document.querySelector(`#my-games a[href="${CSS.escape(focus)}"]`)?.focus();
}

// What has been seen ----------------------------------------------------------------------------------------------------

/** Tells the site up to which action this table has been in view. */
class Seen {
  #table;
  #told = -1;
  #toldAt = 0;

  constructor(table) {
    this.#table = table;
  }

  start() {
    setTimeout(() => inView() && this.tell(), LOOKED);
    setInterval(() => inView() && this.tell(), TOLD_EVERY);
    document.addEventListener("visibilitychange", () => {
      if (inView()) setTimeout(() => inView() && this.tell(), LOOKED);
      else if (performance.now() > LOOKED) this.tell();
    });
    document.addEventListener("submit", (event) => {
      if (event.target.matches?.("#table form[data-act]")) document.getElementById("since")?.remove();
      if (!event.target.matches?.("form[data-since]")) return;
      event.preventDefault();
      this.tell(true);
      document.getElementById("since").remove();
      document.getElementById("main").focus({ preventScroll: true });
      window.scrollTo({ top: 0 });
    });
  }

  /** @param {boolean} done all that was news has been taken note of */
  tell(done = false) {
    const number = Number(this.#table.dataset.number);
    const now = performance.now();
    if (!done && number === this.#told && now - this.#toldAt < EVERY_MINUTE) return;
    this.#told = number;
    this.#toldAt = now;
    const fields = done ? { number, done: "1" } : { number };
    fetch(this.#table.dataset.seen, {
      method: "POST",
      headers: { "X-CSRFToken": token(), "X-Requested-With": "fetch" },
      body: new URLSearchParams(fields),
      keepalive: true,
    }).catch(() => {}); // told again within a minute
  }
}

if (table?.dataset.seen) new Seen(table).start();
const number = document.querySelector("[data-waiting-games] [data-count]");
if (number !== null) {
  const shown = number.textContent;
  const count = shown.endsWith("+") ? COUNTED + 1 : Number(shown);
  if (table === null) titled(count);
  noteWaiting(count);
  new Waiting().start();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".mine-page button[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  } catch {
    document.querySelector("[data-select]")?.select(); // then it is one key
  }
});
