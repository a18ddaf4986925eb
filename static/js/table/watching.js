/** Who watches: the number as the table's line tells it, and the panel that opens when one is asked something. */

const panel = document.getElementById("watching");
const body = () => document.getElementById("watching-body");

/** @param {number} count how many watch */
function showCount(count) {
  const place = panel.querySelector("[data-watchers]");
  place.textContent = String(count);
  place.hidden = count === 0;
}

document.addEventListener("watching:count", ({ detail }) => {
  showCount(detail);
  if (panel.open) document.dispatchEvent(new Event("watching:changed"));
});
document.addEventListener("live:shown", ({ target }) => {
  if (target !== body()) return;
  showCount(Number(target.dataset.count));
  if ("asked" in target.dataset) panel.open = true;
});
