/**
 * The table on a phone: entries go through the queue, so that nothing is lost without a network; the sheet shows at once what
 * was entered, and what the other phone writes comes by itself. Without this script the forms are plain forms.
 */
import "./clock.js";
import { check, choose } from "./entry.js";
import { canKeep, keepPage } from "./offline_copy.js";
import { openQueue, showQueue } from "./queue.js";
import { numberOf, withMinus } from "../points.js";
import { newId, post } from "../site.js";
import "../live.js";

const root = () => document.getElementById("hall-live");
const firstOpen = () => document.querySelector(".deal:not([data-written])");
const lineOf = (deal) => document.querySelector(`.deal[data-deal="${deal}"]`);
const said = document.getElementById("said");
let queue;
let entries = []; // what waits or was refused, of all tables this phone wrote for
let justSent = []; // what the site has taken and this page does not show yet
let chosen = /[?&]deal=(\d+)(&|$)/.exec(window.location.search)?.[1] ?? ""; // a deal somebody wants to change
let keeping = 0;

const own = (entry) => entry.url.startsWith(window.location.pathname);
const scoresIn = (fields) => Object.keys(fields).filter((name) => /^s\d+$/.test(name)).map((name) => fields[name]);
const waiting = () => entries.filter((entry) => entry.refused === "");

// What is shown of the queue ------------------------------------------------------------------------------------------

/** The site's own words of what was written over, by line or total. */
const under = new Map();

/** Put entries that wait into the sheet, as if they were there, and marked. */
function overlay() {
  for (const [node, was] of under) {
    if (node.matches(".deal")) {
      node.innerHTML = was.html;
      node.dataset.seen = was.seen;
      node.toggleAttribute("data-written", was.written);
      node.removeAttribute("data-waits");
    } else node.textContent = was.html;
  }
  under.clear();
  for (const entry of [...justSent, ...waiting().filter(own)]) {
    const line = entry.kind === "deal" ? lineOf(entry.fields.deal) : null;
    if (line === null) continue;
    if (!under.has(line)) {
      under.set(line, { html: line.innerHTML, seen: line.dataset.seen, written: line.hasAttribute("data-written") });
    }
    const scores = scoresIn(entry.fields).map((value) => String(numberOf(value) ?? value));
    for (const [place, shown] of [...line.querySelectorAll(".score[data-label]")].entries()) shown.textContent = withMinus(scores[place]);
    line.dataset.seen = scores.join(",");
    line.setAttribute("data-written", "");
    if (!justSent.includes(entry)) {
      line.setAttribute("data-waits", "");
      line.querySelector(".deal-about").textContent = gettext("waits to be sent");
      const change = line.querySelector("[data-choose]");
      if (change) change.firstChild.textContent = gettext("Change");
    }
  }
  if (under.size) totals();
}

/** Add up what the lines show. Where somebody looks on in turn the site does it, once it knows. */
function totals() {
  if (root().dataset.inTurn === "yes") return;
  const sums = new Map();
  for (const line of document.querySelectorAll(".deal[data-written]")) {
    if (line.dataset.extra) continue;
    for (const [place, score] of line.dataset.seen.split(",").entries()) sums.set(place, (sums.get(place) ?? 0) + Number(score));
  }
  for (const [place, sum] of sums) {
    for (const shown of document.querySelectorAll(`[data-total-of="${place}"]`)) {
      if (!under.has(shown)) under.set(shown, { html: shown.textContent });
      shown.textContent = withMinus(sum);
    }
  }
}

function showEntries() {
  const wait = waiting();
  const deals = wait.filter((entry) => entry.kind === "deal").length;
  const things = wait.length - deals;
  const parts = [];
  if (deals) parts.push(interpolate(ngettext("%(count)s deal waits to be sent.", "%(count)s deals wait to be sent.", deals), { count: deals }, true));
  if (things) parts.push(interpolate(ngettext("%(count)s more message waits.", "%(count)s more messages wait.", things), { count: things }, true));
  if (wait.length && !queue.lasts) parts.push(gettext("This browser keeps nothing: leave the page open until they are sent."));
  else if (wait.length && !canKeep) parts.push(gettext("They stay on this phone, but without a network this page cannot be opened again: better leave it open."));
  showQueue(document.getElementById("queue"), entries, parts.join(" "), againstTheSheet);
}

/** A refused entry once more, against the sheet as it stands now: whoever presses this has seen it. */
function againstTheSheet({ fields, kind, url }) {
  if (!("seen" in fields) || !own({ url })) return fields;
  const line = ["deal", "erase"].includes(kind) ? lineOf(fields.deal) : null;
  return { ...fields, seen: line?.dataset.seen ?? root().dataset.sheet };
}

function whatIsKept() {
  if (!queue.lasts) return gettext("This browser keeps nothing on this device. Without a network, leave the page open: entries would be lost on closing it.");
  if (!canKeep) return gettext("This address is not secure (no https): without a network, entries stay on this phone, but the page cannot be opened again. Leave it open.");
  return gettext("Without a network you can go on writing, and close the page: it opens again, and sends everything later.");
}

/**
 * The deal somebody wants to change stays in the form; else the first that nobody has written comes, waiting ones counted as
 * written. Nothing comes over what is being typed.
 */
function goOn() {
  const form = document.getElementById("entry");
  if (form === null) return;
  if ([...form.querySelectorAll(".points input")].some((input) => input.value !== input.defaultValue)) return;
  const { value: deal } = form.elements.namedItem("deal");
  if (deal === chosen) return;
  const wanted = chosen === "" ? null : lineOf(chosen);
  if (wanted !== null) {
    choose(wanted, { focus: false });
    const field = document.activeElement;
    if (field.closest("#entry .points")) field.select(); // as it was chosen: what is typed takes the place of what is there
    return;
  }
  chosen = "";
  const now = lineOf(deal);
  if (now === null) return;
  const next = firstOpen();
  if (next === null) form.hidden = true;
  else if (next !== now || form.hidden) choose(next, { focus: false });
}

/** The sheet can be handed in as soon as this page has every deal, also one that waits; a short one from the first on. */
function offerHandIn() {
  const written = [...document.querySelectorAll(".deal[data-written]")];
  const some = written.length > 0;
  const all = some && firstOpen() === null;
  for (const form of document.querySelectorAll('form[data-queue="hand-in"]')) {
    form.elements.namedItem("seen").value = written.map(({ dataset: { deal, seen } }) => `${deal}:${seen}`).join(";");
    form.hidden = form.dataset.length === "whole" ? !all : all || !some;
  }
}

/** What waits is not sent twice: its button says so, and keeps the focus of whoever pressed it. */
const isHeld = (kind) => kind !== "deal" && waiting().some((entry) => own(entry) && entry.kind === kind);

function holdButtons() {
  for (const button of document.querySelectorAll('form[data-queue]:not([data-queue="deal"]) button')) {
    button.ariaDisabled = isHeld(button.form.dataset.queue) ? "true" : null;
  }
}

function shown() {
  // Keyboards of phones without a minus are bigger: with the button beside it, the pad of figures is enough.
  for (const input of document.querySelectorAll(".points input")) input.inputMode = "numeric";
  overlay();
  goOn();
  offerHandIn();
  holdButtons();
}

// Entering --------------------------------------------------------------------------------------------------------------

/** What an entry is, in words, for when it is refused. */
function wordsOf(kind, fields) {
  const told = { number: fields.deal, scores: scoresIn(fields).map(withMinus).join(" : ") };
  return {
    deal: interpolate(gettext("Deal %(number)s: %(scores)s"), told, true),
    erase: interpolate(gettext("Erase deal %(number)s"), told, true),
    "hand-in": gettext("Hand in the sheet"),
    "take-back": gettext("Take the sheet back"),
    confirm: gettext("Confirm the sheet"),
    dispute: gettext("Our own version of the sheet"),
  }[kind];
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-queue]");
  if (form === null || !queue) return;
  event.preventDefault();
  const kind = form.dataset.queue;
  if (isHeld(kind) || (kind === "deal" && !check())) return;
  const { request_id: _, ...fields } = Object.fromEntries(new FormData(form)); // the queue gives it an id
  const what = wordsOf(kind, fields);
  for (const input of form.querySelectorAll("input:not([type=hidden])")) {
    input.defaultValue = input.value; // taken: nobody is typing it any more
    input.defaultChecked = input.checked;
  }
  if (kind === "deal") chosen = "";
  const made = { url: new URL(form.action).pathname, kind, fields, what };
  // Shown before it is kept: what is typed next belongs to the next deal, however slowly this device writes.
  entries = [...entries, { id: "", order: Infinity, refused: "", ...made }];
  shown();
  if (kind === "deal") said.textContent = what; // what becomes of the sheet is told by the site
  if (kind === "deal" && lineOf(fields.deal) !== null) {
    // The line of an extra deal comes with the answer.
    const next = firstOpen();
    if (next !== null) choose(next);
    else document.querySelector('form[data-length="whole"] button')?.focus();
  }
  await queue.add(made);
});

/** The digits of the other side are judged at once, so they need the network. */
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.digits");
  if (form === null) return;
  event.preventDefault();
  const says = form.querySelector(".digits-say");
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const told = await (await post(form.action, new FormData(form))).json();
    says.textContent = told.done ? "" : told.message;
    form.reset();
    if (told.done || told.code === "stale") look();
    else form.elements.namedItem("request_id").value = newId();
  } catch {
    says.textContent = gettext("There is no network now. Try again, or let the other side sign the paper slip.");
  } finally {
    button.disabled = false;
  }
});

document.addEventListener("click", (event) => {
  const change = event.target.closest("[data-choose], #entry-leave");
  const form = document.getElementById("entry");
  if (change === null || form === null) return;
  event.preventDefault();
  chosen = change.dataset.choose ?? "";
  const wanted = chosen === "" ? firstOpen() : lineOf(chosen);
  if (wanted !== null) choose(wanted);
  else form.hidden = true;
});

// Beginning -------------------------------------------------------------------------------------------------------------

/** Ask whether something has changed. */
const look = () => htmx.trigger(root(), "update");

document.addEventListener("live:shown", () => {
  const number = Number(root().dataset.number); // it may be an answer from before the last entries
  justSent = justSent.filter((entry) => entry.number > number);
  under.clear(); // the lines are new ones
  shown();
  clearTimeout(keeping);
  keeping = setTimeout(keepPage, 400); // so that it opens as it is now
});

window.addEventListener("beforeunload", (event) => {
  if (queue?.lasts === false && waiting().length) event.preventDefault();
});

queue = await openQueue({
  onChange: (all) => {
    entries = all;
    showEntries();
    shown();
  },
  onSent: (entry, told) => {
    if (told.done && own(entry)) justSent.push({ ...entry, number: told.number });
    look();
  },
});
document.getElementById("keeping").textContent = whatIsKept();
await queue.start();
await keepPage();
