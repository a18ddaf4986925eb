/**
 * Tells the site that somebody is looking at a table: open, in focus, and someone at the keys in the last minutes.
 * As long as that holds, no letter or message is sent about this one table.
 *
 *   (import keepLooking from this file)
 *   keepLooking("/notices/looking/", publicId, csrfToken);
 */

const EVERY = 20_000;
const IDLE = 5 * 60_000;

/**
 * @param {string} address where to say it
 * @param {string} topic the public id of the game or table this page shows
 * @param {string} token the page's CSRF token
 */
export function keepLooking(address, topic, token) {
  let touched = performance.now();
  let looking = false;

  const say = (away) => {
    const fields = away ? { topic, away: "1" } : { topic };
    fetch(address, {
      method: "POST",
      headers: { "X-CSRFToken": token },
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
