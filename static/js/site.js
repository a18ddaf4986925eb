/**
 * What every page shares: the theme switch, menus that close like menus, buttons that print and copy; and what other scripts
 * share: sending, keeping on this device, ids. The pages are whole without it.
 */

/** Send fields to the site, also when the page is left meanwhile. @returns {Promise<Response>} */
export function post(address, fields, options = {}) {
  const token = JSON.parse(document.body.getAttribute("hx-headers"));
  const headers = { Accept: "application/json", "HX-Request": "true", ...token };
  return send(address, { method: "POST", headers, body: new URLSearchParams(fields), keepalive: true, ...options });
}

/** Send it once more where this reader has signed in anew in another tab since: then the proof that it comes from here is old. */
async function send(address, request) {
  const answer = await fetch(address, request);
  if (answer.status !== 403) return answer;
  const page = new DOMParser().parseFromString(await (await fetch(window.location.href)).text(), "text/html");
  const [before, now] = [document, page].map((each) => each.querySelector('meta[name="player"]')?.content);
  const token = page.querySelector('[name="csrfmiddlewaretoken"]')?.value;
  if (token === undefined || now !== before) return answer;
  useToken(token);
  request.body.delete("csrfmiddlewaretoken"); // that of the header counts
  return fetch(address, { ...request, headers: { ...request.headers, "X-CSRFToken": token } });
}

/** Let every form of the page carry a new proof that it comes from here. */
function useToken(token) {
  for (const field of document.getElementsByName("csrfmiddlewaretoken")) field.value = token;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
}

const FIRST_WAIT = 800; // milliseconds
const LONGEST_WAIT = 10_000;

/**
 * Send a form's data until there is an answer, whatever its status below 500; `onward` in it is the page to go to after this one.
 * The same request id is sent again, so that an action whose answer was lost is not done twice. `tell` is told what is wrong while
 * there is no answer, "" when all is well.
 */
export async function sendUntilAnswered(url, data, tell, headers = {}) {
  const body = new URLSearchParams(data); // read by the site in a fraction of the time of a form in parts
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    try {
      const signal = AbortSignal.timeout?.(LONGEST_WAIT + 2 * wait); // a network may swallow it without a word
      const answer = await send(url, { method: "POST", body, signal, headers: { "HX-Request": "true", ...headers } });
      if (answer.status < 500) {
        const text = await answer.text();
        tell("");
        return { status: answer.status, text, onward: answer.headers.get("X-Onward") };
      }
    } catch {
      // No answer: the server may or may not have heard us. The request id makes asking again safe.
    }
    tell(gettext("No answer from the table. Sending again …"));
    await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
  }
}

/** @returns {any} what this device keeps under a name; null if nothing, or if the browser keeps nothing for us. */
export function kept(name) {
  try {
    return JSON.parse(window.localStorage.getItem(name));
  } catch {
    return null;
  }
}

/** Keep a value on this device, or nothing any more (null). @returns {boolean} whether the browser does so. */
export function keep(name, value) {
  try {
    if (value === null) window.localStorage.removeItem(name);
    else window.localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {Uint8Array} bytes @returns {string} hexadecimal */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** 16 random bytes as hex: what a player's browser contributes to a pack once it has seen the commitment. */
export const newEntropy = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** @returns {string} a UUID; `crypto.randomUUID` exists on secure addresses only. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** @returns {HTMLElement} a new element with properties, and what stands in it. */
export function made(tag, properties, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** @returns {string} a text without accents and capitals: so it is searched. */
export const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** Whether a text holds every one of the words that are looked for. */
export const holdsWords = (text, words) => plain(words).split(/\s+/).every((word) => plain(text).includes(word));

/** Write a text where it is read out when it changes, and only then. @param {Element | null | undefined} place */
export function setText(place, text) {
  if (place && place.textContent !== text) place.textContent = text;
}

/** The language a text is in. @param {Element} element @returns {string} */
export const languageOf = (element) => (element.closest("[lang]") ?? document.documentElement).lang;

/** Write what one place says into another, in its language. @param {HTMLElement} place @param {Element} from */
export function quote(place, from) {
  place.lang = languageOf(from);
  setText(place, from.textContent);
}

const MOST = 99;

/** Show how many there are; where there are none, nothing. @param {HTMLElement} whole what is hidden then */
export function showCount(place, count, whole = place) {
  setText(place, count > MOST ? `${MOST}+` : String(count));
  whole.hidden = count === 0;
}

/** @returns {HTMLElement} a notice that is read out as soon as it stands in the page. */
export function alertOf(text, level) {
  const notice = made("p", { className: "notice refusal", role: "alert" }, text);
  notice.dataset.level = level;
  return notice;
}

let ahead = 0; // how much this device's clock is ahead of the site's

/** Learn how late it is at the site from what has just come from it: `data-now`. @param {HTMLElement} shown */
function learnTime(shown) {
  if (!shown.dataset.now || shown.dataset.learned === "yes") return;
  ahead = Date.now() - Date.parse(shown.dataset.now);
  shown.dataset.learned = "yes";
}

/** The site's time, as far as the page knows: a clock of the site is never counted down by that of the device. */
export const siteNow = () => Date.now() - ahead;

/** @returns {number} the seconds until a moment, by the site's time; 0 once it is over. */
export const secondsTo = (moment) => Math.max(0, Math.ceil((Date.parse(moment) - siteNow()) / 1000));

/** Let clocks go, for as long as the page is open. @param {(clock: HTMLElement) => void} show  writes what one of them says */
export function keepTime(selector, show) {
  const tick = () => {
    for (const clock of document.querySelectorAll(selector)) {
      learnTime(clock);
      show(clock);
    }
  };
  document.addEventListener("live:shown", tick);
  setInterval(tick, 500);
  tick();
}

/** @param {number} seconds @returns {string} "0:45", or "1:02:05" */
export function clockText(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return (hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)) + `:${two(seconds % 60)}`;
}

const KEY = "theme"; // theme.js reads it before the page is drawn
const OPEN_MENUS = "details:is(.menu, [data-menu])[open]";

/** Shows the page in a theme ("auto", "light", "dark") and keeps the choice on this device, if the browser does. */
export function chooseTheme(theme) {
  if (theme === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
  keep(KEY, theme === "auto" ? null : theme);
  showChosenTheme();
}

function showChosenTheme() {
  const chosen = document.documentElement.getAttribute("data-theme") ?? "auto";
  for (const button of document.querySelectorAll("[data-choose-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.chooseTheme === chosen));
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose-theme]");
  if (button) chooseTheme(button.dataset.chooseTheme);
  if (event.target.closest("[data-print]")) window.print();
  const copied = event.target.closest("button[data-copy]");
  if (copied) void copy(copied);

  for (const menu of document.querySelectorAll(OPEN_MENUS)) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

/** The device's own menu for passing something on, where it has one. */
for (const button of document.querySelectorAll("button[data-share-url]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    const { title = document.title, shareUrl: url } = button.dataset;
    navigator.share({ title, url }).catch(() => {}); // closing the menu is no error
  });
}

/** Copy what a button carries. Without the right to the clipboard it lies ready to be copied by hand. */
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    const field = button.parentElement.querySelector("input") ?? document.querySelector("input[data-select]");
    if (field !== null) return field.select();
    return button.replaceWith(made("code", { className: "whole" }, button.dataset.copy));
  }
  button.textContent = button.dataset.copied;
  setText(document.getElementById("said"), button.dataset.copied);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(OPEN_MENUS)) {
    const within = menu.contains(document.activeElement);
    menu.open = false;
    if (within) menu.querySelector("summary").focus();
  }
});

// Another tab of the same reader changed the theme: follow it.
window.addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) chooseTheme(kept(KEY) ?? "auto");
});

showChosenTheme();
for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;

/**
 * What a page asks for by itself must not cost what somebody is writing in it: where its reader has been signed out, the page
 * stays and says so, and once they are signed in again its forms get the new proof that they came from here.
 */
document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
  if (xhr.status !== 401 || document.querySelector("[data-signed-out]") !== null) return;
  const notice = alertOf(gettext("You are signed out. Sign in in another tab, and then go on here: what you have written stays."), "warning");
  notice.dataset.signedOut = "";
  elt.after(notice);
});
document.addEventListener("htmx:afterRequest", ({ detail: { successful, xhr } }) => {
  const notice = document.querySelector("[data-signed-out]");
  const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(xhr.responseText)?.[1];
  if (notice === null || !successful || token === undefined) return;
  useToken(token);
  notice.remove();
});

/** A form that was refused goes on where something is wrong, which may be far down the page, or in a fold; else where it is told. */
const wrong =
  document.querySelector('form :is([aria-invalid="true"], .errorlist.nonfield)') ?? // the latter belongs to no one field
  document.querySelector('main [role="alert"]:not([hidden])');
if (wrong !== null && document.activeElement === document.body) {
  const fold = wrong.closest("details");
  if (fold !== null) fold.open = true;
  if (!wrong.matches("[aria-invalid]")) wrong.tabIndex = -1;
  wrong.focus();
}

/**
 * What became of a form that was taken stands in the page from its first moment, where it is not read out: reading goes on
 * there, unless the address leads elsewhere in the page. Once all is loaded: going to a place in the page takes the focus away.
 */
window.addEventListener("load", () => {
  const said = document.querySelector('main .messages > [role="status"]');
  const leadsElsewhere = document.querySelector(":target") !== null && said?.closest("section") === null;
  if (said === null || leadsElsewhere || document.activeElement !== document.body) return;
  said.tabIndex = -1;
  said.focus({ preventScroll: true });
});

/**
 * Whoever has to sign in before a form is taken finds in it again what they had written: until then it is kept in this tab, for
 * them alone.
 */
const WRITTEN = 'textarea, select, input:not([type="hidden"], [type="password"], [type="checkbox"], [type="radio"], [type="file"])';
const actOf = (form) => new URL(form.getAttribute("action") ?? "", window.location.href).pathname;
const player = document.querySelector('meta[name="player"]')?.content ?? "";

document.addEventListener("submit", ({ target: form }) => {
  if (form.method !== "post" || form.matches('[action*="/account/"]')) return;
  const fields = [...form.querySelectorAll(WRITTEN)].map(({ name, value }) => [name, value]);
  keepInTab(JSON.stringify({ act: actOf(form), by: player, fields }));
});

/** Keep this, or nothing any more (""). @returns {string} what was kept before; nothing where the browser keeps nothing for us. @param {string} text */
function keepInTab(text) {
  try {
    const before = window.sessionStorage.getItem("written") ?? "";
    if (text === "") window.sessionStorage.removeItem("written");
    else window.sessionStorage.setItem("written", text);
    return before;
  } catch {
    return "";
  }
}

const isSigningIn = (address) => address !== "" && new URL(address).pathname.includes("/account/");
if (!isSigningIn(window.location.href) && document.querySelector('main a[href*="/account/login/"]') === null) {
  const { act, by, fields } = JSON.parse(keepInTab("") || "{}");
  const isBack = isSigningIn(document.referrer) && (by === "" || by === player);
  const form = isBack ? [...document.forms].find((each) => each.method === "post" && actOf(each) === act) : undefined;
  for (const [name, value] of form ? fields : []) {
    const field = form.elements.namedItem(name);
    if (field?.matches?.(WRITTEN)) field.value = value;
  }
}
