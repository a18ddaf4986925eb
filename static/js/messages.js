/** Letting this device show messages: asked for by a button, on several pages. */
import { noteMessages } from "./app.js";
import { post } from "./site.js";

/** @returns {boolean} whether this browser can show messages at all. */
export const canShow = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Send a form, and throw unless it was taken. */
export async function send(address, fields) {
  const answer = await post(address, fields);
  if (!answer.ok) throw new Error(String(answer.status));
}

/**
 * Ask the reader, and subscribe this browser. Throws if it could not be done.
 * @param {DOMStringMap} said  `key` of the site, `worker`, and where to `subscribe`
 * @returns {Promise<boolean>} false if the reader does not want it
 */
export async function allowMessages({ key, worker, subscribe }) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register(worker, { scope: "/" });
  const registration = await navigator.serviceWorker.ready;
  const before = await registration.pushManager.getSubscription();
  await before?.unsubscribe(); // the site's key may have been another one
  const { endpoint, keys } = (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })).toJSON();
  const { lang: language } = document.documentElement;
  await send(subscribe, { endpoint, p256dh: keys.p256dh, auth: keys.auth, language, old: before?.endpoint ?? "" });
  noteMessages();
  return true;
}
