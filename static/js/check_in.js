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

/** The name that was looked for has come in: the next one is somebody else. */
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const form = detail.requestConfig.elt; // the answer has taken its place
  const field = document.getElementById("check-in-q");
  if (detail.xhr.status !== 200 || !form.matches(".walk-in, .alike") || field.value === "") return;
  field.value = "";
  htmx.trigger(field.form, "submit");
});
