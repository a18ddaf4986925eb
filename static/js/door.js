/**
 * The door of a tournament, live: a tap is written without leaving the page, and what somebody else taps is seen at once.
 * The page is whole without it: the list is an ordinary form, the search too.
 */
import { holdsFilled } from "./filled.js";
import { untilLetGo } from "./let_go.js";
import { oneAtATime } from "./once.js";
import { listen } from "./tournament_bell.js";

const door = () => document.getElementById("door");
const said = document.getElementById("said");
const question = document.getElementById("question");
const WAIT = 200; // after the last letter, until we look
let asking = null;
let fading = 0;

/** The list as it is looked for now. */
function address() {
  const search = new URLSearchParams(new FormData(document.querySelector(".door-search")));
  for (const [name, value] of [...search]) if (value === "" || value === "all") search.delete(name);
  const rest = search.toString();
  return rest ? `${door().dataset.url}?${rest}` : door().dataset.url;
}

/** Put what has changed in the place of what is shown; what somebody types in, and menus that are open, stay. */
function show(text, { typed = false } = {}) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("door");
  const shown = door();
  if (fresh === null || Number(fresh.dataset.number) < Number(shown.dataset.number)) return;
  shown.dataset.number = fresh.dataset.number;
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = shown.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old === null) continue;
    if (part.dataset.part === "rows") showRows(old, part);
    else if (typed || !holdsFilled(old)) old.replaceWith(document.importNode(part, true));
  }
  if (fresh.dataset.said) said.textContent = fresh.dataset.said;
  fadeUndo();
}

/** What one tap may take back now, it may not in a few seconds: show the list as it is then. */
function fadeUndo() {
  window.clearTimeout(fading);
  if (door().querySelector(".undo") === null) return;
  fading = window.setTimeout(() => catchUp().catch(() => {}), (Number(door().dataset.undo) + 1) * 1000);
}

/** The rows, one by one where the list has the same people, so that the finger finds what it aimed at. */
function showRows(old, fresh) {
  const keys = (list) => [...list.querySelectorAll("[data-row]")].map((row) => row.dataset.row).join(" ");
  const focused = focusIn(old);
  if (keys(old) !== keys(fresh)) {
    const open = [...old.querySelectorAll("details[open]")].map((menu) => menu.closest("[data-row]")?.dataset.row);
    const next = document.importNode(fresh, true);
    for (const key of open) next.querySelector(`[data-row="${key}"] details`)?.setAttribute("open", "");
    old.replaceWith(next);
  } else {
    old.action = fresh.action;
    for (const row of fresh.querySelectorAll("[data-row]")) {
      const before = old.querySelector(`[data-row="${row.dataset.row}"]`);
      const open = before.querySelector("details[open]") !== null;
      const next = document.importNode(row, true);
      if (open) next.querySelector("details")?.setAttribute("open", "");
      if (!before.isEqualNode(next)) before.replaceWith(next);
    }
  }
  if (focused) door().querySelector(`[data-row="${focused.row}"] ${focused.what}`)?.focus({ preventScroll: true });
}

function focusIn(list) {
  const active = document.activeElement;
  const row = list.contains(active) ? active.closest("[data-row]") : null;
  if (row === null) return null;
  const what = active.matches("summary") ? "summary" : active.closest(".money") ? ".money button" : ".tick";
  return { row: row.dataset.row, what };
}

function failed() {
  const place = door().querySelector('[data-part="refusal"]');
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.dataset.level = "error";
  notice.setAttribute("role", "alert");
  notice.textContent = door().dataset.failed;
  place.replaceChildren(notice);
}

/** Send one tap. Every tap is a request of its own, whatever the form it stands in says. */
async function send(form, button) {
  const data = new FormData(form, button ?? undefined);
  data.set("request_id", newId());
  button?.setAttribute("aria-busy", "true");
  if (button?.matches(".tick[aria-pressed]")) button.classList.add("pressed");
  try {
    const answer = await fetch(address(), { method: "POST", body: data, headers: { "X-Requested-With": "fetch" } });
    const text = await answer.text();
    if (text.includes('id="ask"')) ask(text);
    else if (text.includes('id="door"')) {
      show(text, { typed: form.matches(".walk-in, .alike") || form.closest('[data-part="pairs"]') !== null });
      if (answer.ok && form.matches(".walk-in, .alike")) forgetSearch();
    } else failed();
  } catch {
    failed();
  } finally {
    button?.removeAttribute("aria-busy");
    button?.classList.remove("pressed");
  }
}

/** An id of its own for every tap; `randomUUID` is missing where the page came without HTTPS. */
function newId() {
  if (window.crypto.randomUUID) return window.crypto.randomUUID();
  const bytes = window.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A question over the page. */
function ask(text) {
  const form = new DOMParser().parseFromString(text, "text/html").getElementById("ask");
  question.replaceChildren(document.importNode(form, true));
  question.showModal();
}

/** The name that was looked for has come in: the next one is somebody else. */
function forgetSearch() {
  const field = document.getElementById("door-q");
  if (field.value === "") return;
  field.value = "";
  look();
}

async function look() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  try {
    const answer = await fetch(address(), { headers: { "X-Requested-With": "fetch" }, signal });
    if (answer.ok) show(await answer.text());
  } catch (error) {
    if (error.name !== "AbortError") failed();
  }
}

/** Ask for the list if something has happened. */
const catchUp = oneAtATime(async () => {
  const answer = await fetch(address(), { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const text = await answer.text();
  await untilLetGo();
  show(text);
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (question.contains(form)) {
    event.preventDefault();
    question.close();
    send(form, event.submitter);
  } else if (door().contains(form)) {
    event.preventDefault();
    if (form.method === "post") send(form, event.submitter);
    else look();
  }
});

question.addEventListener("click", (event) => {
  if (event.target.closest("[data-no]")) {
    event.preventDefault();
    question.close();
  }
});

let timer = 0;
document.addEventListener("input", (event) => {
  if (event.target.id !== "door-q") return;
  window.clearTimeout(timer);
  timer = window.setTimeout(look, WAIT);
});
document.addEventListener("change", (event) => {
  if (event.target.id === "door-show") look();
});
document.addEventListener("toggle", (event) => {
  // One menu at a time.
  if (!event.target.matches("details.more[open]")) return;
  for (const menu of door().querySelectorAll("details.more[open]")) if (menu !== event.target) menu.open = false;
}, true);

document.querySelector("[data-find]")?.setAttribute("hidden", ""); // names are found while one types
fadeUndo();

listen({ part: door, catchUp });
