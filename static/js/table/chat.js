/**
 * The chats: htmx fetches them when the table's line rings; here messages are sent until there is an answer, what is in view
 * is told to have been read, and the numbers of unread ones are kept right. Without this script the same forms work by
 * themselves.
 */
import { renew } from "../live.js";
import { Sender, post, showCount } from "../site.js";
import { showConnection } from "./announcements.js";

const NEAR_THE_END = 40; // pixels: who reads there wants to see what comes

const panel = document.getElementById("chat");
const body = document.getElementById("chat-body");

const sending = new Sender((trouble) => showConnection("chat", trouble));
let seenList = false; // whether the messages are in view
let readUpTo = 0;
let left = new Set(); // lists whose end is out of sight, because somebody reads further up

function noteEnd(list) {
  if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_THE_END) left.delete(list);
  else left.add(list);
}

function shown() {
  for (const list of body.querySelectorAll(".chat-scroll")) if (!left.has(list)) list.scrollTop = list.scrollHeight;
  showUnread();
  tellRead();
}

/** Put the chats of an answer in the place of those shown. @returns {boolean} whether it holds any */
function show(text, form = null) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("chat-body");
  if (fresh !== null) renew(body, fresh, form);
  return fresh !== null;
}

async function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("#chat form[data-chat-act]")) return;
  event.preventDefault();
  if (sending.busy) return;
  const data = new FormData(form, event.submitter);
  const typed = form.elements.namedItem("text");
  const answer = await sending.send(form.getAttribute("action"), data);
  const accepted = answer.status < 400;
  const text = typed?.value;
  if (accepted && typed) typed.value = "";
  if (accepted) left = new Set();
  if (!show(answer.text, form)) window.location.reload();
  else if (!accepted && typed) {
    const field = document.getElementById(typed.id) ?? typed;
    if (field.value === "") field.value = text;
    field.focus();
  }
}

// What is unread -------------------------------------------------------------------------------------------------------

/** How many messages are new, at the panel and above the board. */
function showUnread() {
  const unread = Number(body.dataset.unread);
  showCount(panel.querySelector("[data-chat-count]"), unread);
  const mark = document.querySelector("[data-chat-mark]");
  if (mark !== null) showCount(mark.querySelector(".count"), unread, mark);
}

/** Once the messages are in view they are read. */
function tellRead() {
  const last = Number(body.dataset.last);
  if (!seenList || document.visibilityState !== "visible" || !panel.open) return;
  if (Number(body.dataset.unread) === 0 || last <= readUpTo) return;
  readUpTo = last;
  post(body.getAttribute("hx-get"), { do: "read", up_to: String(last) })
    .then(async (answer) => answer.ok && show(await answer.text()))
    .catch(() => (readUpTo = 0)); // told again with the next look
}

// When a hand begins or ends, what was held back may be read, and other things may be said.
const table = document.getElementById("table");
const state = () => [table.dataset.hand, table.dataset.asked === "sit", table.dataset.status].join();
let before = state();
table.addEventListener("live:shown", () => {
  showUnread();
  if (state() !== before) document.dispatchEvent(new Event("chat:changed"));
  before = state();
});

document.addEventListener("submit", onSubmit);
document.addEventListener("visibilitychange", tellRead);
document.addEventListener("live:shown", ({ target }) => target === body && shown());
document.addEventListener("scroll", ({ target }) => target.matches?.("#chat .chat-scroll") && noteEnd(target), { capture: true });
panel.addEventListener("toggle", tellRead);
new IntersectionObserver((entries) => {
  seenList = entries.some((entry) => entry.isIntersecting);
  tellRead();
}).observe(body);
shown();
