/**
 * Paper slips that are typed in: where the site does not answer they wait in this browser, and the next slip can be typed. Without
 * this script the forms are plain forms.
 */
import { letWait, waiting } from "./desk_queue.js";
import { sendOnce } from "./live_entry/queue.js";
import { made } from "./site.js";

const FIELD = "input:not([type=hidden])";
const formsOfSlips = () => [...document.querySelectorAll(".slips form")];
const tableOf = (form) => form.closest("li").querySelector("h2 a").textContent.trim();

/** @returns {string} the points of all sides, as in "80 : 64"; empty for a slip that only says that the sheet is right. */
const pointsIn = (fields) => Object.keys(fields).filter((name) => /^s\d+$/.test(name)).map((name) => fields[name].trim()).join(" : ");

/** @returns {string} what a slip says, in words. */
function wordsOf(form, fields) {
  const points = pointsIn(fields);
  return points ? `${tableOf(form)} (${points})` : tableOf(form);
}

document.addEventListener("submit", async (event) => {
  const form = event.target.closest(".slips form");
  if (form === null) return;
  event.preventDefault();
  if (form.hasAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  const fields = Object.fromEntries(new FormData(form));
  const told = await sendOnce(window.location.pathname, fields);
  if (told === null) {
    await letWait(window.location.pathname, fields, wordsOf(form, fields));
    form.removeAttribute("aria-busy");
    form.reset(); // it is filled in no longer: the row may be brought up to date
    goOn(form);
  } else if (told.done) {
    // The page stays: the next slip may be half typed, another one on its way.
    for (const input of form.querySelectorAll(FIELD)) {
      input.defaultValue = input.value; // taken: the row may be brought up to date
      input.defaultChecked = input.checked;
    }
    form.querySelector('[role="alert"]')?.remove(); // why it was refused before
    goOn(form);
    window.history.replaceState(null, "", told.next);
    htmx.trigger("#director", "update");
  } else {
    await htmx.ajax("POST", "", { source: form, event, target: "#director", swap: "parts" }); // the reason comes with the form
    const again = document.getElementById(`slip-${fields.what}`);
    const wrong = again?.querySelector('[aria-invalid="true"]') ?? again?.querySelector(FIELD);
    if (wrong && again.contains(document.activeElement)) {
      wrong.focus();
      wrong.select(); // it is typed anew
    }
  }
});

/** The next slip that is still to be typed, unless somebody is there already. */
function goOn(form) {
  if (!form.contains(document.activeElement)) return;
  const open = formsOfSlips().filter((each) => each.matches("[data-slip]:not([inert], [aria-busy])"));
  const next = open.find((each) => form.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0];
  if (next) next.querySelector(FIELD).focus();
  else document.activeElement.blur();
}

/** What waits is not typed twice. */
function hold() {
  const tables = new Map(waiting().map(({ fields }) => [fields.what, pointsIn(fields)]));
  for (const form of formsOfSlips()) {
    const title = form.closest("li").querySelector("h2");
    const points = tables.get(form.elements.namedItem("what").value);
    form.inert = points !== undefined;
    title.querySelector(".waits")?.remove();
    if (form.inert) title.append(" ", made("span", { className: "waits tag" }, [gettext("waits to be sent"), points].filter(Boolean).join(": ")));
  }
}
document.querySelector(".slips [autofocus]")?.select(); // what was refused is typed anew
document.addEventListener("desk:queue", hold);
document.addEventListener("live:shown", hold);
