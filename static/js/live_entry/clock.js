/**
 * The clock of a round counts down, by the site's time and not the phone's, and says once, quietly, when no deal begins any
 * more and when time is up.
 */
import { clockText, keepTime, secondsTo, setText, siteNow } from "../site.js";

let told = ""; // which moment was told of

function signal(moment, words) {
  // A page that was opened afterwards shows it anyway.
  if (told !== "" && told !== moment) {
    setText(document.getElementById("said"), words);
    navigator.vibrate?.([120, 80, 120]);
  }
  told = moment;
}

keepTime("[data-clock]", (shown) => {
  const left = secondsTo(shown.dataset.ends);
  const last = shown.dataset.last ? Date.parse(shown.dataset.last) <= siteNow() : false;
  for (const figures of document.querySelectorAll("[data-left]")) setText(figures, clockText(left));
  const state = left === 0 ? "up" : last ? "last" : "runs";
  if (shown.dataset.clock !== state) {
    shown.dataset.clock = state;
    shown.toggleAttribute("data-over", state !== "runs");
    const words = shown.querySelector("[data-words]");
    if (words && state === "last") words.textContent = gettext("No new deal any more: finish the one you are playing.");
    if (words && state === "up") words.textContent = gettext("Time is up: finish the deal and hand in.");
  }
  signal(`${shown.dataset.ends} ${state}`, shown.querySelector("[data-words]")?.textContent ?? "");
});
