/** What somebody has filled in and not sent yet, on pages that renew their parts while one looks at them. */

/** What people fill in, inside a part. */
export const FIELD = ':is(input:not([type="hidden"]), select, textarea)';

/** @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field whether one ticks it. */
export const isTicked = (field) => field.type === "checkbox" || field.type === "radio";

/** @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field whether it says other than it came. */
export function isFilled(field) {
  if (isTicked(field)) return field.checked !== field.defaultChecked;
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue;
  const first = Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  return field.selectedIndex !== first;
}

/** @param {Element} part whether something is filled in there. */
export const holdsFilled = (part) => [...part.querySelectorAll(FIELD)].some(isFilled);
