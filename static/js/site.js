/**
 * What every page shares: the theme switch and menus that close like menus.
 * The pages are whole without it.
 */

/** @typedef {"auto" | "light" | "dark"} Theme */

const KEY = "theme";

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

  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
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
