/**
 * The public pages of a tournament, live: when something has happened, the page is fetched again and put in the place of
 * what is shown. What somebody is typing stays, and so does the place they have scrolled to. Without it, one reloads.
 */
import { holdsFilled } from "./filled.js";
import { untilLetGo } from "./let_go.js";
import { oneAtATime } from "./once.js";
import { listen } from "./tournament_bell.js";

const shown = () => document.getElementById("live");
const numberOf = (part) => Number(part.dataset.number);

/** Whether somebody stands in a field of this part, or has filled something in. */
const busy = (part) =>
  holdsFilled(part) ||
  (part.contains(document.activeElement) && document.activeElement.matches("input, select, textarea"));

/** Take over what is new. @param {Document} page */
function take(page) {
  const fresh = page.getElementById("live");
  const old = shown();
  if (fresh === null || numberOf(fresh) <= numberOf(old) || busy(old)) return;
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  [...fresh.querySelectorAll("details")].forEach((each, place) => {
    each.open = open[place] ?? false;
  });
  const focused = document.activeElement?.id;
  old.replaceWith(document.importNode(fresh, true));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Fetch the page as it is now. */
const catchUp = oneAtATime(async () => {
  const answer = await fetch(window.location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  await untilLetGo();
  take(page);
});

if (shown() !== null) listen({ part: shown, catchUp });
