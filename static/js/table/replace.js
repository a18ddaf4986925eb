/**
 * Putting a fresh table in the place of the one shown: only the parts that differ, so that what is open stays open and the
 * focus stays where it was.
 */
import { FIELD, isFilled, isTicked } from "../form_state.js";
import { copyAttributes, keepOpen, plain, renewHidden } from "../live.js";
import { remember, play } from "./motion.js";

const ONE_ACTION = new Set(["hand", "ask"]); // their forms are about one action: the next starts anew

/** @returns {number} the action after which a table stands. */
export const numberOf = (table) => Number(table.dataset.number);

/**
 * @param {HTMLElement} shown
 * @param {HTMLElement} fresh belongs to another document; its parts are taken over
 * @param {() => void} settle called when the parts are in place, before the focus is looked for
 * @param {string} sent which act (`data-act`) the table answers: its form begins anew, others keep what is filled in
 */
export function swap(shown, fresh, settle, sent = "") {
  const before = remember(shown);
  const focus = whereIsFocus(shown);
  copyAttributes(shown, fresh);
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = shown.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old === null) continue;
    if (plain(old) === plain(part)) {
      renewHidden(old, part);
      continue;
    }
    const placed = document.importNode(part, true);
    keepOpen(old, placed);
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
