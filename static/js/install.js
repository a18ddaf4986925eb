/**
 * Offers once in a while of use, not at first sight, to put the site on the home screen: on the second day, with the third
 * game, or after messages were switched on. Whoever declines is not asked again, and an app that is one never asks.
 */
import { kept, standalone } from "./app.js";

const KEY = "install"; // {day, days, push, never}
const DAYS = 2;
const GAMES = 3;

const hint = document.getElementById("install");
let prompt = null;

function read() {
  try {
    return JSON.parse(window.localStorage.getItem(KEY)) ?? {};
  } catch {
    return { never: true }; // a browser that keeps nothing would be asked on every page
  }
}

function write(changes) {
  const now = { ...read(), ...changes };
  try {
    window.localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // As above.
  }
  return now;
}

/** Messages were switched on for this device: that is somebody who wants to be reached. */
export function noteMessages() {
  write({ push: true });
}

/** Counts the days on which somebody came. */
function noteDay() {
  const day = new Date().toISOString().slice(0, 10);
  const known = read();
  return known.day === day ? known : write({ day, days: (known.days ?? 0) + 1 });
}

/** @returns {Promise<number>} how many games somebody has sat at, as far as this device knows. */
async function games() {
  try {
    return (await kept())?.played ?? 0;
  } catch {
    return 0; // a browser that keeps nothing for us
  }
}

/** Safari on a phone or tablet installs by its own menu only. */
function bySafari() {
  const apple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  return apple && "standalone" in navigator && !/CriOS|FxiOS|EdgiOS/.test(navigator.userAgent);
}

async function offer() {
  const known = read();
  if (known.never || standalone() || document.getElementById("table") !== null) return;
  const words = bySafari();
  if (!words && prompt === null) return;
  if ((known.days ?? 0) < DAYS && !known.push && (await games()) < GAMES) return;
  hint.querySelector("[data-safari]").hidden = !words;
  hint.querySelector("[data-install]").hidden = words;
  hint.hidden = false;
}

if (hint) {
  noteDay();
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // it is asked at a better moment, or not at all
    prompt = event;
    offer();
  });
  window.addEventListener("appinstalled", () => {
    write({ never: true });
    hint.hidden = true;
  });
  hint.querySelector("[data-install]").addEventListener("click", async () => {
    hint.hidden = true;
    await prompt.prompt();
    if ((await prompt.userChoice).outcome !== "accepted") write({ never: true });
    prompt = null;
  });
  hint.querySelector("[data-never]").addEventListener("click", () => {
    write({ never: true });
    hint.hidden = true;
    document.getElementById("main").focus({ preventScroll: true });
  });
  offer();
}
