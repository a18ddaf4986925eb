/**
 * The site as an app: the service worker, the list of games that this device keeps to show without a connection, the number
 * on the app's icon, and the offer to put it on the home screen. The pages are whole without it.
 */
import { choose, forgetOthers, keepsHands, sendLaid } from "./laid.js";
import { keep, kept } from "./site.js";

const LIST = "/my-games/last-seen.json";
const SEEN_CACHE = "last-seen"; // sw.js fills it
const FRESH = 60_000; // a list that old is as good as new, unless something is known to have changed
const SETTLES = 1_500; // the page comes first

const player = document.querySelector('meta[name="player"]')?.content ?? "";
const atTable = document.getElementById("table") !== null;
const supported = "serviceWorker" in navigator && "caches" in window; // neither exists on an insecure address

/** Whether the site runs as an app, in a window of its own. */
const standalone = () => window.matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;

/** @returns {Promise<object | undefined>} the list this device keeps, if any. */
async function lastSeen() {
  if (!supported) return undefined;
  return (await caches.match(LIST, { cacheName: SEEN_CACHE, ignoreVary: true }))?.json();
}

async function forget() {
  await navigator.clearAppBadge?.();
  if (supported) await caches.delete(SEEN_CACHE);
}

/** Resolved when this page's requests go through the worker; on a forced reload they never do. */
function controlled() {
  if (navigator.serviceWorker.controller) return Promise.resolve();
  return new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true }));
}

let waiting = -1;
let timer = 0;

/** How many games wait for the player is known anew: the icon says so, and the list is kept anew if it said otherwise. */
export function noteWaiting(count) {
  if (count === waiting) return;
  waiting = count;
  const badge = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  badge?.catch(() => {}); // not an app here
  if (player === "" || !supported) return;
  clearTimeout(timer);
  timer = setTimeout(() => keepList().catch(() => {}), SETTLES); // kept with the next page
}

let keeping = Promise.resolve();

/** Keep the list anew where it has changed, one after the other: the next finds what was kept. `moved`: it is known to be another one. */
function keepList(moved = false) {
  keeping = keeping.catch(() => {}).then(() => askForList(moved));
  return keeping;
}

/** Ask for the list, with one's hands where that was chosen; the worker keeps what comes. */
async function askForList(moved) {
  await controlled();
  const last = await lastSeen();
  const hands = keepsHands(player);
  const known = last?.player === player && last.language === document.documentElement.lang && (last.hands ?? false) === hands;
  if (!moved && known && Date.now() - Date.parse(last.at) < FRESH && (waiting < 0 || last.waiting === waiting)) return;
  await fetch(hands ? `${LIST}?hands` : LIST, { headers: { Accept: "application/json" } });
}

// Hands, where its person chose to keep them on this device ------------------------------------------------------------

const chosen = document.getElementById("keep-games");
if (chosen && supported) {
  const box = chosen.querySelector("input");
  box.checked = keepsHands(player);
  chosen.hidden = false;
  box.addEventListener("change", async () => {
    box.checked = choose(player, box.checked) && box.checked;
    await caches.delete(SEEN_CACHE);
    await keepList();
  });
}

// Others have played, or the player: the hand and the table are other ones.
let movedOn = 0;
document.addEventListener("live:shown", () => {
  if (!supported || !keepsHands(player)) return;
  clearTimeout(movedOn);
  movedOn = setTimeout(() => keepList(true).catch(() => {}), SETTLES);
});
window.addEventListener("online", () => void sendLaid(player));

async function begin() {
  forgetOthers(player);
  void sendLaid(player);
  const last = await lastSeen();
  if (last !== undefined && last.player !== player) await forget(); // somebody else was here, or they have signed out
  if (!supported || (player === "" && !standalone())) return; // whoever only reads needs no app
  await new Promise((resolve) => setTimeout(resolve, SETTLES));
  const registration = await navigator.serviceWorker.register("/sw.js", { scope: "/" });
  if (!atTable) registration.waiting?.postMessage("step-in");
  if (player !== "") await keepList(atTable && keepsHands(player));
}

begin().catch(() => {}); // a browser that keeps nothing for us: then nothing is kept

// The home screen -------------------------------------------------------------------------------------------------------

// Offered once in a while of use, not at first sight: on the second day, with the third game, or after messages were switched
// on. Whoever declines is not asked again, and an app that is one never asks.
const DAYS = 2;
const GAMES = 3;

const hint = document.getElementById("install");
let prompt = null;

/** What is known of this device: the last day, how many days, whether messages were switched on, whether it was declined. */
const known = () => kept("install") ?? {};
/** A browser that keeps nothing would be asked on every page: it is not. @returns {boolean} whether this is kept. */
const note = (changes) => keep("install", { ...known(), ...changes });

/** Messages were switched on for this device: that is somebody who wants to be reached. */
export const noteMessages = () => note({ push: true });

/** Counts the days on which somebody came. @returns {boolean} whether that can be kept. */
function noteDay() {
  const day = new Date().toISOString().slice(0, 10);
  return note(known().day === day ? {} : { day, days: (known().days ?? 0) + 1 });
}

/** Safari on a phone or tablet installs by its own menu only. */
function bySafari() {
  const apple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  return apple && "standalone" in navigator && !/CriOS|FxiOS|EdgiOS/.test(navigator.userAgent);
}

async function offer() {
  const { never, days, push } = known();
  if (never || standalone() || atTable) return;
  const words = bySafari();
  if (!words && prompt === null) return;
  if ((days ?? 0) < DAYS && !push && ((await lastSeen())?.played ?? 0) < GAMES) return;
  hint.querySelector("[data-safari]").hidden = !words;
  hint.querySelector("[data-install]").hidden = words;
  hint.hidden = false;
}

function decline() {
  note({ never: true });
  hint.hidden = true;
}

if (hint && noteDay()) {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // it is asked at a better moment, or not at all
    prompt = event;
    offer();
  });
  window.addEventListener("appinstalled", decline);
  hint.querySelector("[data-install]").addEventListener("click", async () => {
    hint.hidden = true;
    await prompt.prompt();
    if ((await prompt.userChoice).outcome !== "accepted") note({ never: true });
    prompt = null;
  });
  hint.querySelector("[data-never]").addEventListener("click", () => {
    decline();
    document.getElementById("main").focus({ preventScroll: true });
  });
  offer();
}
