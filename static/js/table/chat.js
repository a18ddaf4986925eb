/**
 * The chats, live: rung by the table's bell, fetched over HTTP, put in place message by message, so that what is being typed
 * stays. Without this script the same forms work by themselves.
 */
import { oneAtATime } from "../once.js";
import { Post } from "./post.js";
import { showConnection } from "./voice.js";

const EVERY_MINUTE = 60_000;
const NEAR_THE_END = 40; // pixels: who reads there wants to see what comes
const COUNTED = 99;

const panel = () => document.getElementById("chat");
const body = () => document.getElementById("chat-body");
const inView = () => document.visibilityState === "visible";

const post = new Post((trouble) => showConnection("chat", trouble));
let seenList = false; // whether the messages are in view
let readUpTo = 0;

/** Start, if this page has a chat. */
export function startChat() {
  if (panel() === null) return;
  document.addEventListener("chat:rung", () => void catchUp());
  document.addEventListener("visibilitychange", () => {
    if (!inView()) return;
    void catchUp();
    tellRead();
  });
  setInterval(() => inView() && void catchUp(), EVERY_MINUTE);
  followHands();
  document.addEventListener("submit", onSubmit);
  panel().addEventListener("toggle", tellRead);
  new IntersectionObserver((entries) => {
    seenList = entries.some((entry) => entry.isIntersecting);
    tellRead();
  }).observe(body());
  for (const list of body().querySelectorAll(".chat-scroll")) toTheEnd(list);
  showCount();
}

/** When a hand begins or ends, what was held back may be read, and other things may be said. */
function followHands() {
  const table = document.getElementById("table");
  const state = () => [table.dataset.hand, table.dataset.asked === "sit", table.dataset.status].join();
  let before = state();
  document.addEventListener("table:shown", () => {
    showCount();
    if (state() === before) return;
    before = state();
    void catchUp();
  });
}

/** Fetch the chats as they are now. */
const catchUp = oneAtATime(async () => {
  try {
    const answer = await fetch(panel().dataset.chat, { headers: { "X-Requested-With": "fetch" } });
    if (answer.ok) show(await answer.text());
  } catch {
    // The next ring, or minute, asks again.
  }
});

async function onSubmit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("#chat form[data-chat-act]")) return;
  event.preventDefault();
  if (post.busy) return;
  const data = new FormData(form, event.submitter);
  const typed = form.elements.namedItem("text");
  const answer = await post.send(form.getAttribute("action"), data);
  const accepted = answer.status < 400;
  const text = typed?.value;
  if (accepted && typed) typed.value = "";
  if (!show(answer.text)) {
    window.location.reload();
    return;
  }
  if (!accepted && typed) {
    const field = document.getElementById(typed.id) ?? typed;
    if (field.value === "") field.value = text;
    field.focus();
  }
  if (accepted) for (const list of body().querySelectorAll(".chat-scroll")) toTheEnd(list);
}

/** Put the chats of an answer in the place of those shown: messages one by one, the rest part by part. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("chat-body");
  if (fresh === null) return false;
  const shown = body();
  if (layoutOf(shown) !== layoutOf(fresh)) {
    shown.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    for (const list of shown.querySelectorAll(".chat-scroll")) toTheEnd(list);
  } else {
    for (const part of fresh.querySelectorAll("[data-chat-part]")) renewPart(part);
    const lists = [...shown.querySelectorAll("[data-chat-list]")];
    [...fresh.querySelectorAll("[data-chat-list]")].forEach((list, place) => renewList(lists[place], list));
  }
  shown.dataset.last = fresh.dataset.last;
  shown.dataset.unread = fresh.dataset.unread;
  showCount();
  tellRead();
  return true;
}

/** Which chats there are, and whether they are closed: if that differs, all of it is new. */
const layoutOf = (node) =>
  [...node.querySelectorAll("[data-channel]")].map((one) => one.dataset.channel).join() +
  (node.querySelector('[data-chat-part="closed"]') === null ? "" : " closed");

const HIDDEN = 'input[name="csrfmiddlewaretoken"], input[name="request_id"], input[name="up_to"]';

/** What a part shows, aside from numbers that change each time and what the reader has opened or typed. */
function plain(node) {
  const copy = node.cloneNode(true);
  for (const input of copy.querySelectorAll(HIDDEN)) input.removeAttribute("value");
  for (const details of copy.querySelectorAll("details")) details.removeAttribute("open");
  return copy.innerHTML;
}

function renewPart(part) {
  const old = body().querySelector(`[data-chat-part="${part.dataset.chatPart}"]`);
  if (old === null) return;
  if (plain(old) === plain(part)) {
    const fresh = part.querySelectorAll(HIDDEN);
    old.querySelectorAll(HIDDEN).forEach((input, place) => {
      input.value = fresh[place].value;
    });
    return;
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const typed = new Map([...old.querySelectorAll("input[id], select[id]")].map((field) => [field.id, field.value]));
  const open = new Set([...old.querySelectorAll("details[open][id]")].map((details) => details.id));
  old.replaceChildren(...[...part.childNodes].map((node) => document.importNode(node, true)));
  for (const details of old.querySelectorAll("details[id]")) details.open = open.has(details.id);
  for (const field of old.querySelectorAll('input[id]:not([type="hidden"])')) field.value = typed.get(field.id) ?? "";
  if (focused === null) return;
  const place = (focused.id && document.getElementById(focused.id)) || old.querySelector("summary, button, input, select");
  (place ?? document.querySelector("#chat > summary")).focus({ preventScroll: true });
}

/** Messages that are new are added at the end, which is announced; one that was changed takes the place of the old one. */
function renewList(shown, fresh) {
  const box = shown.closest(".chat-scroll");
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_THE_END;
  const kept = new Set([...fresh.children].map((line) => line.id));
  for (const line of [...shown.children]) if (!kept.has(line.id)) line.remove();
  for (const line of fresh.children) {
    const old = shown.querySelector(`#${line.id}`);
    if (old === null) shown.append(document.importNode(line, true));
    else if (old.innerHTML !== line.innerHTML) old.replaceWith(document.importNode(line, true));
  }
  if (atEnd) toTheEnd(box);
}

function toTheEnd(box) {
  box.scrollTop = box.scrollHeight;
}

// What is unread -------------------------------------------------------------------------------------------------------

/** How many messages are new, at the panel and above the board. */
function showCount() {
  const unread = Number(body().dataset.unread);
  const words = unread > COUNTED ? `${COUNTED}+` : String(unread);
  const place = panel().querySelector("[data-chat-count]");
  place.textContent = words;
  place.hidden = unread === 0;
  const mark = document.querySelector("[data-chat-mark]");
  if (mark !== null) {
    mark.hidden = unread === 0;
    mark.querySelector(".count").textContent = words;
  } else if (unread > 0) {
    addMark(words);
  }
}

function addMark(words) {
  const bar = document.querySelector('#table [data-part="bar"]');
  if (bar === null) return;
  const mark = document.createElement("a");
  mark.className = "chat-mark";
  mark.href = "#chat";
  mark.dataset.chatMark = "";
  const label = document.createElement("span");
  label.className = "visually-hidden";
  label.textContent = gettext("Chat, not read yet:");
  const count = document.createElement("span");
  count.className = "count";
  count.textContent = words;
  mark.append(label, " ", count);
  const explain = bar.querySelector(".explain");
  if (explain === null) bar.append(mark);
  else explain.before(mark);
}

/** Once the messages are in view they are read. */
function tellRead() {
  const last = Number(body().dataset.last);
  if (!seenList || !inView() || !panel().open || Number(body().dataset.unread) === 0 || last <= readUpTo) return;
  readUpTo = last;
  const token = document.querySelector('#chat input[name="csrfmiddlewaretoken"]')?.value;
  if (!token) return;
  fetch(panel().dataset.chat, {
    method: "POST",
    headers: { "X-CSRFToken": token, "X-Requested-With": "fetch" },
    body: new URLSearchParams({ do: "read", up_to: String(last) }),
    keepalive: true,
  })
    .then(async (answer) => answer.ok && show(await answer.text()))
    .catch(() => {
      readUpTo = 0; // told again with the next look
    });
}
