/**
 * The chats: htmx fetches them when the table's line rings, and tells what was in view; here messages are sent until there is
 * an answer, one after the other, and the numbers of unread ones are kept right. Without this script the same forms work by
 * themselves.
 */
import { renew, untilLetGo } from "../live.js";
import { newId, sendUntilAnswered, showCount } from "../site.js";
import { showConnection } from "./announcements.js";

const NEAR_THE_END = 40; // pixels: who reads there wants to see what comes

const panel = document.getElementById("chat");
const body = document.getElementById("chat-body");

let sending = Promise.resolve();
const pressed = new Set(); // buttons whose answers are not there yet
let left = new Set(); // lists whose end is out of sight, because somebody reads further up

function noteEnd(list) {
  if (list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_THE_END) left.delete(list);
  else left.add(list);
}

function shown() {
  for (const list of body.querySelectorAll(".chat-scroll")) if (!left.has(list)) list.scrollTop = list.scrollHeight;
  showUnread();
}

function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("#chat form[data-chat-act]")) return;
  event.preventDefault();
  const button = event.submitter;
  const typed = form.elements.namedItem("text");
  if (pressed.has(button) && !typed?.value) return; // a double click
  pressed.add(button);
  const data = new FormData(form, button);
  if (data.has("request_id")) data.set("request_id", newId()); // that of the form may be on its way already
  if (typed !== null) typed.value = ""; // for what is typed next
  const next = () => send(form, data, typed).finally(() => pressed.delete(button));
  sending = sending.then(next, next);
}

async function send(form, data, typed) {
  const answer = await sendUntilAnswered(form.getAttribute("action"), data, (trouble) => showConnection("chat", trouble));
  const fresh = new DOMParser().parseFromString(answer.text, "text/html").getElementById("chat-body");
  if (fresh === null) return window.location.reload();
  await untilLetGo();
  const accepted = answer.status < 400;
  if (accepted) left = new Set();
  const field = typed && document.getElementById(typed.id);
  if (!accepted && field) field.value = `${data.get("text")} ${field.value}`.trim();
  renew(body, fresh, field?.value ? null : form); // what is typed there stays
  if (!accepted && field) field.focus();
}

// What is unread -------------------------------------------------------------------------------------------------------

/** How many messages are new, at the panel and above the board. */
function showUnread() {
  const unread = Number(body.dataset.unread);
  showCount(panel.querySelector("[data-chat-count]"), unread);
  const mark = document.querySelector("[data-chat-mark]");
  if (mark !== null) showCount(mark.querySelector(".count"), unread, mark);
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
document.addEventListener("live:shown", ({ target }) => target === body && shown());
document.addEventListener("scroll", ({ target }) => target.matches?.("#chat .chat-scroll") && noteEnd(target), { capture: true });
shown();
