/**
 * One's own hand: one tap lifts a card, a second plays it; arrows move along the cards, Enter lifts and plays, Escape puts
 * back. For the scart the same cards are boxes to tick.
 */

import { made } from "../site.js";

const HAND = "[data-own-hand]"; // not `data-hand`: the table says by that which hand is played

export class Hand {
  #table;
  #send;
  #refuse;
  #lifted = "";
  #current = "";
  #place = 0;

  /**
   * @param {() => HTMLElement} table
   * @param {(form: HTMLFormElement, button: HTMLButtonElement) => void} send plays a card
   * @param {(text: string) => void} refuse says why a card may not be played
   */
  constructor(table, send, refuse) {
    this.#table = table;
    this.#send = send;
    this.#refuse = refuse;
    document.addEventListener("click", (event) => this.#clicked(event));
    document.addEventListener("keydown", (event) => this.#keyed(event));
    document.addEventListener("change", (event) => this.#ticked(event));
    document.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** Take note of the hand as it is shown now. */
  refresh() {
    const cards = this.#cards();
    for (const box of this.#table().querySelectorAll(".held input:disabled")) {
      box.disabled = false; // it may be reached, and says why it cannot be chosen
      box.setAttribute("aria-disabled", "true");
    }
    if (!cards.some((card) => codeOf(card) === this.#current)) {
      this.#current = cards.length > 0 ? codeOf(cards[Math.min(this.#place, cards.length - 1)]) : "";
    }
    this.#rove(cards);
    const asked = this.#table().querySelector("[data-confirms]");
    if (asked !== null) this.#lifted = asked.dataset.confirms;
    if (!cards.some((card) => codeOf(card) === this.#lifted && playable(card))) this.#lifted = "";
    this.#showLifted(cards);
    this.#countTicks();
  }

  #cards() {
    return [...this.#table().querySelectorAll(`${HAND} :is(button.held, .held input)`)];
  }

  #goTo(card) {
    this.#current = codeOf(card);
    this.#rove(this.#cards());
  }

  #rove(cards) {
    cards.forEach((card, place) => {
      const current = codeOf(card) === this.#current;
      card.tabIndex = current ? 0 : -1;
      if (current) this.#place = place;
    });
  }

  #showLifted(cards) {
    for (const card of cards) {
      if (card.matches("button") && playable(card)) card.setAttribute("aria-pressed", String(codeOf(card) === this.#lifted));
    }
  }

  #clicked(event) {
    const within = (selector) => event.target.closest(`#table ${selector}`);
    const card = within("button.held");
    const mayNot = within("label.held[data-why]");
    const putBack = within("[data-put-back]");
    if (card ?? mayNot ?? putBack) event.preventDefault();
    if (putBack !== null) this.#putBack();
    else if (card !== null) this.#tapped(card);
    else if (this.#lifted !== "" && within(":is(.board, .prompt)") !== null) this.#lift("");
    if (mayNot !== null) this.#refuse(mayNot.dataset.why);
  }

  #tapped(card) {
    this.#goTo(card);
    // Where nothing is to be played, what is asked of whom is the reason.
    if (!playable(card)) this.#refuse(card.dataset.why ?? document.getElementById("prompt").textContent.trim());
    else if (this.#lifted === codeOf(card) || this.#table().dataset.oneTap === "yes") this.#send(card.form, card);
    else this.#lift(codeOf(card));
  }

  /** The card that was asked about stays in the hand, and one goes on from there. */
  #putBack() {
    const code = this.#lifted;
    this.#lift("");
    this.#cards().find((card) => codeOf(card) === code)?.focus({ preventScroll: true });
  }

  #lift(code) {
    if (code !== "") this.#refuse("");
    this.#table().querySelector("[data-confirms]")?.remove();
    this.#lifted = code;
    this.#showLifted(this.#cards());
  }

  #focused(event) {
    if (event.target.closest?.(HAND)) this.#goTo(event.target);
  }

  #keyed(event) {
    if (event.key === "Escape" && this.#lifted !== "") {
      if (event.target.closest?.("[data-confirms]")) this.#putBack();
      else this.#lift("");
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
    const there = cardBeside(this.#cards(), event.target, event.key);
    if (there !== undefined || event.key.startsWith("Arrow")) event.preventDefault();
    there?.focus({ preventScroll: true });
  }

  #ticked(event) {
    if (!event.target.matches?.("#table .held input")) return;
    if (event.target.getAttribute("aria-disabled") === "true") {
      event.target.checked = false;
      this.#refuse(event.target.closest("label").dataset.why);
      return;
    }
    this.#refuse("");
    const wanted = Number(this.#table().dataset.choose);
    const ticked = this.#cards().filter((box) => box.checked && box !== event.target);
    if (event.target.checked && ticked.length >= wanted) {
      const oldest = ticked.sort((one, other) => Number(one.dataset.tickedAt) - Number(other.dataset.tickedAt))[0];
      oldest.checked = false;
      this.#sayTicked();
    }
    event.target.dataset.tickedAt = String(performance.now());
    this.#countTicks();
  }

  /** One card has been put back for another, which is seen: it is said which ones are to be laid away now. */
  #sayTicked() {
    const ticked = this.#cards().filter((box) => box.checked);
    const names = ticked.map((box) => box.closest("label").textContent.trim());
    const button = this.#table().querySelector("[data-needs]");
    document.getElementById("said").append(made("p", {}, `${button.textContent.trim()}: ${names.join("; ")}`));
  }

  /** The button that lays away waits for the right number of cards. */
  #countTicks() {
    const button = this.#table().querySelector("[data-needs]");
    if (button === null) return;
    const ticked = this.#cards().filter((box) => box.checked).length;
    button.setAttribute("aria-disabled", String(ticked !== Number(button.dataset.needs)));
  }
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
