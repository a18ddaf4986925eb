/**
 * Writing: what is typed is kept on this device until it has arrived, the preview follows, rows come and go without
 * loading the page. Without this script every button sends the form, and the page that comes back holds all of it.
 */

import { keepOpen } from "./live.js";

const KEEP_AFTER = 600; // milliseconds after the last letter
const KEPT_DAYS = 30;
const PREFIX = "draft:";
const NOT_TYPED = new Set(["csrfmiddlewaretoken", "form", "base", "says", "suggestion"]);

/** @typedef {{form: string, at: number, fields: [string, string][]}} Draft */

/** @returns {HTMLFormElement | null} */
const formNow = () => document.querySelector("#edit-form");

/** @param {HTMLFormElement} form @returns {[string, string][]} */
function fieldsOf(form) {
  return [...new FormData(form)].filter(([, value]) => typeof value === "string");
}

/** What somebody typed, for comparing. @param {[string, string][]} fields */
function typed(fields) {
  return JSON.stringify(
    fields
      .filter(([name, value]) => !NOT_TYPED.has(name) && value.trim() !== "")
      .map(([name, value]) => [name, value.replaceAll("\r\n", "\n").trim()]),
  );
}

/** @param {string} key @returns {Draft | null} */
function kept(key) {
  try {
    return JSON.parse(window.localStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {Draft | null} draft */
function keep(key, draft) {
  try {
    if (draft) window.localStorage.setItem(PREFIX + key, JSON.stringify(draft));
    else window.localStorage.removeItem(PREFIX + key);
  } catch {
    // No room, or not allowed: the form still sends, and its page still holds the text.
  }
}

function dropOldDrafts() {
  try {
    for (const name of Object.keys(window.localStorage)) {
      if (!name.startsWith(PREFIX)) continue;
      const draft = kept(name.slice(PREFIX.length));
      if (!draft || Date.now() - draft.at > KEPT_DAYS * 86_400_000) window.localStorage.removeItem(name);
    }
  } catch {
    // Nothing is kept on this device.
  }
}

/** The text as it was when the page came: what equals it was not typed. */
let asLoaded = "";

/** @param {HTMLFormElement} form */
function keepWhatIsTyped(form) {
  const fields = fieldsOf(form);
  const number = form.elements.namedItem("form").value;
  if (typed(fields) !== asLoaded || form.hasAttribute("data-unsent")) {
    keep(form.dataset.draft, { form: number, at: Date.now(), fields });
  }
}

/** Offers what was typed here before and never arrived. @param {HTMLFormElement} form */
function offerDraft(form) {
  const key = form.dataset.draft;
  const draft = kept(key);
  if (!draft || form.hasAttribute("data-unsent")) return;
  const arrived = (form.dataset.sent ?? "").split(" ").includes(draft.form);
  if (arrived || typed(draft.fields) === asLoaded) return keep(key, null);
  const box = document.querySelector("#draft-offer");
  const told = document.createElement("p");
  const when = new Date(draft.at).toLocaleString(document.documentElement.lang);
  told.textContent = interpolate(gettext("A text of yours from %(when)s was not sent. It is kept on this device."), { when }, true);
  const actions = document.createElement("p");
  actions.className = "actions";
  actions.append(
    button(gettext("Take it up again"), "button primary", () => takeUp(form, draft)),
    button(gettext("Throw it away"), "button", () => {
      keep(key, null);
      box.hidden = true;
    }),
  );
  box.className = "notice draft-offer";
  box.setAttribute("role", "status");
  box.replaceChildren(told, actions);
  box.hidden = false;
}

/** @param {string} text @param {string} css @param {() => void} act */
function button(text, css, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = css;
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
}

/** Sends the kept fields through the server, which shows them as a form again. @param {HTMLFormElement} form @param {Draft} draft */
function takeUp(form, draft) {
  const carrier = document.createElement("form");
  carrier.method = "post";
  carrier.hidden = true;
  const fields = draft.fields.filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "do");
  const token = form.elements.namedItem("csrfmiddlewaretoken").value;
  for (const [name, value] of [["csrfmiddlewaretoken", token], ["do", "show"], ...fields]) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    carrier.append(field);
  }
  document.body.append(carrier);
  carrier.submit();
}

let keeping = 0;
/** The form whose place another one takes. @type {HTMLFormElement | null} */
let replaced = null;

/** @param {HTMLFormElement} form */
function begin(form) {
  asLoaded = typed(fieldsOf(form));
  const shown = form.dataset.show && document.getElementById(form.dataset.show);
  if (shown) (shown.querySelector("input:not([type=hidden]), select, textarea") ?? shown).focus();
}

document.addEventListener("input", (event) => {
  const form = formNow();
  if (!form || !(event.target instanceof Node) || !form.contains(event.target)) return;
  window.clearTimeout(keeping);
  keeping = window.setTimeout(() => keepWhatIsTyped(form), KEEP_AFTER);
});

document.addEventListener("submit", (event) => {
  const form = formNow();
  if (form && event.target === form) keepWhatIsTyped(form);
});

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
for (const failed of ["htmx:sendError", "htmx:responseError"]) {
  // The way without script: send the form, and the page comes back whole.
  document.addEventListener(failed, ({ target }) => {
    if (!target.matches("[data-rows]")) return;
    const carried = document.createElement("input");
    Object.assign(carried, { type: "hidden", name: target.name, value: target.value });
    target.form.append(carried);
    target.form.submit();
  });
}

// A trouble names a line: go there in the text.
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-line]") : null;
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
