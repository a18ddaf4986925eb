/*
 * Runs before the first paint (a plain, blocking script in <head>): puts the chosen theme on <html>, so that no page
 * flashes in the wrong one, and marks the page as scripted. Without it, or with "auto", the system's setting holds.
 */
document.documentElement.classList.add("script");
try {
  const theme = JSON.parse(window.localStorage.getItem("theme")); // site.js keeps it
  if (theme) document.documentElement.setAttribute("data-theme", theme);
} catch {
  // A browser that keeps nothing for us shows the system's theme.
}
