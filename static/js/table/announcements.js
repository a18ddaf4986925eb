/**
 * What the page says: to a screen reader what happened, in the window's title whose turn it is, why something failed, and how
 * much time is left.
 */
import { alertOf, clockText, keepTime, languageOf, made, secondsTo, setText } from "../site.js";

const KEPT = 30;

/** Announce the lines of the log that are newer than action `before`, oldest first. */
export function say(table, before) {
  const said = document.getElementById("said");
  const fresh = [...table.querySelectorAll(".log li")].filter((line) => Number(line.dataset.number) > before).reverse();
  said.append(...fresh.map((line) => made("p", { lang: languageOf(line) }, line.textContent)));
  while (said.childElementCount > KEPT) said.firstElementChild.remove();
}

/** The window's title tells from afar how many other games wait, and whose turn it is here. */
export function showTurn(table) {
  const { title, yours, status, waiting } = table.dataset;
  const turn = yours === "yes" && status === "playing" ? `● ${gettext("Your turn")} · ` : "";
  document.title = (waiting ? `(${waiting}) ` : "") + turn + title;
}

/** Say under the board why something is not possible; "" takes it away. */
export function showRefusal(text) {
  document.querySelector('#table [data-part="refusal"]').replaceChildren(...(text === "" ? [] : [alertOf(text, "warning")]));
}

const SOURCES = ["post", "chat", "socket"]; // what one has done oneself comes first: one waits for it
const troubles = new Map();

/** Show what is wrong with the connection, as one of the sources sees it; "" when nothing is. */
export function showConnection(source, trouble) {
  if (trouble === "") troubles.delete(source);
  else troubles.set(source, trouble);
  const place = document.getElementById("connection");
  const first = SOURCES.find((each) => troubles.has(each));
  setText(place, troubles.get(first) ?? "");
  place.hidden = troubles.size === 0;
}

const LITTLE = 20; // seconds, which are seen by their colour and said once in each turn
let low = ""; // the end of the turn of which it was said

/** Whoever is asked hears and sees that little time is left. @param {HTMLElement} shown  the line of the clock */
function warn(shown, seconds) {
  const isLittle = !shown.dataset.name && seconds <= LITTLE;
  shown.toggleAttribute("data-little", isLittle);
  if (!isLittle || low === shown.dataset.until) return;
  low = shown.dataset.until;
  const words = interpolate(gettext("Your time is running out: %(time)s left."), { time: clockText(seconds) }, true);
  document.getElementById("said").append(made("p", {}, words));
}

/** Seconds that pass at a live table between two answers of the server: a picture, the server decides when time is out. */
keepTime(".clock-line[data-until]", (shown) => {
  const action = secondsTo(shown.dataset.reserveFrom);
  const whole = secondsTo(shown.dataset.until);
  const fields = { action: clockText(action), reserve: clockText(whole - action) };
  let text = fields.action;
  if (action === 0) text = interpolate(gettext("%(reserve)s of the reserve"), fields, true);
  else if (whole > action) text = interpolate(gettext("%(action)s, then %(reserve)s in reserve"), fields, true);
  warn(shown, whole);
  setText(shown, shown.dataset.name ? `${shown.dataset.name}: ${text}` : text);
});
