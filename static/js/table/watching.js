/** Who watches: the number as the table's line tells it, and the panel that opens when one is asked something anew. */
import { showCount } from "../site.js";

const panel = document.getElementById("watching");
const place = panel.querySelector("[data-watchers]");
let asked = document.getElementById("watching-body").dataset.asked;

document.addEventListener("watching:count", ({ detail }) => {
  showCount(place, detail);
  if (panel.open) document.dispatchEvent(new Event("watching:changed"));
});
document.addEventListener("live:shown", ({ target }) => {
  if (target.id !== "watching-body") return;
  showCount(place, Number(target.dataset.count));
  if (target.dataset.asked === "yes" && asked === "no") panel.open = true;
  asked = target.dataset.asked;
});
