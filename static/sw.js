/*
 * The service worker: shows messages that were pushed to this device, and opens what they are about. It keeps nothing
 * and answers no requests, so that a page never is an old one.
 */
"use strict";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** @returns {string} the address of `path` if it is one of this site, else the front page. */
function own(path) {
  try {
    const address = new URL(path, self.location.origin);
    if (address.origin === self.location.origin) return address.href;
  } catch {
    // Not an address.
  }
  return self.location.origin + "/";
}

self.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data ? event.data.json() : {};
  } catch {
    // Not from us; browsers demand that something is shown.
  }
  event.waitUntil(show(told));
});

async function show(told) {
  const address = own(told.url || "/");
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  // Whoever has this very page before them sees it there. Only then is nothing shown.
  if (told.url && windows.some((page) => page.focused && page.url.split("#")[0] === address)) return;
  await self.registration.showNotification(told.title || "Troccas & Troggu", {
    body: told.body || "",
    lang: told.lang || "",
    tag: told.tag || "",
    renotify: Boolean(told.tag),
    data: { address },
  });
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
  const answer = await fetch("/notices/push/key.json", { credentials: "same-origin" });
  const { key, token } = await answer.json();
  const fresh =
    event.newSubscription ??
    (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const { endpoint, keys } = fresh.toJSON();
  const old = event.oldSubscription?.endpoint ?? "";
  await fetch("/notices/push/subscribe/", {
    method: "POST",
    credentials: "same-origin",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth, old }),
  });
}
