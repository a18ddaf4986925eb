/** The small things in the panels: the slider of the cut, the pile to arrange, the page that explains, who watches. */

import { made, showCount } from "../site.js";

document.addEventListener("input", (event) => {
  const moved = event.target;
  if (moved.dataset?.mirrors) document.getElementById(moved.dataset.mirrors).value = moved.value;
  if (moved.id === "cut-number") document.querySelector('[data-mirrors="cut-number"]').value = moved.value;
});

// The page that explains opens over the table; where it cannot be fetched, or is wanted in a window of its own, as a page.
const isExplain = (element) => element.closest?.("[data-explain], [data-sheet]") != null;
document.addEventListener("click", (event) => {
  if (isExplain(event.target) && (event.ctrlKey || event.metaKey || event.shiftKey)) event.stopPropagation();
}, { capture: true });
document.addEventListener("htmx:afterSwap", ({ target }) => target.closest("dialog")?.showModal());
for (const failed of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failed, ({ target }) => isExplain(target) && window.location.assign(target.href));
}

// The sheet of settings makes room for the table that it renews.
document.addEventListener("submit", ({ target }) => target.matches("[data-settings]") && target.closest("dialog")?.close());

// A trick that waits to be looked at goes by a tap on the board, too.
document.addEventListener("click", ({ target }) => {
  const goOn = document.querySelector('#table form[data-act="go-on"]');
  if (goOn !== null && target.closest(".board") && !target.closest("a, button, details")) goOn.requestSubmit();
});

// What opens the teacher's suggestion goes with that: whoever had the focus there goes on with what is suggested.
document.addEventListener("click", ({ target }) => {
  const fold = target.closest(".lesson-hint > summary")?.parentElement;
  fold?.addEventListener("toggle", () => fold.querySelector("button").focus(), { once: true });
});

// The cards of a pile are moved by buttons, which also work from the keyboard, or by dragging.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-move]");
  const row = button?.closest("[data-pile-card]");
  if (button?.dataset.move === "top") row.parentElement.prepend(row);
  if (button?.dataset.move === "up") row.previousElementSibling?.before(row);
  if (button?.dataset.move === "down") row.nextElementSibling?.after(row);
  button?.focus();
});
document.addEventListener("dragstart", ({ target, dataTransfer }) => {
  if (!target.matches?.("[data-pile-card]")) return;
  dataTransfer.effectAllowed = "move";
  target.setAttribute("data-dragged", "");
});
document.addEventListener("dragend", ({ target }) => target.removeAttribute?.("data-dragged"));
document.addEventListener("dragover", (event) => {
  const row = event.target.closest?.("[data-pile-card]");
  const dragged = document.querySelector("[data-pile-card][data-dragged]");
  if (row == null || dragged === null || dragged === row) return;
  event.preventDefault();
  const box = row.getBoundingClientRect();
  if (event.clientY > box.top + box.height / 2) row.after(dragged);
  else row.before(dragged);
});

// Who watches: the number as the table's line tells it. What somebody proposes about it is said under the prompt, as the panel may
// be far down; it opens when one is asked something anew.
const panel = document.getElementById("watching");

function followWatching() {
  const body = document.getElementById("watching-body");
  const place = panel.querySelector("[data-watchers]");
  const question = document.getElementById("watching-question"); // where one sits
  const proposed = () => document.getElementById("watching-proposed")?.textContent.trim() ?? "";
  let asked = body.dataset.asked;
  let before = proposed();

  /** What is asked is said where one looks; once it is settled, who may watch is said to whoever hears the page. */
  function tell() {
    const now = proposed();
    if (question === null || now === before) return;
    before = now;
    const link = made("a", { href: "#watching-body", className: "pad-1 inline-block" }, now);
    question.replaceChildren(...(body.dataset.asked === "yes" ? [link] : []));
    const mode = body.querySelector('[data-part="watching-mode"]').textContent.trim();
    if (now === "") document.getElementById("said").append(made("p", {}, mode));
  }

  document.addEventListener("watching:count", ({ detail }) => {
    showCount(place, detail);
    if (panel.open) document.dispatchEvent(new Event("watching:changed"));
  });
  document.addEventListener("live:shown", ({ target }) => {
    if (target !== body) return;
    showCount(place, Number(target.dataset.count));
    if (target.dataset.asked === "yes" && asked === "no") panel.open = true;
    asked = target.dataset.asked;
    tell();
  });
}
if (panel !== null) followWatching();
