/** The pages of the director: the clock of a round, and sums while points are typed. The page is whole without it. */
import { fillLast, numberOf, withMinus } from "./points.js";
import { clockText, keepTime, secondsTo } from "./site.js";

/** The clock of a round, to the second. */
keepTime("[data-ends]", (clock) => (clock.textContent = clockText(secondsTo(clock.dataset.ends))));

/** While points are typed, the last side follows, and a wrong sum is seen at once. */
function count(form, typed) {
  const total = Number(form.dataset.total) * Number(form.elements.of.value || 1);
  const sides = [...form.querySelectorAll("input")].filter(({ name }) => /^s\d$/.test(name));
  const by = sides.includes(typed) ? typed : sides.find((each) => each.value !== "" && each.dataset.filled === undefined);
  if (by) fillLast(sides, by, total);
  const points = sides.map((each) => numberOf(each.value));
  const sum = points.reduce((all, each) => all + each, 0);
  const shown = withMinus(sum);
  form.querySelector("output").textContent = points.includes(null) ? "" : sum === total ? `${shown} ✓` : `${shown} ≠ ${total}`;
}

document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[data-slip][data-total]");
  if (form) count(form, target);
});
