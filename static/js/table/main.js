/**
 * The table, live: what is tapped goes to the server as the page's own forms would send it, and what comes back is put in
 * place piece by piece. Without this script the same page works by its forms.
 */
import { FIELD, isFilled, isTicked, keepOpen, plain, renew, untilLetGo } from "../live.js";
import { newEntropy, post, quote, sendUntilAnswered } from "../site.js";
import { say, showConnection, showRefusal, showTurn } from "./announcements.js";
import { begin, refresh } from "./hand.js";
import { play, remember } from "./motion.js";
import "./panels.js";
import { showSaidLast } from "./phrases.js";

const table = () => document.getElementById("table");
const ONE_ACTION = new Set(["hand", "ask"]); // their forms are about one action: the next starts anew
const UNTIL_SEEN = 2_500; // until the site has heard that somebody looks at the table

/**
 * Show a table that came from the server, unless it is older. `sent` is the act (`data-act`) it answers: its form begins anew,
 * others keep what is filled in. Parts that were held do not come again (`data-same`); if one is held no more, since another
 * answer was shown in the meantime, the table is fetched once more.
 */
function show(fresh, sent = "") {
  const shown = table();
  const number = Number(shown.dataset.number);
  if (Number(fresh.dataset.number) < number) return;
  if (sits(fresh) !== sits(shown)) return window.location.reload(); // the panels beside it are others now
  const before = remember(shown);
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  const within = focused?.closest("[data-part]")?.dataset.part;
  let lacks = false;
  for (const part of fresh.querySelectorAll("[data-part][data-same]")) {
    const old = partOf(shown, part.dataset.part);
    lacks ||= old === null || !isHeld(old, part.dataset.key);
    if (old === null) continue;
    renewFields(old, fresh.querySelector("template[data-fields]").content);
    part.replaceWith(old.cloneNode(true));
  }
  for (const part of fresh.querySelectorAll(DRAWN)) keepDrawn(partOf(shown, part.dataset.part), part);
  renew(shown, fresh, null, (old, placed) => {
    asCame.set(placed, plain(placed));
    if (!ONE_ACTION.has(placed.dataset.part)) keepFilled(old, placed, sent);
  });
  const prompt = shown.querySelector("#prompt");
  quote(prompt, fresh.querySelector("#prompt")); // a status: it speaks when its text changes
  if (Number(fresh.dataset.number) > number) showNow(shown);
  refresh();
  showSaidLast();
  if (focused !== null && !shown.contains(document.activeElement)) giveFocusBack(shown, within);
  const writing = document.activeElement?.matches(`.talk *, ${FIELD}`); // nobody is taken away from what they write
  if (shown.dataset.yours === "yes" && outOfSight(prompt) && !writing) shown.scrollIntoView({ block: "start" });
  play(shown, before);
  say(shown, number);
  showTurn(shown);
  void addChance();
  if (!lacks) return;
  shown.setAttribute("hx-get", `${shown.dataset.base}since/0/?here=`);
  htmx.trigger(shown, "update");
}

const DRAWN = ':is([data-part="board"], [data-part="hand"]):not([data-same])';

/** Let a part show what a fresh one shows, and each card that is in both stay: to draw a card takes longer than all the rest. */
function keepDrawn(old, part) {
  if (old === null || plain(old) === plain(part)) return;
  const placed = part.cloneNode(true);
  keepOpen(old, placed);
  Idiomorph.morph(old, placed);
  asCame.set(old, plain(old));
  htmx.process(old);
  part.replaceWith(old.cloneNode(true)); // nothing is left to be done for it
}

/** Whether the page of this table is that of somebody who sits there. */
const sits = (shown) => "seen" in shown.dataset;

const asCame = new WeakMap(); // what each part showed when it came

const isHeld = (part, key) => part.dataset.key === key && asCame.get(part) === plain(part);

/** The parts that show what they came with, as the server knows them: they need not come again. */
function held() {
  const parts = [...table().querySelectorAll("[data-part][data-key]")].filter((part) => isHeld(part, part.dataset.key));
  return { "X-Parts": parts.map((part) => `${part.dataset.part}:${part.dataset.key}`).join(" ") };
}

/** What was missed is told above the table: what is asked now is still true there as others go on. */
function showNow(shown) {
  const question = document.querySelector(".since-question");
  if (question === null) return;
  quote(question, shown.querySelector("#prompt"));
  document.querySelector(".since-time")?.replaceChildren(shown.querySelector(".clock-line")?.textContent ?? "");
}

/** The forms of a part that did not come again carry the fresh number and request id, too. */
function renewFields(part, fields) {
  for (const { name, value } of fields.querySelectorAll("input")) {
    for (const input of part.querySelectorAll(`input[type="hidden"][name="${name}"]`)) input.value = value;
  }
}

const partOf = (shown, name) => shown.querySelector(`[data-part="${name}"]`);

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

/**
 * What had the focus in a part is gone: it goes to the head of the fold it was in, else to the cards or to what is asked (of a
 * game that is over, to its heading: one Enter too many opens no new table), else to the prompt.
 */
function giveFocusBack(shown, part) {
  const card = shown.querySelector('[data-part="hand"] [tabindex="0"]');
  const panel = shown.querySelector('[data-part="ask"] :is(h2[tabindex], summary, button, input:not([type="hidden"]), select)');
  const fold = partOf(shown, part)?.closest("details[open]")?.querySelector("summary");
  const target = fold ?? (part === "hand" ? card : (panel ?? card)) ?? shown.querySelector("#prompt");
  target.focus({ preventScroll: true });
}

table().addEventListener("live:renew", (event) => {
  event.preventDefault();
  show(event.detail.fresh);
});
table().addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target === table()) Object.assign(detail.headers, held());
});
table().addEventListener("live:line", ({ detail: isUp }) => {
  showConnection("socket", isUp ? "" : gettext("Connection lost. Reconnecting …"));
});

let added = "";

/** Where nobody sits down, this browser adds its chance to the coming pack, whose promise the page has shown, in passing. */
async function addChance() {
  const coming = table().dataset.addsTo ?? "";
  if (coming === "" || coming === added) return;
  added = coming;
  const answer = await post(`${table().dataset.base}chance/`, { hand: coming, entropy: newEntropy() }).catch(() => null);
  if (answer === null || answer.status >= 500) added = ""; // with the next look at the table it is tried again
}

/** Send a form as its button would. One at a time: a second tap while the first is under way does nothing. */
async function send(form, button) {
  if (table().ariaBusy) return;
  const data = new FormData(form, button);
  if (form.dataset.act === "ready") data.set("entropy", newEntropy());
  table().setAttribute("aria-busy", "true");
  try {
    // form.action would be the form's button of that name
    const tell = (trouble) => showConnection("post", trouble);
    const answer = await sendUntilAnswered(form.getAttribute("action"), data, tell, held());
    const fresh = new DOMParser().parseFromString(answer.text, "text/html").getElementById("table");
    if (fresh === null) return window.location.reload();
    if (answer.status < 400) document.getElementById("since")?.remove(); // who acts has read what they missed
    await untilLetGo();
    const isOlder = Number(fresh.dataset.number) < Number(table().dataset.number);
    show(fresh, answer.status < 400 ? form.dataset.act : "");
    if (isOlder) showRefusal(fresh.querySelector('[data-part="refusal"]').textContent.trim()); // that is told nevertheless
    if (answer.onward !== null) window.location.assign(answer.onward);
    else table().querySelector("[data-confirms] button")?.focus(); // asked once more: the answer is one key away
    if (answer.status < 400 && button?.dataset.shows) document.getElementById(button.dataset.shows)?.focus(); // it may be far up
  } finally {
    table().removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("#table form[data-act]")) return;
  event.preventDefault();
  if (event.submitter?.ariaDisabled !== "true") void send(form, event.submitter);
  else showRefusal(document.getElementById("prompt").textContent.trim()); // what is asked is what is missing
});

// Sounds come with the first wish for them, and then say what they are like.
const hears = () => table().dataset.sounds === "yes" || table().dataset.vibrates === "yes";
let silent = !hears();
if (!silent) void import("./sound.js");
document.addEventListener("live:shown", () => {
  if (!silent || !hears()) return;
  silent = false;
  void import("./sound.js").then(({ sample }) => sample());
});

for (const part of table().querySelectorAll("[data-part]")) asCame.set(part, plain(part));
begin(showRefusal);
refresh();
showSaidLast();
showTurn(table());
void addChance();
if (table().dataset.looking) {
  window.setTimeout(() => htmx.trigger(table(), "update"), UNTIL_SEEN); // the last to come finds that all are here
}
