/**
 * Putting a fresh table in the place of the one shown: only the parts that differ, so that what is open stays open and the
 * focus stays where it was.
 */
import { FIELD, isFilled, isTicked } from "../filled.js";
import { remember, play } from "./motion.js";

const ONE_ACTION = new Set(["hand", "ask"]); // their forms are about one action: the next starts anew

/** @returns {number} the action after which a table stands. */
export const numberOf = (table) => Number(table.dataset.number);

/** The table in an answer (a fragment or a whole page), null if there is none. */
export function parseTable(text) {
  return new DOMParser().parseFromString(text, "text/html").getElementById("table");
}

/**
 * @param {HTMLElement} shown
 * @param {HTMLElement} fresh belongs to another document; its parts are taken over
 * @param {() => void} settle called when the parts are in place, before the focus is looked for
 * @param {string} sent which act (`data-act`) the table answers: its form begins anew, others keep what is filled in
 */
export function swap(shown, fresh, settle, sent = "") {
  const before = remember(shown);
  const focus = whereIsFocus(shown);
  for (const { name, value } of [...fresh.attributes]) shown.setAttribute(name, value);
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = shown.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old === null) continue;
    if (same(old, part)) {
      renewIds(old, part);
      continue;
    }
    keepOpen(old, part);
    const placed = document.importNode(part, true);
    if (!ONE_ACTION.has(part.dataset.part)) keepFilled(old, placed, sent);
    old.replaceWith(placed);
  }
  const prompt = shown.querySelector("#prompt");
  const asked = fresh.querySelector("#prompt").textContent;
  if (prompt.textContent !== asked) prompt.textContent = asked; // a status: it speaks when its text changes
  settle();
  giveFocusBack(shown, focus);
  const writing = document.activeElement?.closest(".talk") != null; // nobody is taken away from what they write
  if (shown.dataset.yours === "yes" && outOfSight(prompt) && !writing) shown.scrollIntoView({ block: "start" });
  play(shown, before);
}

/** Whether the reader has scrolled past something, to the log or down a long list of phrases. */
function outOfSight(element) {
  const box = element.getBoundingClientRect();
  return box.bottom < 0 || box.top > window.innerHeight;
}

const HIDDEN = 'input[name="csrfmiddlewaretoken"], input[name="request_id"], input[name="expected"]';

/** Whether two parts show the same, the tokens of their forms and what the script adds to the cards aside. */
function same(old, part) {
  const plain = (node) => {
    const copy = node.cloneNode(true);
    for (const input of copy.querySelectorAll(HIDDEN)) input.removeAttribute("value");
    for (const card of copy.querySelectorAll("button.held")) {
      card.removeAttribute("tabindex");
      card.removeAttribute("aria-pressed");
    }
    return copy.innerHTML;
  };
  return plain(old) === plain(part);
}

/** The forms of a part that stays must carry the fresh number and request id. */
function renewIds(old, part) {
  const fresh = part.querySelectorAll(HIDDEN);
  old.querySelectorAll(HIDDEN).forEach((input, place) => {
    input.value = fresh[place].value;
    input.setAttribute("value", fresh[place].value);
  });
}

function keepOpen(old, part) {
  for (const details of old.querySelectorAll("details[id]")) {
    const fresh = part.querySelector(`details#${details.id}`);
    if (fresh !== null) fresh.open = details.open;
  }
}

/** What is filled in and not sent yet stays as others play on: a day, a choice. */
function keepFilled(old, placed, sent) {
  for (const field of old.querySelectorAll(`${FIELD}[name]`)) {
    const act = field.form?.dataset.act;
    if (act === undefined || act === sent || !isFilled(field)) continue;
    const which = isTicked(field) ? `[value="${CSS.escape(field.value)}"]` : "";
    const fresh = placed.querySelector(`form[data-act="${act}"] ${FIELD}[name="${field.name}"]${which}`);
    if (fresh === null || fresh.type !== field.type) continue;
    if (isTicked(field)) fresh.checked = field.checked;
    else if (field.tagName !== "SELECT" || [...fresh.options].some((option) => option.value === field.value)) {
      fresh.value = field.value;
    }
  }
}

function whereIsFocus(shown) {
  const active = document.activeElement;
  if (active === null || active === document.body) return { kind: "nowhere" };
  if (!shown.contains(active)) return { kind: "elsewhere" };
  const part = active.closest("[data-part]")?.dataset.part ?? "prompt";
  return { kind: "inside", part, id: active.id, name: active.getAttribute("name"), value: active.getAttribute("value") };
}

function giveFocusBack(shown, focus) {
  if (focus.kind === "elsewhere" || shown.contains(document.activeElement)) return;
  const card = () => shown.querySelector('[data-part="hand"] [tabindex="0"]');
  const panel = () => shown.querySelector('[data-part="ask"] :is(summary, button, input:not([type="hidden"]), select)');
  if (focus.kind === "nowhere") {
    return; // nobody was anywhere: a reader's own place is not ours to choose
  }
  const same = focus.id
    ? document.getElementById(focus.id)
    : focus.name !== null && shown.querySelector(`[name="${focus.name}"][value="${CSS.escape(focus.value ?? "")}"]`);
  const target = same || (focus.part === "hand" ? card() : (panel() ?? card())) || shown.querySelector("#prompt");
  if (target.id === "prompt") target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
