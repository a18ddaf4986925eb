/**
 * The page that is shown without a connection: says which kind of silence it is, shows the games as last seen on this
 * device, and goes on by itself once the site answers again.
 */

import { laidCards, layAhead } from "./laid.js";
import { made } from "./site.js";

const LIST = "/my-games/last-seen.json";
const READING = "reading"; // kept.js fills it
const FIRST_WAIT = 3_000;
const LONGEST_WAIT = 60_000;

const silence = document.getElementById("silence");

function say() {
  silence.textContent = navigator.onLine ? silence.dataset.silent : silence.dataset.offline;
}

// The games -------------------------------------------------------------------------------------------------------------

/** The hand and the table as last seen, with cards to lay where it was one's turn. */
function showTable(place, table, player) {
  const part = (name) => place.querySelector(`.${name}`);
  const playable = table.hand.some((card) => card.playable);
  part("prompt").textContent = table.prompt;
  part("trick").replaceChildren(...table.trick.map((text) => made("li", {}, text)));
  part("nothing-there").hidden = table.trick.length > 0;
  part("may-lay").hidden = !playable;
  part("own-cards").replaceChildren(...table.hand.map((card) => {
    if (!card.playable) return made("li", { className: "held" }, card.name);
    const button = made("button", { type: "button", className: "button" }, card.name);
    button.addEventListener("click", () => lay(card));
    return made("li", {}, button);
  }));
  part("take-back").addEventListener("click", () => lay(null));
  place.hidden = false;
  say();

  function lay(card) {
    layAhead(player, table, card);
    say();
  }

  function say() {
    const laid = laidCards().find((each) => each.game === table.game && each.number === table.number);
    const words = part("laid").querySelector("span");
    words.textContent = laid ? `${words.dataset.words} ${laid.name}` : "";
    part("laid").hidden = laid === undefined;
    if (laid) place.open = true;
  }
}

function line(game, player) {
  const part = document.getElementById("game-line").content.cloneNode(true);
  const place = (name) => part.querySelector(`.${name}`);
  place("title").textContent = game.title;
  place("line").textContent = game.line;
  if (game.until_at === null) place("time").remove();
  else {
    Object.assign(part.querySelector("time"), { textContent: game.until, dateTime: game.until_at });
    place("passed").hidden = Date.parse(game.until_at) > Date.now();
  }
  if (game.table) showTable(place("kept-table"), game.table, player);
  return part;
}

async function show() {
  const answer = await fetch(LIST).catch(() => null); // nothing is kept on this device
  const seen = answer?.ok ? await answer.json() : { player: null };
  if (seen.player === null) {
    document.getElementById("nothing-kept").hidden = false;
    return;
  }
  const list = document.getElementById("last-seen");
  Object.assign(document.getElementById("seen-at"), { lang: seen.language, textContent: seen.heading });
  for (const part of list.querySelectorAll("[data-group]")) {
    part.querySelector("ul").lang = seen.language;
    const games = seen.games.filter((game) => String(game.group) === part.dataset.group);
    part.querySelector("ul").replaceChildren(...games.map((game) => line(game, seen.player)));
    part.hidden = games.length === 0;
  }
  list.querySelector(".no-games").hidden = seen.games.length > 0;
  list.querySelector(".more").hidden = seen.more === 0;
  for (const words of list.querySelectorAll("[data-hands]")) words.hidden = (words.dataset.hands === "yes") !== (seen.hands === true);
  list.hidden = false;
}

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
