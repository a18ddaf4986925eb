/**
 * The number of unread notices in the head of the page, kept right while the page is open. The page is whole without it:
 * the number is right when the page is made, and the link leads to the list.
 */

const COUNTED = 99;
const SETTLES = 700; // the ring comes a moment before the notice stands in the list

const place = document.querySelector("[data-unread]");
let asked = 0;

async function refresh() {
  const answer = await fetch("/notices/bell.json?count", { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const { unread } = await answer.json();
  const number = place.querySelector("[data-count]");
  const worded = unread > COUNTED ? `${COUNTED}+` : String(unread);
  if (number.textContent !== worded) number.textContent = worded;
  number.parentElement.hidden = unread === 0;
}

/** Ask soon how many there are; several calls at once ask once. Nothing happens on a page without the bell. */
export function askUnread() {
  if (place === null) return;
  clearTimeout(asked);
  asked = setTimeout(() => refresh().catch(() => {}), SETTLES); // the next ring or minute asks again
}
