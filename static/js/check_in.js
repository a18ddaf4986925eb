/**
 * Check-in for a tournament: every tap is a request of its own, questions open over the page, and where nothing was written
 * that is said. The page is whole without it: the list is an ordinary form, the search too.
 */
import { alertOf, holdsWords, made, newId } from "./site.js";
import { letWait, waiting } from "./desk_queue.js";
import { LATER, PATIENCE } from "./live_entry/queue.js";
import "./live.js";

const checkIn = document.getElementById("door");
const question = document.getElementById("question");
// Without a connection taps wait in this browser; what asks first, or draws, needs the site.
const CAN_WAIT = /^(here|pay|enter|pause|play|walk-in|walk-in-paid)(:|$)/;
const isTap = ({ requestConfig }) => requestConfig?.verb === "post";

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb === "post") {
    detail.parameters.request_id = newId();
    if (CAN_WAIT.test(detail.parameters.do ?? "")) detail.timeout = PATIENCE;
  }
  if (question.contains(detail.elt)) question.close();
});
document.addEventListener("question", () => question.showModal());

/** A question that comes while another one is open is asked after it. */
const questions = [];
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target !== question || !question.open) return;
  detail.shouldSwap = false;
  questions.push(detail.serverResponse);
});
question.addEventListener("close", () => {
  if (questions.length === 0) return;
  htmx.swap(question, questions.shift(), { swapStyle: "innerHTML" });
  question.showModal();
});
question.addEventListener("click", (event) => {
  if (!event.target.closest("[data-no]")) return;
  event.preventDefault();
  question.close();
});

/** A button shows at once that it was tapped. */
function mark({ detail, type }) {
  const button = isTap(detail) ? detail.requestConfig.triggeringEvent?.submitter : null;
  const underWay = type === "htmx:beforeRequest";
  button?.setAttribute("aria-busy", String(underWay));
  if (button?.matches(".tick[aria-pressed]")) button.classList.toggle("pressed", underWay);
}
document.addEventListener("htmx:beforeRequest", mark);
document.addEventListener("htmx:afterRequest", mark);

/** Who a tap is about, and what was tapped, in words. */
function wordsOf({ do: tapped, first_name: first, last_name: last }, pressed) {
  const name = pressed?.closest("[data-row]")?.querySelector(".name")?.textContent ?? `${first ?? ""} ${last ?? ""}`.trim();
  const paid = tapped.startsWith("pay:") || tapped === "walk-in-paid" || /^enter:[^:]+:/.test(tapped);
  return paid ? interpolate(gettext("%(name)s, paid"), { name }, true) : name;
}

/** @returns {boolean} whether a tap that got no answer waits now. */
function waits({ requestConfig, xhr }) {
  const fields = Object.fromEntries(Object.entries(requestConfig.parameters));
  if (!CAN_WAIT.test(fields.do ?? "") || (xhr.status !== 0 && !LATER.has(xhr.status))) return false;
  letWait(requestConfig.path, fields, wordsOf(fields, requestConfig.triggeringEvent?.submitter));
  if (requestConfig.elt.matches(".walk-in")) requestConfig.elt.reset();
  search().value = "";
  searchHere("");
  return true;
}

/** What waits is marked, and not tapped twice. */
function hold() {
  const people = new Set(waiting().map(({ fields }) => fields.do.split(":")[1]).filter(Boolean));
  for (const row of checkIn.querySelectorAll("[data-row]")) {
    row.inert = people.has(row.dataset.row) || people.has(row.dataset.row.slice(1));
    row.querySelector(".waits")?.remove();
    if (row.inert) row.querySelector(".who").append(made("span", { className: "waits word soft text-xs" }, gettext("waits to be sent")));
  }
}
document.addEventListener("desk:queue", hold);
document.addEventListener("live:shown", hold);

/** Whoever looks for somebody else has left what was asked about somebody new: the names of that one make room. */
document.addEventListener("input", ({ target }) => {
  if (target === search()) checkIn.querySelector('[data-part="walk-in"] [role="alert"]')?.remove();
});

/** Without a connection the search looks among the names that are on this page. */
function searchHere(words) {
  for (const row of checkIn.querySelectorAll(".door-list [data-row]")) {
    row.hidden = !holdsWords(row.querySelector(".name").textContent, words);
  }
}
document.addEventListener("live:shown", () => searchHere(""));

function refuse(words) {
  checkIn.querySelector('[data-part="refusal"]').replaceChildren(alertOf(words, "error"));
}

function failed({ detail }) {
  if (isTap(detail) && waits(detail)) return;
  if ([403, 404].includes(detail.xhr.status)) return window.location.reload(); // the page itself says best why it is closed to us
  if (detail.requestConfig?.elt.matches(".check-in-search")) {
    chosen = "";
    searchHere(search().value.trim());
    return;
  }
  if (!isTap(detail)) return; // it is asked for again by itself
  refuse(checkIn.dataset.failed);
}
document.addEventListener("htmx:sendError", failed);
document.addEventListener("htmx:timeout", failed);
document.addEventListener("htmx:responseError", failed);

const search = () => document.getElementById("check-in-q");
const asked = (form) => new URLSearchParams(new FormData(form)).toString();

/** What was asked for before something else was looked for is not its list. */
checkIn.addEventListener("live:renew", ({ detail: { fresh } }) => {
  const { form } = search();
  if (asked(fresh.querySelector(".check-in-search")) !== asked(form)) htmx.trigger(form, "submit");
});

const typedAt = new WeakMap(); // what was looked for when something was tapped
document.addEventListener("submit", (event) => {
  typedAt.set(event, search().value);
  if (event.submitter?.ariaBusy !== "true") return;
  event.preventDefault(); // a double tap says nothing new
  event.stopPropagation();
}, { capture: true });

/** Nobody is left out of a draw because their entry still waits in this browser. */
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.requestConfig.parameters.do !== "seat" || waiting().length === 0) return;
  event.preventDefault();
  refuse(gettext("Entries still wait in this browser to be sent. Seat everybody once they are sent."));
});

let chosen = ""; // the name after which somebody pressed Enter

/** The name that was looked for has come in: the next one is somebody else, unless that one is being typed already. */
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt: form, triggeringEvent } = detail.requestConfig; // the answer has taken its place
  const field = search();
  if (detail.xhr.status !== 200 || !form.matches(".door-list, .walk-in, .alike") || field.value === "") return;
  if (typedAt.get(triggeringEvent) !== field.value) return;
  if (question.open) return; // nothing was written yet
  field.value = "";
  field.focus();
  htmx.trigger(field.form, "submit");
});

/** Enter takes the only one that is found and not here yet, once the list is that of what was typed. */
document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Enter" && target === search()) chosen = target.value.trim();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt, parameters } = detail.requestConfig;
  // One that was broken off, because the same words were asked for again, has no answer yet.
  if (!detail.successful || !chosen || !elt.matches(".check-in-search") || parameters.q.trim() !== chosen) return;
  chosen = "";
  checkIn.addEventListener("live:shown", () => takeOnly(parameters.q), { once: true });
});

function takeOnly(name) {
  const found = document.querySelectorAll('.door-list .tick[name="do"]:not([aria-pressed="true"])');
  if (search().value === name && found.length === 1) found[0].click();
}
