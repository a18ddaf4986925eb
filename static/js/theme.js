/*
 * Runs before the first paint (a plain, blocking script in <head>): puts the chosen theme on <html>, so that no page
 * flashes in the wrong one, and marks the page as scripted. Without it, or with "auto", the system's setting holds.
 */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("script");
  try {
    var chosen = JSON.parse(window.localStorage.getItem("theme")); // site.js keeps it
    if (chosen) root.setAttribute("data-theme", chosen);
  } catch (refused) {
    // A browser that keeps nothing for us shows the system's theme.
  }
})();
