/**
 * Suggestions under a search field, as an ARIA combobox. Enhances the site's own search, and every
 * `form[role=search]` that says where its suggestions come from (`data-suggest`), with a field named `q`; without this
 * script the form simply searches. The server writes the list: `suggest/` under the form's address.
 */

const WAIT = 150; // milliseconds after the last letter
const FEWEST = 2;

let made = 0;

/** @param {HTMLFormElement} form */
function enhance(form) {
  const input = form.elements.namedItem("q");
  if (!(input instanceof HTMLInputElement)) return;
  const address = new URL(form.dataset.suggest ?? "suggest/", form.action);
  const id = `suggestions-${(made += 1)}`;
  const holder = document.createElement("div");
  holder.className = "suggestions";
  holder.hidden = true;
  const status = document.createElement("p");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  const frame = document.createElement("div");
  frame.className = "suggestions-frame";
  input.replaceWith(frame);
  frame.append(input, holder, status);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("autocomplete", "off");

  /** @type {AbortController | undefined} */
  let asking;
  let timer = 0;
  let asked = "";

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
    if (!list || options().length === 0 || document.activeElement !== input) return close();
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

  async function ask() {
    const query = input.value.trim();
    asking?.abort();
    if (query.length < FEWEST) {
      asked = "";
      return close();
    }
    if (query === asked) return open();
    asking = new AbortController();
    address.search = new URLSearchParams({ q: query }).toString();
    try {
      const answer = await fetch(address, { signal: asking.signal, headers: { Accept: "text/html" } });
      if (!answer.ok) return close();
      // Our own server's markup, every text in it escaped there.
      holder.innerHTML = await answer.text();
      asked = query;
      open();
    } catch (error) {
      // Overtaken by the next letter, or offline: the form itself still works.
      if (error.name !== "AbortError") close();
    }
  }

  input.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(ask, WAIT);
  });

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
  input.addEventListener("blur", () => {
    window.clearTimeout(timer);
    asking?.abort();
    close();
  });
}

// Searches for names in a list, of a club or at a door, have no suggestions of their own.
document.querySelectorAll("form[role=search]:is(.site-search, [data-suggest])").forEach(enhance);
