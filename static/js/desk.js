/**
 * The director's desk, live: when something has happened in the tournament, the parts of the page that have changed are put
 * in place, except where somebody is typing. The page is whole without it: its forms are ordinary forms.
 */
import { holdsFilled } from "./filled.js";
import { untilLetGo } from "./let_go.js";
import { oneAtATime } from "./once.js";
import { listen } from "./tournament_bell.js";

const desk = () => document.getElementById("desk");
const numberOf = (shown) => Number(shown.dataset.number);
const FRESH = 5_000; // a page that has just been loaded needs no comparing

/** Whether somebody has begun to write something there, or stands in a field. */
function isWriting(part) {
  if (part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea")) return true;
  return holdsFilled(part);
}

/** Whether two parts show the same, the tokens of their forms and the running clock aside. */
function same(old, part) {
  const plain = (node) => {
    const copy = node.cloneNode(true);
    for (const input of copy.querySelectorAll('input[type="hidden"]')) input.removeAttribute("value");
    for (const time of copy.querySelectorAll("[data-ends]")) time.textContent = "";
    return copy.innerHTML;
  };
  return plain(old) === plain(part);
}

/** Put what has changed in the place of what is shown. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("desk");
  const shown = desk();
  if (fresh === null || numberOf(fresh) < numberOf(shown)) return;
  const open = new Set([...shown.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = shown.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old === null || isWriting(old) || same(old, part)) continue;
    const focused = old.contains(document.activeElement);
    const copy = document.importNode(part, true);
    for (const summary of copy.querySelectorAll("details > summary")) {
      if (open.has(summary.textContent)) summary.parentElement.open = true;
    }
    old.replaceWith(copy);
    if (focused) copy.querySelector("a, button")?.focus({ preventScroll: true });
  }
  shown.dataset.number = fresh.dataset.number;
  tick();
}

/** Ask for the page as it is now. */
const catchUp = oneAtATime(async () => {
  const answer = await fetch(window.location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const text = await answer.text();
  await untilLetGo();
  show(text);
});

/** The clock of a round, to the second. */
function tick() {
  for (const shown of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.floor((Date.parse(shown.dataset.ends) - Date.now()) / 1000));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

/** While points are typed: the other side's follow where there are two, and a wrong sum is seen at once. */
function count(form) {
  const total = Number(form.dataset.total);
  const fields = [...form.querySelectorAll("[name^=s]")].filter((field) => /^s\d$/.test(field.name));
  const deals = Number(form.querySelector("[name=of]")?.value || 1);
  const written = fields.filter((field) => field.value.trim() !== "");
  const output = form.querySelector("output");
  if (output === null) return;
  if (written.length < fields.length) {
    output.textContent = "";
    return;
  }
  const sum = fields.reduce((all, field) => all + Number(field.value.replace("−", "-")), 0);
  output.textContent = sum === total * deals ? `${sum} ✓` : `${sum} ≠ ${total * deals}`;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-slip][data-total]");
  if (form) count(form);
});

if (desk() !== null) {
  listen({
    part: desk,
    catchUp,
    compare: async () => {
      if (performance.now() > FRESH && document.visibilityState === "visible") await catchUp();
    },
  });
  setInterval(tick, 1000);
  tick();
}
