/**
 * The clock of a round counts down, by the site's time and not the phone's, and says once, quietly, when no deal begins any
 * more and when time is up.
 */

let ahead = 0; // how much this device's clock is ahead of the site's
let told = ""; // which moment was told of

const clock = () => document.querySelector("[data-clock]");

/** @param {number} seconds @returns {string} "12:05", or "1:02:05" */
export function spoken(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** The site's time, as far as the page knows. */
export const siteNow = () => Date.now() - ahead;

/** Learn from a page that has just come from the site how late it is there. */
export function setClock() {
  const shown = clock();
  if (shown?.dataset.now && shown.dataset.learned !== "yes") {
    ahead = Date.now() - Date.parse(shown.dataset.now);
    shown.dataset.learned = "yes";
  }
}

function signal(moment, words) {
  if (told === moment) return;
  const first = told === "";
  told = moment;
  if (first) return; // the page was opened afterwards: it shows it anyway
  document.dispatchEvent(new CustomEvent("hall:clock", { detail: words }));
  navigator.vibrate?.([120, 80, 120]);
}

function tick() {
  const shown = clock();
  if (shown === null) return;
  setClock();
  const left = Math.ceil((Date.parse(shown.dataset.ends) - siteNow()) / 1000);
  const last = shown.dataset.last ? Date.parse(shown.dataset.last) <= siteNow() : false;
  const figures = shown.querySelector("[data-left]");
  const text = spoken(Math.max(0, left));
  if (figures && figures.textContent !== text) figures.textContent = text;
  const state = left <= 0 ? "up" : last ? "last" : "runs";
  if (shown.dataset.clock !== state) {
    shown.dataset.clock = state;
    shown.toggleAttribute("data-over", state !== "runs");
    const words = shown.querySelector("[data-words]");
    if (words && state === "last") words.textContent = gettext("No new deal any more: finish the one you are playing.");
    if (words && state === "up") words.textContent = gettext("Time is up: finish the deal and hand in.");
  }
  signal(`${shown.dataset.ends} ${state}`, shown.querySelector("[data-words]")?.textContent ?? "");
}

/** Count down for as long as the page is open. */
export function startClock() {
  window.setInterval(tick, 500);
  tick();
}
