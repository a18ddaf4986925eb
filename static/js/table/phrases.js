/** The phrases of the talk: looking for one, those this browser has said last, what is chosen. Without script a plain list. */

import { holdsWords, keep, kept } from "../site.js";

const KEY = "phrases";
const SAID_LAST = 8; // so many are offered again
const within = (selector) => document.querySelector(`#phrases ${selector}`);
const boxes = () => [...document.querySelectorAll('#phrases input[name="phrase"]')];

const saidLast = () => kept(KEY) ?? [];

/** What was said last stands after what is true of the hand, before the themes. */
export function showSaidLast() {
  const list = within(".phrase-list");
  if (list === null || list.querySelector("[data-said-last]") !== null) return;
  const rows = saidLast()
    .map((id) => boxes().find((box) => box.value === id && !box.closest("[data-true]"))?.closest(".phrase"))
    .filter((row) => row != null);
  const group = list.querySelector("template").content.firstElementChild.cloneNode(true);
  group.append(...rows);
  const first = list.querySelector("fieldset:not([data-true])");
  if (rows.length > 0) first.before(group);
}

/** Phrases that somebody has spoken can be heard. */
const heard = () => within("a[data-play]") && void import("../sounds.js");
document.addEventListener("live:shown", heard);
heard();

document.addEventListener("submit", ({ target }) => {
  if (!target.matches?.('form[data-act="talk"]')) return;
  document.getElementById("phrases")?.removeAttribute("open"); // said: the board is seen again
  const said = boxes().filter((box) => box.checked && box.form === target).map((box) => box.value);
  if (said.length > 0) keep(KEY, [...new Set([...said, ...saidLast()])].slice(0, SAID_LAST));
});

document.addEventListener("change", ({ target }) => {
  if (!target.matches?.('#phrases input[name="phrase"]')) return;
  const said = boxes().filter((box) => box.checked).map((box) => box.closest("label").querySelector("q").textContent);
  within("[data-chosen]").textContent = said.map((phrase) => `“${phrase}”`).join(" ");
});

document.addEventListener("input", ({ target }) => {
  if (!target.matches?.("[data-phrase-search]")) return;
  for (const group of document.querySelectorAll("#phrases fieldset")) {
    const theme = group.querySelector("legend").textContent;
    const rows = [...group.querySelectorAll(".phrase")];
    for (const row of rows) row.hidden = !holdsWords(`${row.textContent} ${theme}`, target.value);
    group.hidden = rows.every((row) => row.hidden);
  }
  within("[data-no-phrase]").hidden = within("fieldset:not([hidden])") !== null;
});

// Enter would give the first answer: here it chooses the first phrase that is found.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("[data-phrase-search]")) return;
  event.preventDefault();
  if (event.target.value.trim() !== "") within(".phrase:not([hidden]) input")?.click();
});
