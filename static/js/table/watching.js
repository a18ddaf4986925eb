/**
 * Who watches: the number as the table's line tells it. What somebody proposes about it is said under the prompt, as the panel may
 * be far down; it opens when one is asked something anew.
 */
import { made, showCount } from "../site.js";

const panel = document.getElementById("watching");
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
  if (target.id !== "watching-body") return;
  showCount(place, Number(target.dataset.count));
  if (target.dataset.asked === "yes" && asked === "no") panel.open = true;
  asked = target.dataset.asked;
  tell();
});
