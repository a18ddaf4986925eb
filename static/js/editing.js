/**
 * Writing: what is typed is kept on this device until it has arrived, the preview follows, rows come and go without
 * loading the page. Without this script every button sends the form, and the page that comes back holds all of it.
 */
import { keepOpen } from "./live.js";
import { keep, kept } from "./site.js";

const KEEP_AFTER = 600; // milliseconds after the last letter
const KEPT_DAYS = 30;
const PREFIX = "draft:";
const NOT_TYPED = new Set(["csrfmiddlewaretoken", "form", "base", "says", "suggestion"]);

const formNow = () => document.querySelector("#edit-form");

const fieldsOf = (form) => [...new FormData(form)].filter(([, value]) => typeof value === "string");

/** What somebody typed, for comparing. */
function typed(fields) {
  const filled = fields.filter(([name, value]) => !NOT_TYPED.has(name) && value.trim() !== "");
  return JSON.stringify(filled.map(([name, value]) => [name, value.replaceAll("\r\n", "\n").trim()]));
}

/** Where what is typed in a form is kept. */
const place = (form) => PREFIX + form.dataset.draft;

function dropOldDrafts() {
  try {
    for (const name of Object.keys(window.localStorage).filter((each) => each.startsWith(PREFIX))) {
      if (Date.now() - (kept(name)?.at ?? 0) > KEPT_DAYS * 86_400_000) keep(name, null);
    }
  } catch {
    // Nothing is kept on this device.
  }
}

/** The text as it was when the page came: what equals it was not typed. */
let asLoaded = "";

function keepWhatIsTyped(form) {
  const fields = fieldsOf(form);
  const number = form.elements.namedItem("form").value;
  if (typed(fields) !== asLoaded || form.hasAttribute("data-unsent")) {
    keep(place(form), { form: number, at: Date.now(), fields });
  }
}

/** Offers what was typed here before and never arrived. */
function offerDraft(form) {
  const draft = kept(place(form));
  if (!draft || form.hasAttribute("data-unsent")) return;
  const arrived = (form.dataset.sent ?? "").split(" ").includes(draft.form);
  if (arrived || typed(draft.fields) === asLoaded) {
    keep(place(form), null);
    return;
  }
  const box = document.querySelector("#draft-offer");
  const when = new Date(draft.at).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short", hour12: false });
  const told = gettext("A text of yours from %(when)s was not sent. It is kept on this device.");
  box.hidden = false;
  box.querySelector("p").textContent = interpolate(told, { when }, true);
  box.querySelector("[data-take-up]").addEventListener("click", () => takeUp(form, draft));
  box.querySelector("[data-throw-away]").addEventListener("click", () => {
    keep(place(form), null);
    box.hidden = true;
  });
}

/** Sends the kept fields through the server, which shows them as a form again. */
function takeUp(form, draft) {
  const token = form.elements.namedItem("csrfmiddlewaretoken").value;
  const carrier = document.createElement("form");
  carrier.method = "post";
  carrier.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of draft.fields) formData.append(name, value);
    formData.set("csrfmiddlewaretoken", token);
    formData.set("do", "show");
  });
  document.body.append(carrier);
  carrier.submit();
}

let keeping = 0;
let replaced = null; // the form whose place another one takes

function begin(form) {
  asLoaded = typed(fieldsOf(form));
  const shown = form.dataset.show && document.getElementById(form.dataset.show);
  shown?.querySelectorAll(":scope > details").forEach((fold) => fold.toggleAttribute("open", true));
  if (shown) (shown.querySelector("input:not([type=hidden]), select, textarea") ?? shown).focus();
}

document.addEventListener("input", (event) => {
  const form = formNow();
  if (!form?.contains(event.target)) return;
  window.clearTimeout(keeping);
  keeping = window.setTimeout(() => keepWhatIsTyped(form), KEEP_AFTER);
});

document.addEventListener("submit", ({ target }) => target === formNow() && keepWhatIsTyped(target));

window.addEventListener("pagehide", () => {
  const form = formNow();
  if (form && keeping) keepWhatIsTyped(form);
});

// Rows come and go with htmx, in a form that takes the place of this one; what is open stays so.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.elt.matches("[data-rows]") && detail.shouldSwap) replaced = formNow();
});
document.addEventListener("htmx:afterSettle", () => {
  const fresh = formNow();
  if (replaced === null || fresh === replaced || fresh === null) return;
  keepOpen(replaced, fresh);
  replaced = null;
  const before = asLoaded;
  begin(fresh);
  asLoaded = before;
  keepWhatIsTyped(fresh);
});

// A trouble names a line: go there in the text.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  const text = document.getElementById("f-text");
  if (!link || !(text instanceof HTMLTextAreaElement)) return;
  event.preventDefault();
  const lines = text.value.split("\n");
  const line = Math.min(Number(link.dataset.line), lines.length) - 1;
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + lines[line].length);
  text.scrollTop = (text.scrollHeight / lines.length) * Math.max(0, line - 4);
});

// What was refused is said where the preview would stand.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id === "preview" && event.detail.xhr.status === 429) event.detail.shouldSwap = true;
});

dropOldDrafts();
const form = formNow();
if (form) {
  begin(form);
  offerDraft(form);
  if (form.hasAttribute("data-unsent")) keepWhatIsTyped(form);
  document.querySelector("#refusal")?.focus();
}
