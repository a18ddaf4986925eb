/**
 * Pages that keep themselves up to date: the htmx extension `live`.
 *
 *   <div id="director" hx-ext="live" hx-get="" hx-trigger="update" hx-swap="parts" data-number="7" data-socket="/ws/e/k3f/">
 *
 * `hx-swap="parts"` takes the element of the same id from the answer, unless its `data-number` is lower, and puts those of
 * its parts ([data-part]) in place that show something else; without parts, all it holds. Nothing is renewed under a
 * finger, a part in which somebody types or has filled something in, or in which a form was refused, stays, folds stay open,
 * and the focus stays where it was. The answer to a form that was sent begins that form anew, and takes the place of its part
 * at once, also where it was refused, and where a renewal with a higher number came first. What is refused in a part of its
 * own, `data-part="refusal"`, stays until the next form is answered. Then the element sends `live:shown`. `data-said` is said
 * to screen readers, in #said; `data-title` is the title of the window.
 *
 * `data-focus` says where the focus goes when what had it is gone; else it is the first of the part that can have it.
 * `data-at-once` renews under a finger, too: parts that stay as they are are never touched.
 *
 * `data-socket` rings when something has happened: the element gets the event `update` if the number told is beyond its own,
 * also when the page comes into view, once a minute, and every few seconds while the line is down, which `live:line` tells
 * (`detail` is whether it is up). Nothing depends on the line. `data-spread` is over how many milliseconds many pages
 * spread their asking. A page that nobody looks at asks for nothing but what rang. The event `live:say` is said over the line
 * (its `detail`), and is then prevented.
 */
import { made, post, setText } from "./site.js";

// What is filled in and not sent yet -------------------------------------------------------------------------------------

/** What people fill in, inside a part. */
export const FIELD = ':is(input:not([type="hidden"]), select, textarea)';

export const isTicked = (field) => field.type === "checkbox" || field.type === "radio";

/** Whether a field says other than it came. */
export function isFilled(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const first = Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.selectedIndex !== first;
}

/** A form that was refused came back with what was typed: that is still to be sent. */
const wasRefused = (part) => part.querySelector('form [role="alert"]') !== null;

const holdsFilled = (part) => wasRefused(part) || [...part.querySelectorAll(FIELD)].some(isFilled);

/** What was refused is still to be read, whatever others do. */
const isRefusal = (part) => part.dataset.part === "refusal" && part.querySelector('[role="alert"]') !== null;

// What is put in place --------------------------------------------------------------------------------------------------

const HIDDEN = 'input[type="hidden"]';

/** What a part shows, but for the tokens of its forms, running clocks, what is open or lifted here, and what a script arranges. */
export function plain(part) {
  const copy = part.cloneNode(true);
  for (const input of copy.querySelectorAll(HIDDEN)) input.removeAttribute("value");
  for (const fold of copy.querySelectorAll("details")) fold.removeAttribute("open");
  for (const changed of copy.querySelectorAll("[data-ends], [data-arranged]")) changed.textContent = "";
  for (const timed of copy.querySelectorAll("[data-now]")) {
    timed.removeAttribute("data-now"); // how late it was when it came
    timed.removeAttribute("data-learned");
    timed.removeAttribute("data-little");
  }
  for (const card of copy.querySelectorAll("button.held, .held input")) {
    card.removeAttribute("tabindex");
    card.removeAttribute("aria-pressed");
  }
  for (const box of copy.querySelectorAll(".held input")) {
    box.removeAttribute("disabled"); // why it cannot be chosen stands beside it
    box.removeAttribute("aria-disabled");
    box.removeAttribute("data-ticked-at");
  }
  return copy.innerHTML;
}

/** The forms of a part that stays carry fresh numbers and request ids. */
export function renewHidden(old, part) {
  const fresh = part.querySelectorAll(HIDDEN);
  old.querySelectorAll(HIDDEN).forEach((input, place) => (input.value = fresh[place].value));
}

/** Which fold of a part it is: by its id, or by where it stands and what it says, numbers aside. */
function foldKey(fold, part) {
  const near = fold.parentElement.closest("[id]");
  const words = fold.querySelector("summary")?.textContent.replace(/\d+/g, "").trim();
  return fold.id || `${part.contains(near) ? near.id : ""} ${words}`;
}

/** Let a part that takes the place of another one have open what is open there. */
export function keepOpen(old, placed) {
  const open = new Map([...old.querySelectorAll("details")].map((fold) => [foldKey(fold, old), fold.open]));
  for (const fold of placed.querySelectorAll("details")) fold.open = open.get(foldKey(fold, placed)) ?? fold.open;
}

/** What finds an element again in its renewed part; `data-same` stands on those that do different things in turn. */
export function described(element) {
  const own = ["id", "data-same"].filter((name) => element.hasAttribute(name));
  const names = own.length > 0 ? own : ["href", "name", "value"].filter((name) => element.hasAttribute(name));
  return element.localName + names.map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`).join("");
}

const isTyping = (part) => part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");

export function copyAttributes(shown, fresh) {
  for (const { name, value } of [...fresh.attributes]) if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
}

/** Put a part in the place of the one shown. @returns {Element} what stands there now */
function place(old, part, root, sent, carry) {
  if (plain(old) === plain(part)) {
    copyAttributes(old, part);
    renewHidden(old, part);
    return old;
  }
  const stands = carry === null && !(sent !== null && old.contains(sent));
  if (stands && (holdsFilled(old) || (isRefusal(old) && sent === null) || (isTyping(old) && root.dataset.typing !== "renew"))) return old;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const placed = document.importNode(part, true);
  keepOpen(old, placed);
  carry?.(old, placed);
  const stays = old === root || old.matches("[role=status]"); // what is said when its text changes
  if (stays) {
    copyAttributes(old, part);
    old.replaceChildren(...placed.childNodes);
  } else {
    old.replaceWith(placed);
  }
  const now = stays ? old : placed;
  // Not the root itself: htmx would forget what waits there to be sent.
  for (const fresh of stays ? old.children : [placed]) htmx.process(fresh);
  if (focused !== null && focused !== old) {
    const first = old === root || root.dataset.focus || carry ? null : now.querySelector("summary, a, button");
    (now.querySelector(described(focused)) ?? first)?.focus({ preventScroll: true });
  }
  return now;
}

/** Where what stands in a fresh element stands here: in a part, or in what a part or the root holds. */
function holderOf(element, root, fresh) {
  if (element === fresh) return root;
  if (element.dataset.part) return named(root, element);
  return holderOf(element.parentElement, root, fresh)?.querySelector(`:scope > ${element.localName}`) ?? null;
}

const named = (root, part) => root.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);

/**
 * Make an element show what a fresh one shows. `sent` is the form whose answer this is: it begins anew. With `carry`, no part stays
 * because something is filled in: it takes that from the old part to the fresh one, and whoever calls gives the focus back.
 */
export function renew(root, fresh, sent = null, carry = null) {
  const isOvertaken = Number(fresh.dataset.number) < Number(root.dataset.number);
  if (isOvertaken && sent === null) return;
  if (!isOvertaken) copyAttributes(root, fresh);
  const focused = root.contains(document.activeElement);
  const preventScroll = !document.activeElement.matches(":focus-visible"); // who goes by keys sees where they are now
  // Of an overtaken answer, what tells what became of the form: the rest is newer here.
  const answers = (part) => named(root, part)?.contains(sent) || part.querySelector('[role="alert"]') !== null;
  const isShown = (part) => !isOvertaken || (part.querySelector("[data-part]") === null && answers(part));
  const parts = [...fresh.querySelectorAll("[data-part]")].filter(isShown);
  const own = [...root.querySelectorAll("[data-part]")].filter((part) => part.parentElement.closest('[hx-ext="live"]') === root);
  const gone = new Set(isOvertaken ? [] : own);
  const added = [];
  if (!isOvertaken && parts.length + gone.size === 0) place(root, fresh, root, sent, carry);
  for (const part of parts) {
    let shown = named(root, part);
    const before = part.previousElementSibling;
    const after = before?.dataset.part === undefined ? null : named(root, before);
    gone.delete(shown);
    if (shown === null) {
      const holder = holderOf(part.parentElement, root, fresh);
      if (holder === null) continue;
      shown = document.importNode(part, true);
      added.push(shown);
      const first = holder.querySelector(":scope > [data-part]");
      if (after !== null) after.after(shown);
      else holder.insertBefore(shown, first ?? (before === null ? holder.firstChild : null));
    } else if (part.querySelector("[data-part]") !== null && shown.querySelector("[data-part]") !== null) {
      copyAttributes(shown, part);
    } else {
      shown = place(shown, part, root, sent, carry);
    }
    const isBehind = after === null || after.compareDocumentPosition(shown) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!isBehind) after.after(shown); // what is moved loses the focus
  }
  for (const part of gone) if (part.isConnected && (part.contains(sent) || !holdsFilled(part))) part.remove();
  if (focused && !root.contains(document.activeElement) && root.dataset.focus) {
    document.querySelector(root.dataset.focus)?.focus({ preventScroll });
  }
  added.forEach((part) => htmx.process(part));
  if (fresh.dataset.said) setText(document.getElementById("said"), fresh.dataset.said);
  if (fresh.dataset.title) document.title = fresh.dataset.title;
  root.dispatchEvent(new CustomEvent("live:shown", { bubbles: true }));
}

// Nothing is renewed under a finger: what is replaced between pressing and letting go takes the press with it, and somebody taps
// a button in vain.

const LONGEST_PRESS = 30_000; // whoever holds longer presses nothing, or the letting go was not told to us

let pressing = false;
let holding = 0;
const waiting = [];

function press() {
  pressing = true;
  clearTimeout(holding);
  holding = setTimeout(letGo, LONGEST_PRESS);
}

/** The click comes right after the letting go: it is to find its button still there. */
function letGo() {
  if (!pressing) return;
  pressing = false;
  clearTimeout(holding);
  setTimeout(() => {
    if (!pressing) for (const resolve of waiting.splice(0)) resolve(); // pressed anew: then it is waited for that one
  });
}

const options = { capture: true, passive: true };
window.addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && press(), options);
window.addEventListener("keydown", (event) => event.key === " " && press(), options);
// A press that is cancelled became scrolling.
for (const kind of ["pointerup", "pointercancel", "keyup"]) window.addEventListener(kind, letGo, options);
window.addEventListener("blur", letGo); // of the window, not of a field in it

/** Resolves when nothing is being pressed: at once, as a rule. */
export const untilLetGo = () => (pressing ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve());

// Asking and sending ----------------------------------------------------------------------------------------------------

const FRESH = 5_000; // a page that has just come says the same when it comes again

/** The page itself says best what has become of it. */
function reload() {
  if (performance.now() > FRESH) window.location.reload();
}

const BY_ITSELF = new Set(["hx:poll:trigger", "visibilitychange"]);

/** Renew an element, unless somebody who hears `live:renew` does it their own way. */
function show(root, fresh, form = null) {
  const event = new CustomEvent("live:renew", { cancelable: true, detail: { fresh } });
  if (root.dispatchEvent(event)) renew(root, fresh, form);
}

/** The form whose answer comes in, null if nothing was sent. @type {HTMLFormElement | null} */
let sent = null;

htmx.defineExtension("live", {
  handleSwap(style, target, fragment) {
    if (style !== "parts") return false;
    const fresh = fragment.querySelector(`#${target.id}`);
    const form = sent;
    if (fresh === null) reload(); // it is closed to us, or the session over
    else if (form !== null || "atOnce" in target.dataset) show(target, fresh, form);
    else void untilLetGo().then(() => show(target, fresh));
    return [];
  },
  onEvent(name, { detail }) {
    if (name === "htmx:configRequest") {
      const { elt, triggeringEvent, verb } = detail;
      if (document.visibilityState !== "visible" && BY_ITSELF.has(triggeringEvent?.type)) return false;
      detail.path = elt.getAttribute(`hx-${verb}`) || window.location.href; // it may be another one since the last time
      const pressed = triggeringEvent?.submitter; // not the button that was pressed last while this one waited
      if (pressed?.name) detail.parameters[pressed.name] = pressed.value;
    } else if (name === "htmx:beforeSwap") {
      const { requestConfig, serverResponse, target, xhr } = detail;
      if ([403, 404].includes(xhr.status) && requestConfig.verb === "get") reload(); // it has ended
      const number = xhr.getResponseHeader("X-Number"); // nothing has changed up to there
      if (xhr.status === 204 && number !== null) target.dataset.number = number;
      sent = requestConfig.verb === "post" ? requestConfig.elt : null;
      const answers = serverResponse.includes(`id="${target.id}"`); // what was refused comes with the reason
      if (xhr.status >= 400 && xhr.status < 500 && answers) Object.assign(detail, { shouldSwap: true, isError: false });
      if (detail.shouldSwap && answers && !requestConfig.elt.isConnected && target.getAttribute("hx-swap") === "parts") {
        // A renewal took the form out of the page, and with it what says how its answer is put in place.
        detail.shouldSwap = false;
        htmx.swap(target, serverResponse, { swapStyle: "parts" }, { contextElement: target });
      }
    }
    return true;
  },
});

/** What became of a request is told at the document also where a renewal took the form that sent it out of the page. */
function retell({ type, target, detail }) {
  if (!target.isConnected) document.dispatchEvent(new CustomEvent(type, { detail }));
}
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  for (const name of ["afterRequest", "sendError", "responseError", "timeout"]) elt.addEventListener(`htmx:${name}`, retell);
});

/** A form, or a button that changes rows ([data-rows]), that got no answer is sent as without script. */
function sendPlainly({ detail: { requestConfig, target } }) {
  const { elt, triggeringEvent, verb } = requestConfig;
  const root = target.closest?.('[hx-ext="live"]');
  const changesRows = elt.matches?.("[data-rows]");
  if (!changesRows && (verb !== "post" || !root || "failed" in root.dataset || !(elt instanceof HTMLFormElement))) return;
  const form = changesRows ? elt.form : elt;
  const { name = "", value = "" } = (changesRows ? elt : triggeringEvent.submitter) ?? {};
  form.append(made("input", { type: "hidden", name, value }));
  if (!form.isConnected) document.body.append(form);
  form.submit();
}
for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) document.addEventListener(failed, sendPlainly);

// The line --------------------------------------------------------------------------------------------------------------

const EVERY_MINUTE = 60_000;
const WHILE_AWAY = 5_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const PATIENCE = 1_500; // how long the line may be down before we speak of it
const CLOSED_TO_US = 4403;
const REFUSED = 4400; // from here on there is no use in trying again

/** Connect, and keep comparing for as long as the page lives. @param {HTMLElement} root */
function listen(root) {
  let socket = null;
  let wait = FIRST_WAIT;
  let reconnecting = 0;
  let worrying = 0;
  let heard = 0; // the latest number that rang; where none are told, how often it rang
  let asked = 0; // what had been heard when the last request went out

  const numbered = "number" in root.dataset;
  const isUp = () => socket?.readyState === WebSocket.OPEN;
  const inView = () => document.visibilityState === "visible";
  const compare = () => htmx.trigger(root, "update");
  const lacks = () => !numbered || heard > Number(root.dataset.number);
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
  const tellLine = (up) => root.dispatchEvent(new CustomEvent("live:line", { detail: up }));

  function connect() {
    clearTimeout(reconnecting);
    if (socket !== null && socket.readyState <= WebSocket.OPEN) return;
    socket = new WebSocket(root.dataset.socket);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      clearTimeout(worrying);
      worrying = 0;
      tellLine(true);
      if (!numbered) compare(); // others are told their number at once
      tell("chat:changed"); // what was written or proposed while the line was down
      tell("watching:changed");
    });
    socket.addEventListener("message", (event) => {
      const { number, chat, rematch, watchers, watching } = JSON.parse(event.data);
      heard = numbered ? Math.max(heard, number ?? 0) : heard + 1;
      if (lacks() || rematch !== undefined) setTimeout(compare, Math.random() * Number(root.dataset.spread ?? 0));
      if (chat !== undefined) tell("chat:changed");
      if (Number.isInteger(watchers)) tell("watching:count", watchers);
      if (watching !== undefined) tell("watching:changed");
    });
    socket.addEventListener("close", ({ code }) => {
      if (code === CLOSED_TO_US) window.location.reload(); // the page says so
      if (code >= REFUSED) return;
      worrying ||= setTimeout(() => tellLine(false), PATIENCE);
      reconnecting = setTimeout(connect, wait * (0.5 + Math.random()));
      wait = Math.min(wait * 1.7, LONGEST_WAIT);
    });
  }

  function lookNow() {
    compare();
    wait = FIRST_WAIT;
    connect();
  }

  connect();
  root.addEventListener("live:say", (event) => {
    if (!isUp()) return;
    socket.send(JSON.stringify(event.detail));
    event.preventDefault();
  });
  // What rings while an answer is on its way is not in it, and the request that waits for it goes with the attributes that the
  // answer changes.
  root.addEventListener("htmx:beforeRequest", ({ target }) => {
    if (target === root) asked = heard;
  });
  root.addEventListener("htmx:afterRequest", ({ target, detail }) => {
    if (target === root && detail.successful && asked < heard && lacks()) compare();
  });
  document.addEventListener("visibilitychange", () => inView() && lookNow());
  window.addEventListener("online", lookNow);
  setInterval(() => inView() && compare(), EVERY_MINUTE);
  setInterval(() => numbered && inView() && !isUp() && compare(), WHILE_AWAY);
}

// Looking ---------------------------------------------------------------------------------------------------------------

const SAID_EVERY = 40_000;
const IDLE = 5 * 60_000;

/**
 * Tell the site that somebody is looking at a table: open, in focus, and someone at the keys in the last minutes. As long as
 * that holds, no letter or message is sent about this one table. That they come or go is posted; that they are still there
 * is said over the line, and posted only where there is none.
 * @param {HTMLElement} shown  says where to tell it (`data-looking`), and of which game or table (`data-topic`, a public id)
 */
export function keepLooking(shown) {
  const { looking: address, topic } = shown.dataset;
  let touched = performance.now();
  let looking = false;

  const check = (/** @type {Event | void} */ event) => {
    const leaves = event?.type === "pagehide"; // a page that goes is still in sight, and would say so after it said that it goes
    const now = !leaves && document.visibilityState === "visible" && document.hasFocus() && performance.now() - touched < IDLE;
    const overLine = now && looking && !shown.dispatchEvent(new CustomEvent("live:say", { cancelable: true, detail: { type: "looking" } }));
    // It is said again soon; nothing depends on it.
    if ((now || looking) && !overLine) post(address, now ? { topic } : { topic, away: "1" }).catch(() => {});
    looking = now;
  };

  const touch = () => {
    touched = performance.now();
    if (!looking) check();
  };

  for (const kind of ["pointerdown", "pointermove", "keydown", "scroll"]) document.addEventListener(kind, touch, { passive: true });
  for (const kind of ["focus", "blur", "pagehide"]) window.addEventListener(kind, check);
  document.addEventListener("visibilitychange", check);
  setInterval(check, SAID_EVERY);
  check();
}

document.querySelectorAll("[data-socket]").forEach(listen);
document.querySelectorAll("[data-looking]").forEach(keepLooking);
