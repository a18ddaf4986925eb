/**
 * Check-in for a tournament: every tap is a request of its own, questions open over the page, and where nothing was written
 * that is said. The page is whole without it: the list is an ordinary form, the search too.
 */
import { alertOf, newId } from "./site.js";
import "./live.js";

const checkIn = document.getElementById("door");
const question = document.getElementById("question");
const isTap = ({ requestConfig }) => requestConfig?.verb === "post";

document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb === "post") detail.parameters.request_id = newId();
  if (question.contains(detail.elt)) question.close();
});
document.addEventListener("question", () => question.showModal());
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

function failed({ detail }) {
  if (!isTap(detail) && !detail.requestConfig?.elt.matches(".check-in-search")) return; // it is asked for again by itself
  checkIn.querySelector('[data-part="refusal"]').replaceChildren(alertOf(checkIn.dataset.failed, "error"));
}
document.addEventListener("htmx:sendError", failed);
document.addEventListener("htmx:responseError", failed);

const search = () => document.getElementById("check-in-q");
let chosen = ""; // the name after which somebody pressed Enter

/** The name that was looked for has come in: the next one is somebody else. */
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.requestConfig.elt; // the answer has taken its place
  const field = search();
  if (detail.xhr.status !== 200 || !form.matches(".door-list, .walk-in, .alike") || field.value === "") return;
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
  if (!chosen || !elt.matches(".check-in-search") || parameters.q.trim() !== chosen) return;
  chosen = "";
  if (detail.successful) checkIn.addEventListener("live:shown", () => takeOnly(parameters.q), { once: true });
});

function takeOnly(name) {
  const found = document.querySelectorAll('.door-list .tick[name="do"]:not([aria-pressed="true"])');
  if (search().value === name && found.length === 1) found[0].click();
}
