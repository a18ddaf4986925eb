/**
 * Nothing is renewed under a finger: what is replaced between pressing and letting go takes the press with it, and somebody
 * taps a button in vain. Pages that renew themselves wait for this before they put in place what is new.
 */

const LONGEST = 30_000; // milliseconds: whoever holds longer presses nothing, or the letting go was not told to us

let pressing = false;
let holding = 0;
const waiting = [];

function begin() {
  pressing = true;
  clearTimeout(holding);
  holding = setTimeout(end, LONGEST);
}

/** The click comes right after the letting go: it is to find its button still there. */
function end() {
  if (!pressing) return;
  pressing = false;
  clearTimeout(holding);
  setTimeout(() => {
    if (pressing) return; // pressed anew: then it is waited for that one
    for (const resolve of waiting.splice(0)) resolve();
  });
}

const options = { capture: true, passive: true };
window.addEventListener("pointerdown", (event) => event.isPrimary && event.button === 0 && begin(), options);
window.addEventListener("pointerup", end, options);
window.addEventListener("pointercancel", end, options); // it became scrolling
window.addEventListener("keydown", (event) => event.key === " " && begin(), options);
window.addEventListener("keyup", end, options);
window.addEventListener("blur", end);

/** @returns {Promise<void>} resolves when nothing is being pressed: at once, as a rule */
export function untilLetGo() {
  if (!pressing) return Promise.resolve();
  return new Promise((resolve) => waiting.push(resolve));
}
