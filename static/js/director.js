/** The pages of the director: the clock of a round, and sums while points are typed. The page is whole without it. */

/** The clock of a round, to the second. */
function tick() {
  for (const shown of document.querySelectorAll("[data-ends]")) {
    const left = Math.max(0, Math.floor((Date.parse(shown.dataset.ends) - Date.now()) / 1000));
    shown.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  }
}

/** While points are typed: the other side's follow where there are two, and a wrong sum is seen at once. */
function count(form) {
  const total = Number(form.dataset.total);
  const fields = [...form.querySelectorAll("[name^=s]")].filter((field) => /^s\d$/.test(field.name));
  const deals = Number(form.querySelector("[name=of]")?.value || 1);
  const written = fields.filter((field) => field.value.trim() !== "");
  const output = form.querySelector("output");
  if (output === null) return;
  if (written.length < fields.length) {
    output.textContent = "";
    return;
  }
  const sum = fields.reduce((all, field) => all + Number(field.value.replace("−", "-")), 0);
  output.textContent = sum === total * deals ? `${sum} ✓` : `${sum} ≠ ${total * deals}`;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-slip][data-total]");
  if (form) count(form);
});

document.addEventListener("live:shown", tick);
setInterval(tick, 1000);
tick();
