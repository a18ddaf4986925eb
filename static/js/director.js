/** The pages of the director: the clock of a round, and sums while points are typed. The page is whole without it. */
import { clockText, learnTime, siteNow } from "./site.js";

/** The clock of a round, to the second. */
function tick() {
  for (const shown of document.querySelectorAll("[data-ends]")) {
    learnTime(shown);
    shown.textContent = clockText(Math.max(0, Math.floor((Date.parse(shown.dataset.ends) - siteNow()) / 1000)));
  }
}

/** While points are typed, a wrong sum is seen at once. */
function count(form, output) {
  const total = Number(form.dataset.total) * Number(form.elements.of?.value || 1);
  const points = [...new FormData(form)].filter(([name]) => /^s\d$/.test(name)).map(([, value]) => value.trim());
  const sum = points.reduce((all, text) => all + Number(text.replace("−", "-")), 0);
  const words = sum === total ? `${sum} ✓` : `${sum} ≠ ${total}`;
  output.textContent = points.includes("") ? "" : words;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-slip][data-total]");
  const output = form?.querySelector("output");
  if (output) count(form, output);
});

document.addEventListener("live:shown", tick);
setInterval(tick, 1000);
tick();
