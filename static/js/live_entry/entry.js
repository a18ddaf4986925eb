/**
 * The form of one deal: what one side has gives what the other has, sums are checked before anything is sent, and any deal of
 * the sheet can be chosen without asking the site.
 */
import { fillLast, numberOf, withMinus } from "../points.js";
import { setText } from "../site.js";

const root = () => document.getElementById("hall-live");
const form = () => document.getElementById("entry");
const fields = () => [...form().querySelectorAll(".points input")];

/** @returns {number | null} what the line in the form adds up to here; null where that is open. */
const total = () => (root().dataset.total === "" ? null : Number(root().dataset.total) * Number(form().dataset.of || 1));

function say(text, bad = false) {
  const line = document.getElementById("entry-says");
  line.toggleAttribute("data-bad", bad);
  setText(line, text);
}

function refuse(text) {
  say(text, true);
  return false;
}

function meant(shown) {
  const box = form().querySelector(".meant");
  box.hidden = !shown;
  if (!shown) box.querySelector("input").checked = false;
}

/** Somebody types: the last side that nobody has typed follows. */
function follow(input) {
  const all = fields();
  say("");
  meant(false);
  if (total() === null || fillLast(all, input, total())) return;
  const open = all.filter((each) => each.value.trim() === "");
  const sum = all.reduce((so, each) => so + (numberOf(each.value) ?? 0), 0);
  if (open.length) say(interpolate(gettext("So far %(sum)s of %(total)s."), { sum: withMinus(sum), total: total() }, true));
  else check();
}

/** @returns {boolean} whether the deal can be sent as it stands; says why not. */
export function check() {
  const numbers = fields().map((input) => numberOf(input.value));
  for (const input of fields()) input.removeAttribute("aria-invalid");
  const bad = numbers.indexOf(null);
  if (bad >= 0) {
    fields()[bad].setAttribute("aria-invalid", "true");
    fields()[bad].focus();
    return refuse(gettext("Every side needs its points: whole numbers, please."));
  }
  const impossible = total() > 0 ? numbers.findIndex((points) => points < 0 || points > total()) : -1;
  if (impossible >= 0) {
    fields()[impossible].setAttribute("aria-invalid", "true");
    const words = { points: withMinus(numbers[impossible]), most: total() };
    return refuse(interpolate(gettext("No side can have %(points)s of %(most)s points. Look at the numbers again. If they are meant, the director writes them on the page of the table."), words, true));
  }
  const sum = numbers.reduce((one, other) => one + other, 0);
  if (total() === null || sum === total()) {
    say("");
    meant(false);
    return true;
  }
  const words = { sum: withMinus(sum), total: total() };
  if (root().dataset.wrongSum === "recount") {
    return refuse(interpolate(gettext("That adds up to %(sum)s; it should be %(total)s. Count the cards again."), words, true));
  }
  meant(true);
  if (form().querySelector("[name=wrong]").checked) return true;
  return refuse(interpolate(gettext("That adds up to %(sum)s; it should be %(total)s. Count again; if it stays so, say so below."), words, true));
}

/** Put the deal of a line of the sheet into the form. */
export function choose(line, { focus = true } = {}) {
  const { deal, extra, title, about, seen: there } = line.dataset;
  form().hidden = false;
  form().dataset.of = line.dataset.of;
  for (const [name, value] of Object.entries({ deal, extra, seen: there })) form().elements.namedItem(name).value = value;
  document.getElementById("entry-title").textContent = title;
  document.getElementById("entry-about").textContent = about;
  const scores = [...line.querySelectorAll(".score[data-label]")];
  for (const [place, input] of fields().entries()) {
    const label = form().querySelector(`label[for="${input.id}"] .team`);
    label.textContent = scores[place].dataset.label;
    label.dataset.team = scores[place].dataset.mark;
    input.value = input.defaultValue = there ? there.split(",")[place] : "";
    delete input.dataset.filled;
    input.toggleAttribute("data-stood", Boolean(there)); // nobody has typed it now: it follows what is typed in the other
    input.removeAttribute("aria-invalid");
  }
  document.getElementById("entry-send").textContent = there ? gettext("Change this deal") : gettext("Write this deal");
  document.getElementById("entry-leave").hidden = !there;
  say("");
  meant(false);
  for (const each of document.querySelectorAll(".deal[data-now]")) each.removeAttribute("data-now");
  line.setAttribute("data-now", "");
  const erase = document.getElementById("erase");
  if (erase) erase.hidden = erase.elements.namedItem("deal").value !== deal;
  if (focus) {
    form().scrollIntoView({ block: "nearest" });
    fields()[0].focus({ preventScroll: true });
    fields()[0].select();
  }
}

/** Another version of the sheet: of two sides the other one follows. */
function followThere(input, points) {
  const sides = [...points.querySelectorAll("input")];
  const value = numberOf(input.value);
  if (sides.length !== 2 || root().dataset.total === "" || value === null) return;
  sides.find((each) => each !== input).value = String(Number(root().dataset.total) * Number(points.dataset.of) - value);
}

document.addEventListener("input", ({ target }) => {
  const points = target.closest(".points");
  if (points === null) return;
  if (form()?.contains(target)) follow(target);
  else followThere(target, points);
});

document.addEventListener("click", (event) => {
  const sign = event.target.closest("[data-sign]");
  if (sign === null) return;
  const input = document.getElementById(sign.dataset.sign);
  const plain = input.value.trim().replace(/^[−–+]/, (mark) => (mark === "+" ? "" : "-"));
  input.value = plain.startsWith("-") ? plain.slice(1) : `-${plain}`;
  input.focus();
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
