/** The small things in the panels: the slider of the cut, the phrases chosen, the pile to arrange, the page that explains. */

/** Give the panels of a table what only a script can. Calling it again does no harm. */
export function attachPanels(table) {
  for (const pile of table.querySelectorAll("[data-pile]:not([data-attached])")) attachPile(pile);
}

document.addEventListener("input", (event) => {
  const moved = event.target;
  if (moved.dataset?.mirrors) document.getElementById(moved.dataset.mirrors).value = moved.value;
  if (moved.id === "cut-number") document.querySelector('[data-mirrors="cut-number"]').value = moved.value;
});

document.addEventListener("change", (event) => {
  if (!event.target.matches?.('input[name="phrase"]')) return;
  const form = event.target.form;
  const said = [...form.querySelectorAll('input[name="phrase"]:checked')].map(
    (box) => box.closest("label").querySelector("q").textContent,
  );
  form.querySelector("[data-chosen]").textContent = said.map((phrase) => `“${phrase}”`).join(" ");
});

// The page that explains opens over the table; where it cannot be fetched, or is wanted in a window of its own, as a page.
const isExplain = (element) => element.closest?.("[data-explain]") != null;
document.addEventListener("click", (event) => {
  if (isExplain(event.target) && (event.ctrlKey || event.metaKey || event.shiftKey)) event.stopPropagation();
}, { capture: true });
document.addEventListener("htmx:afterSwap", ({ target }) => target.closest("dialog")?.showModal());
for (const failed of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failed, ({ target }) => isExplain(target) && window.location.assign(target.href));
}

/** Let the cards of a pile be moved: by buttons, which also work from the keyboard, or by dragging. */
function attachPile(pile) {
  pile.dataset.attached = "";
  for (const row of pile.children) {
    const code = row.dataset.pileCard;
    const name = row.querySelector("option[selected]").textContent;
    const hidden = document.createElement("input");
    hidden.type = "hidden";
    hidden.name = "card";
    hidden.value = code;
    const label = document.createElement("span");
    label.className = "pile-name";
    label.textContent = name;
    row.querySelector("label").replaceWith(hidden, label);
    row.append(
      mover("↑", interpolate(gettext("Move %s up"), [name]), () => row.previousElementSibling?.before(row)),
      mover("↓", interpolate(gettext("Move %s down"), [name]), () => row.nextElementSibling?.after(row)),
    );
    row.draggable = true;
    row.addEventListener("dragstart", (event) => {
      event.dataTransfer.effectAllowed = "move";
      row.setAttribute("data-dragged", "");
    });
    row.addEventListener("dragend", () => row.removeAttribute("data-dragged"));
    row.addEventListener("dragover", (event) => {
      const dragged = pile.querySelector("[data-dragged]");
      if (dragged === null || dragged === row) return;
      event.preventDefault();
      const box = row.getBoundingClientRect();
      if (event.clientY > box.top + box.height / 2) row.after(dragged);
      else row.before(dragged);
    });
  }
}

function mover(sign, name, move) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button";
  button.textContent = sign;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", () => {
    move();
    button.focus();
  });
  return button;
}
