/**
 * A table that waits, live: who has come is put in place piece by piece, and when it begins those who sit there go to their
 * seats. The page is whole without it: its forms are ordinary forms.
 */
import { holdsFilled } from "./filled.js";
import { untilLetGo } from "./let_go.js";
import { keepLooking } from "./looking.js";
import { oneAtATime } from "./once.js";
import { Bell } from "./table/bell.js";

const table = () => document.getElementById("waiting");
const numberOf = (shown) => Number(shown.dataset.number);

/** Put what has changed in the place of what is shown; what somebody is typing in stays. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("waiting");
  const shown = table();
  if (fresh === null || numberOf(fresh) < numberOf(shown)) return;
  if (fresh.dataset.game && fresh.dataset.sits === "yes") {
    window.location.assign(fresh.dataset.game);
    return;
  }
  for (const { name, value } of [...fresh.attributes]) shown.setAttribute(name, value);
  for (const part of fresh.querySelectorAll("[data-part]")) {
    const old = shown.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old === null || holdsFilled(old) || same(old, part)) continue;
    const focused = old.contains(document.activeElement);
    old.replaceWith(document.importNode(part, true));
    if (focused) shown.querySelector(`[data-part="${part.dataset.part}"] :is(a, button)`)?.focus({ preventScroll: true });
  }
  if (fresh.dataset.state !== "waiting") shown.querySelector(".invite")?.remove();
  const last = [...shown.querySelectorAll(".lines li")].pop();
  if (last) document.getElementById("said").textContent = last.textContent;
}

/** Whether two parts show the same, the tokens of their forms aside. */
function same(old, part) {
  const plain = (node) => {
    const copy = node.cloneNode(true);
    for (const input of copy.querySelectorAll('input[type="hidden"]')) input.removeAttribute("value");
    return copy.innerHTML;
  };
  return plain(old) === plain(part);
}

/** Ask for the table if something has happened there. */
const catchUp = oneAtATime(async () => {
  const answer = await fetch(`${table().dataset.base}since/${numberOf(table())}/`);
  if (answer.status === 200) {
    const text = await answer.text();
    await untilLetGo();
    show(text);
  } else if (answer.status !== 204) throw new Error(String(answer.status));
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button === null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    document.getElementById("link").select(); // may be forbidden: then the text lies ready to be copied by hand
    return;
  }
  button.textContent = button.dataset.copied;
  document.getElementById("said").textContent = button.dataset.copied;
});

if (table().dataset.state === "waiting") {
  const bell = new Bell({
    address: () => {
      const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
      return `${scheme}//${window.location.host}/ws/t/${table().dataset.table}/`;
    },
    onNumber: (number) => {
      if (number > numberOf(table())) catchUp().catch(() => {});
    },
    compare: catchUp,
    onState: () => {}, // the bell compares by itself while the line is down
  });
  bell.start();
  const token = document.querySelector('input[name="csrfmiddlewaretoken"]')?.value;
  if (token && table().dataset.sits === "yes") keepLooking(table().dataset.looking, table().dataset.table, token);
}
