/**
 * Laying a position with the cards themselves: press where cards go, then the cards. What counts is the text in the fields,
 * which can be written as well; the pack only follows it. Without this script the fields are all there is.
 */
import { cardBeside } from "./table/hand.js";

const form = document.querySelector("form.laying");
const cards = [...form.querySelectorAll("[data-code]")];
const known = new Map(cards.map((card) => [card.dataset.code, card]));
const targets = [...form.querySelectorAll("[data-target]")];
const said = form.querySelector("[data-said]");
const places = [...form.querySelectorAll("[data-place]")].map((box) => ({
  name: box.dataset.place,
  label: box.querySelector("label").textContent,
  field: box.querySelector("textarea"),
  count: box.querySelector("[data-count]"),
}));
const played = places.find((place) => place.name === "plays");
let target = places[0];

/** A card's name in its label, whatever is said beside it. */
const names = new Map(cards.map((card) => [card.dataset.code, card.getAttribute("aria-label")]));

const words = (place) => place.field.value.split(/[\s,;]+/).filter(Boolean);
const codes = (place) => words(place).flatMap((word) => word.toUpperCase().split("+")).filter((code) => known.has(code));

/** Where each card lies, by its code: a hand, or what was laid away. */
function lying() {
  return new Map(places.filter((place) => place !== played).flatMap((place) => codes(place).map((code) => [code, place])));
}

function show() {
  const where = lying();
  const gone = new Set(codes(played));
  for (const [code, card] of known) {
    const at = where.get(code);
    const here = target === played ? gone.has(code) : at === target;
    card.setAttribute("aria-pressed", String(here));
    card.dataset.at = at ? at.label.slice(0, 1) : "";
    card.toggleAttribute("data-played", gone.has(code));
    const told = [names.get(code), at?.label, gone.has(code) ? played.label : ""].filter(Boolean);
    card.setAttribute("aria-label", told.join(", "));
  }
  for (const place of places) place.count.textContent = String(codes(place).length || "");
  for (const button of targets) button.setAttribute("aria-pressed", String(button.dataset.target === target.name));
}

const write = (place, rest) => (place.field.value = rest.join(" "));

function take(place, code) {
  write(place, words(place).filter((word) => word.toUpperCase() !== code));
}

function press(code) {
  const at = target === played ? (codes(played).includes(code) ? played : undefined) : lying().get(code);
  if (at) take(at, code);
  if (at !== target) write(target, [...words(target), code]);
  show();
  said.textContent = known.get(code).getAttribute("aria-label");
}

form.querySelector("[data-pack]").addEventListener("keydown", (event) => {
  const card = event.target.closest("[data-code]");
  const next = card && cardBeside(cards, card, event.key);
  if (!next) return;
  event.preventDefault();
  card.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});

for (const card of cards) card.addEventListener("click", () => press(card.dataset.code));
for (const button of targets) {
  button.addEventListener("click", () => {
    target = places.find((place) => place.name === button.dataset.target);
    show();
  });
}
form.addEventListener("input", show);
show();

const choice = document.querySelector(".table-choice");
choice.querySelector("select").addEventListener("change", () => choice.submit());
