/**
 * Suggestions under a search field, as an ARIA combobox: htmx fetches the list that the server writes (`hx-target="next
 * .suggestions"`), this opens it and lets one choose. Without this script the form simply searches.
 */

const FEWEST = 2;

/** Enhance a field, before which there are `made` others. */
function enhance(input, made) {
  const id = `suggestions-${made}`;
  const [holder, status] = [input.nextElementSibling, input.parentElement.lastElementChild];
  Object.assign(input, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: "false" });

  const options = () => [...holder.querySelectorAll("[role=option]")];
  const chosen = () => options().findIndex((option) => option.getAttribute("aria-selected") === "true");

  function close() {
    holder.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    status.textContent = "";
  }

  function open() {
    const list = holder.querySelector("[role=listbox]");
    if (!list || document.activeElement !== input) return close();
    if (options().length === 0) {
      close();
      status.textContent = list.dataset.status ?? ""; // that there is none is said, too
      return;
    }
    list.id = id;
    options().forEach((option, number) => (option.id = `${id}-${number}`));
    input.setAttribute("aria-controls", id);
    input.setAttribute("aria-expanded", "true");
    input.removeAttribute("aria-activedescendant");
    holder.hidden = false;
    status.textContent = list.dataset.status ?? "";
  }

  /** @param {number} number of the option to choose; out of range means none: back in the field. */
  function choose(number) {
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === number)));
    const option = options()[number];
    if (!option) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function leave() {
    htmx.trigger(input, "htmx:abort");
    close();
  }

  input.addEventListener("htmx:configRequest", (event) => {
    if (input.value.trim().length >= FEWEST && document.activeElement === input) return;
    event.preventDefault();
    leave();
  });
  holder.addEventListener("htmx:afterSwap", open);
  input.addEventListener("htmx:responseError", close);
  input.addEventListener("htmx:sendError", close); // offline: the form itself says so
  input.addEventListener("blur", leave);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const last = options().length - 1;
    if (event.key === "Escape" && !holder.hidden) {
      event.preventDefault();
      close();
    } else if (event.key === "ArrowDown" && last >= 0) {
      event.preventDefault();
      if (holder.hidden) open();
      else choose(chosen() === last ? -1 : chosen() + 1);
    } else if (event.key === "ArrowUp" && !holder.hidden) {
      event.preventDefault();
      choose(chosen() === -1 ? last : chosen() - 1);
    } else if (event.key === "Enter" && !holder.hidden && chosen() !== -1) {
      event.preventDefault();
      window.location.assign(options()[chosen()].dataset.address);
    }
  });

  // Before the field loses the focus.
  holder.addEventListener("pointerdown", (event) => event.preventDefault());
  holder.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) window.location.assign(option.dataset.address);
  });
}

document.querySelectorAll('input[hx-target="next .suggestions"]').forEach(enhance);
