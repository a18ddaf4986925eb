/** The buttons that let this device show messages, or end that. The rest of their pages works without. */
import { noteMessages } from "./app.js";
import { post, toHex } from "./site.js";

const allow = document.getElementById("allow");
const disallow = document.getElementById("disallow");
const question = document.querySelector("[data-how]"); // at a table: how one wants to be told
const state = document.getElementById("push-state");

/** Says how it went, under the buttons. */
function tell(text, level = "info") {
  state.textContent = text;
  state.dataset.level = level;
  state.hidden = false;
}

const tellDenied = () => tell(gettext("Your browser does not let this site show messages. You can change that in its settings for this site."), "warning");

/** Send a form, and throw unless it was taken. */
async function send(address, fields) {
  const answer = await post(address, fields);
  if (!answer.ok) throw new Error(String(answer.status));
}

/** @returns {Promise<PushSubscription | null>} that of this device. */
async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration ? registration.pushManager.getSubscription() : null;
}

/** @returns {Promise<string>} the SHA-256 of a text in hexadecimal, under which the site lists this device. */
async function digestOf(text) {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Offer what can be done. Whoever is asked at a table is asked whatever this browser has allowed before. */
async function show() {
  const subscription = await subscribed();
  const listed = subscription && document.querySelector(`[data-digest="${await digestOf(subscription.endpoint)}"]`);
  listed?.querySelector(".this-one").removeAttribute("hidden");
  const allowed = disallow ? listed : question ? null : subscription;
  const isDenied = Notification.permission === "denied";
  allow.hidden = isDenied || allowed !== null;
  if (disallow) disallow.hidden = allowed === null;
  if (isDenied && !question) tellDenied();
}

/** Subscribe this browser, which the reader has allowed. */
async function subscribe() {
  const { key, worker, subscribe: address } = allow.dataset;
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const before = await registration.pushManager.getSubscription();
  await before?.unsubscribe(); // the site's key may have been another one
  const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
  const { lang: language } = document.documentElement;
  await send(address, { endpoint, p256dh: keys.p256dh, auth: keys.auth, language, old: before?.endpoint ?? "" });
  noteMessages();
}

async function start() {
  allow.disabled = true;
  try {
    if ((await Notification.requestPermission()) !== "granted") return question ? tellDenied() : await show();
    await subscribe();
    if (!question) return window.location.reload();
    await send(allow.dataset.then, { how: "push", next: window.location.pathname });
    question.remove();
  } catch {
    tell(gettext("That did not work. Perhaps this browser shows no messages in private windows; otherwise try again later."), "error");
  } finally {
    allow.disabled = false;
  }
}

async function end() {
  const subscription = await subscribed();
  if (subscription) {
    await send(allow.dataset.unsubscribe, { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  window.location.reload();
}

if (allow && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  allow.addEventListener("click", start);
  disallow?.addEventListener("click", end);
  show();
} else if (allow && !question) {
  tell(gettext("This browser shows no messages. On an iPhone or iPad, first put the site on the home screen and open it there."));
}
