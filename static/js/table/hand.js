/**
 * One's own hand: one tap lifts a card, a second plays it; arrows move along the cards, Enter lifts and plays, Escape puts
 * back. For the scart the same cards are boxes to tick.
 */

import { made } from "../site.js";

const HAND = "[data-own-hand]"; // not `data-hand`: the table says by that which hand is played

const table = () => document.getElementById("table");

let lifted = ""; // the card that is lifted, and the one that arrows go on from, by their codes
let current = "";
let lastPlace = 0; // of that one in the hand
let refuse; // says why a card may not be played

/** Let the cards be lifted and played; `say` says why one may not be. */
export function begin(say) {
  refuse = say;
  document.addEventListener("click", clicked);
  document.addEventListener("keydown", keyed);
  document.addEventListener("change", ticked);
  document.addEventListener("focusin", focused);
}

/** Take note of the hand as it is shown now. */
export function refresh() {
  const cards = handCards();
  for (const box of table().querySelectorAll(".held input:disabled")) {
    box.disabled = false; // it may be reached, and says why it cannot be chosen
    box.setAttribute("aria-disabled", "true");
  }
  if (!cards.some((card) => codeOf(card) === current)) {
    current = cards.length > 0 ? codeOf(cards[Math.min(lastPlace, cards.length - 1)]) : "";
  }
  rove(cards);
  const asked = table().querySelector("[data-confirms]");
  if (asked !== null) lifted = asked.dataset.confirms;
  if (!cards.some((card) => codeOf(card) === lifted && playable(card))) lifted = "";
  showLifted(cards);
  countTicks();
}

function handCards() {
  return [...table().querySelectorAll(`${HAND} :is(button.held, .held input)`)];
}

function goTo(card) {
  current = codeOf(card);
  rove(handCards());
}

function rove(cards) {
  cards.forEach((card, place) => {
    const isCurrent = codeOf(card) === current;
    card.tabIndex = isCurrent ? 0 : -1;
    if (isCurrent) lastPlace = place;
  });
}

function showLifted(cards) {
  for (const card of cards) {
    if (card.matches("button") && playable(card)) card.setAttribute("aria-pressed", String(codeOf(card) === lifted));
  }
}

function clicked(event) {
  const within = (selector) => event.target.closest(`#table ${selector}`);
  const card = within("button.held");
  const mayNot = within("label.held[data-why]");
  const back = within("[data-put-back]");
  if (card ?? mayNot ?? back) event.preventDefault();
  if (back !== null) putBack();
  else if (card !== null) tapped(card);
  else if (lifted !== "" && within(":is(.board, .prompt)") !== null) lift("");
  if (mayNot !== null) refuse(mayNot.dataset.why);
}

function tapped(card) {
  goTo(card);
  // Where nothing is to be played, what is asked of whom is the reason.
  if (!playable(card)) refuse(card.dataset.why ?? document.getElementById("prompt").textContent.trim());
  else if (lifted === codeOf(card) || table().dataset.oneTap === "yes") card.form.requestSubmit(card);
  else lift(codeOf(card));
}

/** The card that was asked about stays in the hand, and one goes on from there. */
function putBack() {
  const code = lifted;
  lift("");
  handCards().find((card) => codeOf(card) === code)?.focus({ preventScroll: true });
}

function lift(code) {
  if (code !== "") refuse("");
  table().querySelector("[data-confirms]")?.remove();
  lifted = code;
  showLifted(handCards());
}

function focused(event) {
  if (event.target.closest?.(HAND)) goTo(event.target);
}

function keyed(event) {
  if (event.key === "Escape" && lifted !== "") {
    if (event.target.closest?.("[data-confirms]")) putBack();
    else lift("");
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || !event.target.closest?.(HAND)) return;
  if (event.key === "Enter" && event.repeat) {
    event.preventDefault(); // held too long: what was lifted would be played
    return;
  }
  if (event.key === "Enter" && event.target.matches("input")) {
    event.preventDefault(); // Enter would send the form: here it chooses, as it does for a card to play
    event.target.click();
    return;
  }
  const there = cardBeside(handCards(), event.target, event.key);
  if (there !== undefined || event.key.startsWith("Arrow")) event.preventDefault();
  there?.focus({ preventScroll: true });
}

function ticked(event) {
  if (!event.target.matches?.("#table .held input")) return;
  if (event.target.getAttribute("aria-disabled") === "true") {
    event.target.checked = false;
    refuse(event.target.closest("label").dataset.why);
    return;
  }
  refuse("");
  const wanted = Number(table().dataset.choose);
  const others = handCards().filter((box) => box.checked && box !== event.target);
  if (event.target.checked && others.length >= wanted) {
    const oldest = others.sort((one, other) => Number(one.dataset.tickedAt) - Number(other.dataset.tickedAt))[0];
    oldest.checked = false;
    sayTicked();
  }
  event.target.dataset.tickedAt = String(performance.now());
  countTicks();
}

/** One card has been put back for another, which is seen: it is said which ones are to be laid away now. */
function sayTicked() {
  const ticked = handCards().filter((box) => box.checked);
  const names = ticked.map((box) => box.closest("label").textContent.trim());
  const button = table().querySelector("[data-needs]");
  document.getElementById("said").append(made("p", {}, `${button.textContent.trim()}: ${names.join("; ")}`));
}

/** The button that lays away waits for the right number of cards. */
function countTicks() {
  const button = table().querySelector("[data-needs]");
  if (button === null) return;
  const ticked = handCards().filter((box) => box.checked).length;
  button.setAttribute("aria-disabled", String(ticked !== Number(button.dataset.needs)));
}

const codeOf = (card) => card.dataset.card ?? card.value;
const playable = (card) => card.getAttribute("aria-disabled") !== "true";

/** The card that an arrow key, Home or End leads to. @returns {HTMLElement | undefined} */
export function cardBeside(cards, card, key) {
  const here = cards.indexOf(card);
  return {
    ArrowRight: () => cards[here + 1],
    ArrowLeft: () => cards[here - 1],
    ArrowDown: () => inNextRow(cards, here, 1),
    ArrowUp: () => inNextRow(cards, here, -1),
    Home: () => cards[0],
    End: () => cards.at(-1),
  }[key]?.();
}

/** The card above or below: the nearest one in the next row that is higher or lower on the page. */
function inNextRow(cards, here, direction) {
  const spot = (card) => (card.closest("label") ?? card).getBoundingClientRect();
  const from = spot(cards[here]);
  const rows = cards
    .map((card) => ({ card, at: spot(card) }))
    .filter(({ at }) => (at.top - from.top) * direction > from.height / 4);
  const nearest = Math.min(...rows.map(({ at }) => Math.abs(at.top - from.top)));
  return rows
    .filter(({ at }) => Math.abs(at.top - from.top) < nearest + from.height / 4)
    .sort((one, other) => Math.abs(one.at.left - from.left) - Math.abs(other.at.left - from.left))[0]?.card;
}
