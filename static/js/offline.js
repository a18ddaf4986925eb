/**
 * The page that is shown without a connection: says which kind of silence it is, shows the games as last seen on this
 * device, and goes on by itself once the site answers again.
 */

import { laidCards, layAhead } from "./laid.js";

const LIST = "/my-games/last-seen.json";
const READING = "reading"; // kept.js fills it
const FIRST_WAIT = 3_000;
const LONGEST_WAIT = 60_000;

const silence = document.getElementById("silence");

function say() {
  silence.textContent = navigator.onLine ? silence.dataset.silent : silence.dataset.offline;
}

// The games -------------------------------------------------------------------------------------------------------------

const list = document.getElementById("last-seen");

async function show() {
  const answer = await fetch(LIST).catch(() => null); // nothing is kept on this device
  const seen = answer?.ok ? await answer.json() : {};
  if (!seen.html) {
    document.getElementById("nothing-kept").hidden = false;
    return;
  }
  list.lang = seen.language;
  list.dataset.player = seen.player;
  document.getElementById("seen-at").textContent = seen.heading;
  list.querySelector("div").innerHTML = seen.html; // of our own server
  for (const time of list.querySelectorAll("time")) time.nextElementSibling.hidden = Date.parse(time.dateTime) > Date.now();
  list.querySelectorAll(".kept-table").forEach(showLaid);
  list.hidden = false;
}

/** Say which card was laid at a table that was one's turn. @param {HTMLDetailsElement} table */
function showLaid(table) {
  const { game, number } = table.dataset;
  const card = laidCards().find((each) => each.game === game && each.number === Number(number));
  const words = table.querySelector(".laid span");
  words.textContent = card ? `${words.dataset.words} ${card.name}` : "";
  words.parentElement.hidden = card === undefined;
  if (card) table.open = true;
}

// A card is laid, or taken back.
list.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button === null) return;
  const table = button.closest(".kept-table");
  const { game, number } = table.dataset;
  const { code } = button.dataset;
  layAhead(list.dataset.player, { game, number: Number(number) }, code ? { code, name: button.textContent } : null);
  showLaid(table);
});

/** The way to the rules and words, if they are kept on this device (kept.js). */
async function showReading() {
  const pages = (await caches.has(READING)) ? await (await caches.open(READING)).keys() : [];
  const reader = pages.find(({ url }) => url.endsWith("/kept/"));
  const place = document.getElementById("kept-reading");
  if (reader) place.querySelector("a").href = reader.url;
  place.hidden = reader === undefined;
}

// Going on --------------------------------------------------------------------------------------------------------------

let wait = FIRST_WAIT;
let timer; // of the next look

/** Whether it is this site that answers, and not the sign-in page of some hotel. */
async function answers() {
  const answer = await fetch("/healthz", { cache: "no-store", redirect: "error" }).catch(() => null);
  return answer?.ok === true && (await answer.text().catch(() => "")) === "ok";
}

async function look() {
  clearTimeout(timer);
  if (await answers()) return window.location.reload();
  say();
  wait = Math.min(wait * 2, LONGEST_WAIT);
  timer = setTimeout(look, wait);
}

function lookNow() {
  wait = FIRST_WAIT;
  look();
}

window.addEventListener("online", lookNow);
window.addEventListener("offline", say);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && lookNow());
document.getElementById("again").addEventListener("click", () => window.location.reload());
// Somebody opened this very page: whether there is a connection is seen at the front door.
if (/^\/[\w-]+\/offline\/$/.test(window.location.pathname)) window.location.replace("/");
say();
show();
showReading();
timer = setTimeout(look, wait);
