/**
 * Tells the site that somebody is looking at a table: open, in focus, and someone at the keys in the last minutes.
 * As long as that holds, no letter or message is sent about this one table.
 */
import { token } from "./site.js";

const EVERY = 20_000;
const IDLE = 5 * 60_000;

/** @param {HTMLElement} shown  says where to tell it (`data-looking`), and of which game or table (`data-topic`, a public id) */
export function keepLooking(shown) {
  const { looking: address, topic } = shown.dataset;
  let touched = performance.now();
  let looking = false;

  const say = (away) => {
    const fields = away ? { topic, away: "1" } : { topic };
    fetch(address, {
      method: "POST",
      headers: { "X-CSRFToken": token() },
      body: new URLSearchParams(fields),
      keepalive: true,
    }).catch(() => {}); // It is said again soon; nothing depends on it.
  };

  const check = () => {
    const now = document.visibilityState === "visible" && document.hasFocus() && performance.now() - touched < IDLE;
    if (now || looking) say(!now);
    looking = now;
  };

  for (const kind of ["pointerdown", "pointermove", "keydown", "scroll"]) {
    document.addEventListener(
      kind,
      () => {
        touched = performance.now();
        if (!looking) check();
      },
      { passive: true },
    );
  }
  for (const kind of ["focus", "blur", "pagehide"]) window.addEventListener(kind, check);
  document.addEventListener("visibilitychange", check);
  window.setInterval(check, EVERY);
  check();
}
