/** Points as people type them, on a phone and at the desk: what all sides but one have gives what the last one has. */

/** @param {string} text @returns {number | null} a whole number as people type it. */
export function numberOf(text) {
  const plain = text.replace(/[−–]/g, "-").replace(/[\s'’]/g, "");
  return /^[+-]?\d{1,9}$/.test(plain) ? Number(plain) : null;
}

/** @param {number | string} number @returns {string} as it is shown: with a true minus. */
export const withMinus = (number) => String(number).replace("-", "−");

/**
 * Fill the one side that nobody has typed, so that all add up to `total`; `typed` is the field somebody types in now. Tells whether
 * there is exactly one such side. `data-filled`: this function wrote the value; `data-stood`: it stands in the sheet and nobody has
 * typed it now. Both may be overwritten.
 */
export function fillLast(sides, typed, total) {
  delete typed.dataset.filled;
  delete typed.dataset.stood;
  const open = sides.filter(
    (each) => each !== typed && (each.value.trim() === "" || each.dataset.filled !== undefined || each.dataset.stood !== undefined),
  );
  if (open.length !== 1) return false;
  const [last] = open;
  const others = sides.filter((each) => each !== last).map((each) => numberOf(each.value));
  const known = !others.includes(null);
  delete last.dataset.stood;
  last.value = known ? String(others.reduce((left, each) => left - each, total)) : "";
  last.toggleAttribute("data-filled", known);
  return true;
}
