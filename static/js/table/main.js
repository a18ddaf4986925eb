/**
 * The table, live: what is tapped goes to the server as the page's own forms would send it, and what comes back is put in
 * place piece by piece. Without this script the same page works by its forms.
 */
import { newEntropy } from "../verify.js";
import { startClock } from "./clock.js";
import { Hand } from "./hand.js";
import { Post } from "./post.js";
import { attachPanels } from "./panels.js";
import { say, showConnection, showRefusal, showTurn } from "./announcements.js";
import { numberOf, swap } from "./replace.js";
import "../live.js";

const table = () => document.getElementById("table");
const UNTIL_SEEN = 2_500; // until the site has heard that somebody looks at the table

const hand = new Hand(table, (form, button) => send(form, button), showRefusal);
const post = new Post((trouble) => showConnection("post", trouble));

/** Put a table that came from the server in the place of the one shown, unless it is older. `sent`: the act it answers. */
function show(fresh, sent = "") {
  const before = numberOf(table());
  if (numberOf(fresh) < before) return;
  swap(table(), fresh, () => hand.refresh(), sent);
  say(table(), before);
  showTurn(table());
  attachPanels(table());
  htmx.process(table());
  table().dispatchEvent(new Event("live:shown", { bubbles: true }));
  void addChance();
}

table().addEventListener("live:renew", (event) => {
  event.preventDefault();
  show(event.detail.fresh);
});
table().addEventListener("live:line", ({ detail: isUp }) => {
  showConnection("socket", isUp ? "" : gettext("Connection lost. Reconnecting …"));
});

let added = "";

/** Where nobody sits down, this browser adds its chance to the coming pack, whose promise the page has shown, in passing. */
async function addChance() {
  const coming = table().dataset.addsTo ?? "";
  const secret = document.querySelector('input[name="csrfmiddlewaretoken"]')?.value;
  if (coming === "" || coming === added || !secret) return;
  added = coming;
  const data = new FormData();
  data.set("csrfmiddlewaretoken", secret);
  data.set("hand", coming);
  data.set("entropy", newEntropy());
  try {
    const answer = await fetch(`${table().dataset.base}chance/`, { method: "POST", body: data });
    if (answer.status >= 500) added = "";
  } catch {
    added = ""; // with the next look at the table it is tried again
  }
}

/** Send a form as its button would. One at a time: a second tap while the first is under way does nothing. */
async function send(form, button) {
  if (post.busy) return;
  const data = new FormData(form, button);
  if (form.dataset.act === "ready") data.set("entropy", newEntropy());
  table().setAttribute("aria-busy", "true");
  try {
    // form.action would be the form's button of that name
    const answer = await post.send(form.getAttribute("action"), data);
    const fresh = new DOMParser().parseFromString(answer.text, "text/html").getElementById("table");
    if (fresh === null) return window.location.reload();
    show(fresh, answer.status < 400 ? form.dataset.act : "");
    if (answer.onward !== null) window.location.assign(answer.onward);
    else table().querySelector("[data-confirms] button")?.focus(); // asked once more: the answer is one key away
  } finally {
    table().removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("#table form[data-act]")) return;
  event.preventDefault();
  const button = event.submitter;
  if (button?.getAttribute("aria-disabled") === "true") return;
  void send(form, button);
});

hand.refresh();
attachPanels(table());
showTurn(table());
startClock();
void addChance();
if (table().dataset.looking) {
  window.setTimeout(() => htmx.trigger(table(), "update"), UNTIL_SEEN); // the last to come finds that all are here
}
