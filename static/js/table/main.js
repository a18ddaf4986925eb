/**
 * The table, live: what is tapped goes to the server as the page's own forms would send it, and what comes back is put in
 * place piece by piece. Without this script the same page works by its forms.
 */
import { untilLetGo } from "../let_go.js";
import { keepLooking } from "../looking.js";
import { oneAtATime } from "../once.js";
import { newEntropy } from "../verify.js";
import { Bell } from "./bell.js";
import { startClock } from "./clock.js";
import { Hand } from "./hand.js";
import { Post } from "./post.js";
import { attachPanels } from "./panels.js";
import { say, showConnection, showRefusal, showTurn } from "./voice.js";
import { numberOf, parseTable, swap } from "./swap.js";

const table = () => document.getElementById("table");
const UNTIL_SEEN = 2_500; // until the site has heard that somebody looks at the table

const hand = new Hand(table, (form, button) => send(form, button), showRefusal);
const post = new Post((trouble) => showConnection("post", trouble));

/** Put a table that came from the server in the place of the one shown, unless it is older. `sent`: the act it answers. */
function show(text, sent = "") {
  const fresh = parseTable(text);
  if (fresh === null) return false;
  const before = numberOf(table());
  if (numberOf(fresh) < before) return true;
  swap(table(), fresh, () => hand.refresh(), sent);
  say(table(), before);
  showTurn(table());
  attachPanels(table());
  document.dispatchEvent(new Event("table:shown"));
  void addChance();
  return true;
}

/** Ask for the table if it has moved on. */
const catchUp = oneAtATime(async () => {
  const answer = await fetch(`${table().dataset.base}since/${numberOf(table())}/?here=${table().dataset.here ?? ""}`, {
    headers: { "X-Requested-With": "fetch" },
  });
  if (answer.status === 200) {
    const text = await answer.text();
    await untilLetGo();
    show(text);
  } else if (answer.status !== 204) throw new Error(String(answer.status));
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
    if (!show(answer.text, answer.status < 400 ? form.dataset.act : "")) window.location.reload();
    else if (answer.onward !== null) window.location.assign(answer.onward);
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

const bell = new Bell({
  address: () => {
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    return `${scheme}//${window.location.host}/ws/g/${table().dataset.game}/`;
  },
  onNumber: (number) => {
    if (number > numberOf(table())) void catchUp().catch(() => {});
  },
  compare: catchUp,
  onState: (connected) => showConnection("bell", connected ? "" : gettext("Connection lost. Reconnecting …")),
});

hand.refresh();
attachPanels(table());
showTurn(table());
bell.start();
startClock();
void addChance();
const { looking, game } = table().dataset;
const token = document.querySelector('input[name="csrfmiddlewaretoken"]')?.value;
if (looking && token) {
  keepLooking(looking, game, token);
  window.setTimeout(() => void catchUp().catch(() => {}), UNTIL_SEEN); // the last to come finds that all are here
}
