/**
 * Seconds that pass: at a live table the line about time counts down between two answers of the server. What it says is
 * only a picture; when time is out the server decides.
 */
const line = () => document.querySelector(".clock-line[data-until]");

/** @param {number} seconds @returns {string} "0:45" */
const spoken = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

const left = (moment) => Math.max(0, Math.ceil((Date.parse(moment) - Date.now()) / 1000));

function tick() {
  const shown = line();
  if (shown === null) return;
  const action = left(shown.dataset.reserveFrom);
  const whole = left(shown.dataset.until);
  const fields = { action: spoken(action), reserve: spoken(whole - action) };
  let text = fields.action;
  if (action === 0) text = interpolate(gettext("%(reserve)s of the reserve"), fields, true);
  else if (whole > action) text = interpolate(gettext("%(action)s, then %(reserve)s in reserve"), fields, true);
  if (shown.dataset.name) text = `${shown.dataset.name}: ${text}`;
  if (shown.textContent !== text) shown.textContent = text;
}

/** Count down once a second, for as long as the page is open. */
export function startClock() {
  window.setInterval(tick, 1000);
  tick();
}
