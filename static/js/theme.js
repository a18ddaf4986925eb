/*
 * Runs before the first paint (a plain, blocking script in <head>): puts the chosen theme on <html>, so that no page
 * flashes in the wrong one, and marks the page as scripted. Without it, or with "auto", the system's setting holds.
 */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("script");
  try {
    var chosen = window.localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") {
      root.setAttribute("data-theme", chosen);
    }
  } catch (refused) {
    // A browser that keeps nothing for us shows the system's theme.
  }
})();
