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

document.addEventListener("click", (event) => {
  const copy = event.target.closest?.("[data-copy]");
  if (copy) void copyText(copy);
  const explain = event.target.closest?.("[data-explain]");
  if (explain && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    void openExplanation(explain.href);
  }
  const open = document.querySelector("#earlier[open]");
  if (open !== null && !open.contains(event.target)) open.open = false;
});

document.addEventListener("keydown", (event) => {
  const open = document.querySelector("#earlier[open]");
  if (event.key !== "Escape" || open === null) return;
  const within = open.contains(document.activeElement);
  open.open = false;
  if (within) open.querySelector("summary").focus();
});

async function copyText(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = gettext("Copied");
  } catch {
    const whole = document.createElement("code");
    whole.className = "whole";
    whole.textContent = button.dataset.copy; // no clipboard here: show it to be copied by hand
    button.replaceWith(whole);
  }
}

/** The page that explains, over the table. If it cannot be fetched, the reader goes there. */
async function openExplanation(address) {
  let answer;
  try {
    answer = await fetch(address);
  } catch {
    answer = null;
  }
  const text = answer?.ok ? await answer.text() : "";
  const why = new DOMParser().parseFromString(text, "text/html").getElementById("why");
  if (why === null) {
    window.location.assign(address);
    return;
  }
  const dialog = document.createElement("dialog");
  dialog.className = "why-dialog";
  dialog.setAttribute("aria-labelledby", "why-title");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button primary";
  close.textContent = gettext("Back to the table");
  close.addEventListener("click", () => dialog.close());
  dialog.append(document.importNode(why, true), close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
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
