/**
 * What was entered goes to the site in order, each exactly once: an entry keeps the id it got when it was made, and the site
 * does one id once. Without network it waits. A refusal stays to be seen with what was typed, until somebody decides.
 */
import { openShelf } from "../shelf.js";
import { newId, post, setText } from "../site.js";

const AGAIN = 8_000; // how soon it is tried again by itself
export const PATIENCE = 12_000; // for one entry: a hall's network may swallow it without a word
export const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);
const CHANNEL = "hall-entries";

/**
 * @typedef {{id: string, order: number, url: string, kind: string, fields: Record<string, string>, what: string,
 *            refused: string}} Entry  `refused` says why the site did not take it; empty while it waits; `order` rises.
 */

let shelf = null; // where entries wait
const page = new Map(); // what does not go in there waits here: a device may be full, a browser may keep nothing
let lasts = false; // whether the next one survives the page
let onChange;
let onSent;
let sending = false;
let again = 0;
let highest = 0;
const channel = new BroadcastChannel(CHANNEL);

async function all() {
  const there = (await shelf?.all().catch(() => [])) ?? [];
  const entries = [...there.filter(({ id }) => !page.has(id)), ...page.values()];
  return entries.sort((one, other) => one.order - other.order);
}

async function put(entry) {
  try {
    await shelf.put(entry);
    page.delete(entry.id);
  } catch {
    lasts = false;
    page.set(entry.id, entry);
  }
}

async function remove(id) {
  page.delete(id);
  await shelf?.remove(id);
}

/** Open the queue of this device; `lasts` says whether what is entered next survives the page. */
export async function openQueue(listeners) {
  ({ onChange, onSent } = listeners);
  try {
    shelf = await openShelf("hall", "entries");
    await shelf.all(); // some browsers open it and then keep nothing
    lasts = true;
  } catch {
    shelf = null;
  }
  return { start, add, get lasts() { return lasts; } };
}

/** Look what is there from before, and keep trying for as long as the page lives. */
async function start() {
  channel.addEventListener("message", tell);
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && flush());
  await tell();
  await flush();
}

/** Take an entry in; it is sent as soon as that is possible. One that was sent before, and got no answer, brings its `id`. */
async function add(made) {
  highest = Math.max(Date.now(), highest + 1);
  await put({ id: newId(), ...made, order: highest, refused: "" });
  await changed();
  flush();
}

/** Try a refused entry once more, as something new: the site has judged the old one. */
async function retry(entry, fields) {
  const { id, ...again } = entry;
  await remove(id);
  await add({ ...again, fields });
}

async function forget(id) {
  await remove(id);
  await changed();
}

/**
 * Show a queue: in `words` what waits, and what the site refused, each by the template of the place. `fieldsNow` gives what of an
 * entry is sent again; null if it cannot be.
 */
export function showQueue(place, entries, words, fieldsNow) {
  place.hidden = entries.length === 0;
  const line = place.querySelector("[data-line]");
  line.hidden = words === "";
  setText(line, words);
  const refused = entries.filter((entry) => entry.refused !== "");
  const shown = refused.map((entry) => {
    const item = place.querySelector("template").content.firstElementChild.cloneNode(true);
    item.querySelector(".what").textContent = entry.what;
    item.querySelector(".why").textContent = entry.refused;
    const again = item.querySelector("[data-again]");
    again.hidden = fieldsNow(entry) === null;
    again.addEventListener("click", () => retry(entry, fieldsNow(entry)));
    item.querySelector("[data-forget]").addEventListener("click", () => forget(entry.id));
    return item;
  });
  place.querySelector("[data-refused]").replaceChildren(...shown);
}

/** Send what waits, the oldest first, until the network fails; one page of this phone at a time, where browsers can tell. */
async function flush() {
  if (sending) return;
  sending = true;
  clearTimeout(again);
  let left = true;
  try {
    left = await (navigator.locks ? navigator.locks.request(CHANNEL, send) : send());
  } finally {
    sending = false;
    if (left) again = setTimeout(flush, AGAIN);
  }
}

/**
 * Send fields, and wait no longer than a hall's network is worth it. Gives what the site says; null without a network, or where
 * somebody else answers: a hotel's sign-in page, a proxy.
 */
export async function sendOnce(url, fields) {
  const answer = await post(url, fields, { signal: AbortSignal.timeout(PATIENCE), keepalive: false }).catch(() => null);
  return answer === null || LATER.has(answer.status) ? null : answer.json().catch(() => null);
}

/** @returns {Promise<boolean>} whether something is left to be sent. */
async function send() {
  for (;;) {
    const entry = (await all()).find((each) => each.refused === "");
    if (!entry) return false;
    const fields = { ...entry.fields, request_id: entry.id };
    const told = await sendOnce(entry.url, fields);
    if (told === null) return true;
    if (told.done) await remove(entry.id);
    else await put({ ...entry, refused: told.message || gettext("The site did not take it.") });
    onSent(entry, told);
    await changed();
  }
}

async function changed() {
  channel.postMessage("changed");
  await tell();
}

async function tell() {
  onChange(await all());
}
