/*
 * The service worker, of which the server says in SHELL (troccas_site/views.py) what it has to keep.
 *
 * It keeps two things: the shell, which is the page shown without a connection and its files; and the list of the player's
 * games as last seen, until they sign out: without a card, unless they chose to keep their hands on this device. Pages always come from the site: an old one is never shown, but
 * for the pages of a club's evening on which one writes, which js/live_entry/offline_copy.js puts away so that one can go on writing,
 * and the rules and words that somebody keeps to read without a network (js/kept.js).
 * It also shows messages that were pushed to this device, and opens what they are about.
 */
"use strict";

const SHELL_CACHE = `shell-${SHELL.version}`;
const SEEN_CACHE = "last-seen"; // js/app.js empties it, too
const HALL_CACHE = "hall-pages"; // js/live_entry/offline_copy.js fills it, with pages on which one writes and their files
const DESK_PAGE = /^\/e\/[^/]+\/(?:file|people|rounds\/[^/]+\/slips)\/$/; // the desk's and the door's, until they sign out
const FILE = /^\/static\/|\/jsi18n\/$/;
const READING_CACHE = "reading"; // js/kept.js fills it, and empties it
const READING_PAGE = /^(\/[^/]+\/)(?:rules|words|kept|search)\/(?:[^/]+\/)?$/; // shown by the page that shows what is kept
const HALL_WAITS = 6_000; // a network that is there and does not answer is none
const HASHED = /\.[0-9a-f]{12}\.[a-z0-9]+$/; // a name that carries the content of its file

// Coming and going ------------------------------------------------------------------------------------------------------

self.addEventListener("install", (event) => event.waitUntil(fill().then(stepIn)));
self.addEventListener("activate", (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
self.addEventListener("message", (event) => {
  if (event.data === "step-in") event.waitUntil(stepIn());
});

/** Fetch the shell; if a part does not come, the worker before stays, and the browser tries again later. */
async function fill() {
  const cache = await caches.open(SHELL_CACHE);
  const wanted = [...SHELL.files, ...Object.values(SHELL.pages)];
  await Promise.all(wanted.map(async (path) => {
    // Without cookies: the page of another language must not change the reader's.
    const answer = await fetch(path, { credentials: "omit", cache: HASHED.test(path) ? "default" : "reload" });
    if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  }));
}

/** Take over from the worker before, unless somebody sits at a table: then when the next page elsewhere asks for it. */
async function stepIn() {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!windows.some((page) => new URL(page.url).pathname.startsWith("/g/"))) await self.skipWaiting();
}

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("shell-") && name !== SHELL_CACHE).map((name) => caches.delete(name)));
}

// Answering -------------------------------------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && SHELL.leaving.includes(pathname)) event.waitUntil(leave());
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (pathname === SHELL.list) event.respondWith(list(request));
  else if (FILE.test(pathname)) event.respondWith(file(request, pathname));
});

/** A page comes from the site, or it is the one that says that there is no connection. */
async function page(request) {
  const { pathname } = new URL(request.url);
  const kept = await keptIn(HALL_CACHE, pathname);
  try {
    if (kept === undefined) return await fetch(request);
    const slow = new Promise((resolve) => setTimeout(resolve, HALL_WAITS, kept));
    return await Promise.race([fetch(request), slow]);
  } catch {
    if (kept !== undefined) return kept;
    const reading = READING_PAGE.exec(pathname);
    const reader = reading ? await keptIn(READING_CACHE, `${reading[1]}kept/`) : undefined;
    if (reader !== undefined) return reader;
    return (await keptIn(SHELL_CACHE, SHELL.pages[await languageOf(pathname)])) ?? Response.error();
  }
}

/** @returns {Promise<Response | undefined>} what lies in a cache, if that is there and has it. */
const keptIn = (cacheName, path) => caches.match(path, { cacheName, ignoreVary: true });
const lastSeen = () => keptIn(SEEN_CACHE, SHELL.list);

/** @returns {Promise<string>} the language of the address, else that of the list last seen, else the browser's. */
async function languageOf(pathname) {
  const first = pathname.split("/")[1];
  if (first in SHELL.pages) return first;
  const seen = await lastSeen();
  const { language } = seen ? await seen.json() : {};
  if (language in SHELL.pages) return language;
  return self.navigator.languages.map(known).find(Boolean) ?? SHELL.language;
}

/** @returns {string | undefined} which of our languages somebody reads who wants this one. */
function known(wanted) {
  return Object.keys(SHELL.pages).find((ours) => ours.split("-")[0] === wanted.split("-")[0]);
}

/** A file that is kept. One whose name carries its content never changes; any other is asked for first. */
async function file(request, pathname) {
  const kept = await caches.match(pathname, { ignoreVary: true });
  if (kept && HASHED.test(pathname)) return kept;
  try {
    return await fetch(request);
  } catch {
    return kept ?? Response.error();
  }
}

// The list as last seen -------------------------------------------------------------------------------------------------

let forgotten = 0; // what was asked for before this rose is not kept any more

/** The list from the site, which is kept; without a connection the one that was. A stranger has none. */
async function list(request) {
  const asked = forgotten;
  let answer;
  try {
    answer = await fetch(request);
  } catch {
    return (await lastSeen()) ?? Response.error();
  }
  if (!answer.ok || answer.redirected) return answer;
  const { player } = await answer.clone().json();
  if (player === null) await forget();
  else if (asked === forgotten) await (await caches.open(SEEN_CACHE)).put(SHELL.list, answer.clone());
  return answer;
}

/** Somebody leaves by their own wish: messages to them must not be shown here any more either. The site hears of it from the push service. */
async function leave() {
  const subscription = await self.registration.pushManager?.getSubscription();
  await Promise.all([forget(), subscription?.unsubscribe()]);
}

/** Nobody is signed in any more: nothing of them stays. */
async function forget() {
  forgotten += 1;
  await caches.delete(SEEN_CACHE);
  const hall = await caches.open(HALL_CACHE);
  for (const request of await hall.keys()) {
    if (DESK_PAGE.test(new URL(request.url).pathname)) await hall.delete(request);
  }
  await self.navigator.clearAppBadge?.();
}

// Messages --------------------------------------------------------------------------------------------------------------

/** @returns {string} the address of `path` if it is one of this site, else the front page. */
function own(path) {
  const { origin } = self.location;
  const address = URL.canParse(path, origin) ? new URL(path, origin) : null;
  return address?.origin === origin ? address.href : `${origin}/`;
}

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data ? event.data.json() : {};
  } catch {
    // Not from us; browsers demand that something is shown.
  }
  event.waitUntil(Promise.all([show(told), count().catch(() => {})])); // a number that cannot be asked for stays as it was
});

async function show(told) {
  const address = own(told.url || "/");
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // Whoever has this very page before them sees it there. Only then is nothing shown.
  if (told.url && windows.some((page) => page.focused && page.url.split("#")[0] === address)) return;
  const { title, body = "", lang = "", tag = "" } = told;
  const { icon, badge } = SHELL;
  const options = { body, lang, tag, renotify: tag !== "", icon, badge, data: { address } };
  await self.registration.showNotification(title || "Troccas & Troggu", options);
}

/** The number on the app's icon: how many games wait for whoever is signed in here. */
async function count() {
  if (!("setAppBadge" in self.navigator)) return;
  const answer = await fetch(`${SHELL.count}?count`);
  if (!answer.ok) return;
  const { waiting } = await answer.json();
  await (waiting > 0 ? self.navigator.setAppBadge(waiting) : self.navigator.clearAppBadge());
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.address ?? own("/")));
});

async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((page) => page.url.split("#")[0] === address);
  if (there) return there.focus();
  return self.clients.openWindow(address);
}

// The browser has changed its subscription by itself: tell the site, which would otherwise write to nobody.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

async function renew(event) {
  const answer = await fetch("/notices/push/key.json");
  const { key, token } = await answer.json();
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const fresh = event.newSubscription ?? (await self.registration.pushManager.subscribe(wanted));
  const { endpoint, keys } = fresh.toJSON();
  const old = event.oldSubscription?.endpoint ?? "";
  await fetch("/notices/push/subscribe/", {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, old }),
  });
}
