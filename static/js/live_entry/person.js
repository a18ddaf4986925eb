/** A person's own page: their table stands there as soon as it is published, and is said once. */
import "./clock.js";
import { keepPage } from "./offline_copy.js";
import "../live.js";

const now = () => document.querySelector('[data-part="now"]');
let told = now().dataset.round;

document.addEventListener("live:shown", () => {
  const { round } = now().dataset;
  if (round === told) return;
  told = round;
  if (!round) return;
  const words = [now().querySelector("h2"), now().querySelector(".live-place")].map((part) => part?.textContent.trim());
  document.getElementById("said").textContent = words.join(": ");
  navigator.vibrate?.(200);
  keepPage();
});
keepPage();
