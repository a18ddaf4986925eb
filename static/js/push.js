/** The buttons that let this device show messages, or end that. The rest of the page works without. */
import { allowMessages, canShow, send } from "./messages.js";

const allow = document.getElementById("allow");
const disallow = document.getElementById("disallow");
const state = document.getElementById("push-state");

/** Says how it went, under the buttons. */
function tell(text, level = "info") {
  state.textContent = text;
  state.dataset.level = level;
  state.hidden = text === "";
}

/** @returns {Promise<PushSubscription | null>} that of this device. */
async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return registration ? registration.pushManager.getSubscription() : null;
}

/** @returns {Promise<string>} the SHA-256 of a text in hexadecimal, under which the site lists this device. */
async function digestOf(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function show() {
  const subscription = await subscribed();
  const listed = subscription && document.querySelector(`[data-digest="${await digestOf(subscription.endpoint)}"]`);
  listed?.querySelector(".this-one").removeAttribute("hidden");
  const allowed = disallow ? Boolean(listed) : Boolean(subscription);
  allow.hidden = allowed;
  if (disallow) disallow.hidden = !allowed;
  if (Notification.permission === "denied") {
    allow.hidden = true;
    tell(gettext("Your browser does not let this site show messages. You can change that in its settings for this site."), "warning");
  }
}

async function start() {
  allow.disabled = true;
  try {
    if (await allowMessages(allow.dataset)) window.location.reload();
  } catch {
    tell(gettext("That did not work. Perhaps this browser shows no messages in private windows; otherwise try again later."), "error");
  } finally {
    allow.disabled = false;
    if (Notification.permission !== "granted") await show();
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

if (allow) {
  if (canShow()) {
    allow.addEventListener("click", start);
    disallow?.addEventListener("click", end);
    show();
  } else {
    tell(gettext("This browser shows no messages. On an iPhone or iPad, first put the site on the home screen and open it there."));
  }
}
