/**
 * The site as an app: the service worker, the list of games that this device keeps to show without a connection, and the
 * number on the app's icon. The pages are whole without it.
 */

const LIST = "/my-games/last-seen.json";
const SEEN_CACHE = "last-seen"; // sw.js fills it
const FRESH = 60_000; // a list that old is as good as new, unless something is known to have changed
const SETTLES = 1_500; // the page comes first
const WORKER = "/sw.js";

const player = document.querySelector('meta[name="player"]')?.content ?? "";
const atTable = document.getElementById("table") !== null;
const supported = "serviceWorker" in navigator && "caches" in window; // neither exists on an insecure address

/** @returns {boolean} whether the site runs as an app, in a window of its own. */
export function standalone() {
  return window.matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
}

/** @returns {Promise<object | null>} the list this device keeps; null if none. */
export async function kept() {
  if (!supported || !(await caches.has(SEEN_CACHE))) return null;
  const answer = await (await caches.open(SEEN_CACHE)).match(LIST, { ignoreVary: true });
  return answer ? answer.json() : null;
}

async function forget() {
  await navigator.clearAppBadge?.();
  if (supported) await caches.delete(SEEN_CACHE);
}

/** @returns {Promise<void>} resolved when this page's requests go through the worker; on a forced reload they never do. */
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
  timer = setTimeout(() => keep().catch(() => {}), SETTLES); // kept with the next page
}

/** Ask for the list; the worker keeps what comes. */
async function keep() {
  await controlled();
  const last = await kept();
  const known = last !== null && last.player === player && last.language === document.documentElement.lang;
  if (known && Date.now() - Date.parse(last.at) < FRESH && (waiting < 0 || last.waiting === waiting)) return;
  await fetch(LIST, { headers: { Accept: "application/json" } });
}

async function begin() {
  const last = await kept();
  if (player === "") {
    if (last !== null) await forget();
    if (!standalone()) return; // whoever only reads needs no app
  } else if (last !== null && last.player !== player) {
    await forget(); // somebody else was here
  }
  if (!supported) return;
  await new Promise((resolve) => setTimeout(resolve, SETTLES));
  const registration = await navigator.serviceWorker.register(WORKER, { scope: "/" });
  if (!atTable) registration.waiting?.postMessage("step-in");
  if (player !== "") await keep();
}

begin().catch(() => {}); // a browser that keeps nothing for us: then nothing is kept
