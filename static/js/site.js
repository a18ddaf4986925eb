/**
 * What every page shares: the theme switch, menus that close like menus, buttons that print and copy.
 * The pages are whole without it.
 */

/** @returns {string} what has to come with a request that changes something. */
export const token = () => JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];

/** @typedef {"auto" | "light" | "dark"} Theme */

const KEY = "theme";
const OPEN_MENUS = "details:is(.menu, [data-menu])[open]";

/** @returns {Theme} the theme chosen on this device, "auto" if none. */
export function chosenTheme() {
  try {
    const kept = window.localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "auto";
  } catch {
    return "auto";
  }
}

/**
 * Shows the page in a theme and keeps the choice on this device, where the browser allows it.
 * @param {Theme} theme
 */
export function chooseTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  try {
    if (theme === "auto") window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, theme);
  } catch {
    // Not kept: the choice holds for this page only.
  }
  showChosenTheme();
}

function showChosenTheme() {
  const chosen = document.documentElement.getAttribute("data-theme") ?? "auto";
  for (const button of document.querySelectorAll("[data-choose-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.chooseTheme === chosen));
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose-theme]");
  if (button) chooseTheme(button.dataset.chooseTheme);
  if (event.target.closest("[data-print]")) window.print();
  const copied = event.target.closest("button[data-copy]");
  if (copied) void copy(copied);

  for (const menu of document.querySelectorAll(OPEN_MENUS)) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

/** Copy what a button carries. Without the right to the clipboard it lies ready to be copied by hand. */
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    const field = button.parentElement.querySelector("input") ?? document.querySelector("input[data-select]");
    if (field !== null) return field.select();
    const whole = document.createElement("code");
    whole.className = "whole";
    whole.textContent = button.dataset.copy;
    return button.replaceWith(whole);
  }
  button.textContent = button.dataset.copied;
  const said = document.getElementById("said");
  if (said !== null) said.textContent = button.dataset.copied;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll(OPEN_MENUS)) {
    const within = menu.contains(document.activeElement);
    menu.open = false;
    if (within) menu.querySelector("summary").focus();
  }
});

// Another tab of the same reader changed the theme: follow it.
window.addEventListener("storage", (event) => {
  if (event.key === KEY || event.key === null) chooseTheme(chosenTheme());
});

showChosenTheme();
for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
