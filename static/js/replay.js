/**
 * Step through a finished hand without loading the page anew: buttons, slider, keys, the lines of the account, and playing
 * by itself. Every position stays a plain link that works without this script; the server draws each of them.
 */

import { quote } from "./site.js";

const PACE = 1400; // milliseconds for one step while the hand plays by itself
const SETTLE = 60; // a slider under way asks for the board only where it rests this long

const stage = document.getElementById("replay");
const said = document.getElementById("replay-said");
const slider = stage.querySelector("input[name=step]");
const playButton = stage.querySelector("[data-play]");
/** The lines of the account, by step. */
const lines = new Map(Array.from(document.querySelectorAll(".moves li[data-move]"), (line) => [Number(line.dataset.move), line]));
const LAST = Number(stage.querySelector("form.steps").dataset.last);

/** The boards fetched so far, by step: promises of elements. */
const boards = new Map();
let current = Number(slider.value);
let playing = 0;
let settling = 0;

const address = (step) => `?step=${step}`;

async function fetchBoard(step) {
  const answer = await fetch(`${address(step)}&fragment=1`);
  if (!answer.ok) throw new Error(`step ${step}: ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { board: page.querySelector("[data-part=board]"), now: page.querySelector("[data-part=now]") };
}

function drawn(step) {
  if (!boards.has(step)) {
    const asked = fetchBoard(step);
    asked.catch(() => boards.delete(step));
    boards.set(step, asked);
  }
  return boards.get(step);
}

/** Shows the position after `step` actions: at once what the page knows already, then the board. */
async function show(step) {
  current = Math.max(0, Math.min(step, LAST));
  const wanted = current;
  point(wanted);
  window.clearTimeout(settling);
  if (!boards.has(wanted)) await new Promise((settled) => (settling = window.setTimeout(settled, SETTLE)));
  if (wanted !== current) return;
  try {
    const { board, now } = await drawn(wanted);
    if (wanted !== current) return;
    Idiomorph.morph(stage.querySelector("[data-part=board]"), board.cloneNode(true)); // cards that stay are not drawn anew
    quote(stage.querySelector("[data-part=now]"), now);
    // The slider reads its own value aloud; everybody else hears the sentence from the live region.
    if (document.activeElement === slider) said.textContent = "";
    else quote(said, now);
    document.dispatchEvent(new CustomEvent("replay:board"));
    window.history.replaceState(null, "", address(wanted));
    if (wanted < LAST) drawn(wanted + 1).catch(() => {}); // the likely next one; it is asked for again if that fails
  } catch {
    if (wanted !== current) return;
    stop();
    window.location.assign(address(wanted)); // the page itself says better what is wrong
  }
}

/** Marks the step in the slider, the buttons and the account. */
function point(step) {
  slider.value = String(step);
  const count = interpolate(gettext("%(step)s of %(last)s"), { step, last: LAST }, true);
  stage.querySelector("[data-part=count]").textContent = count;
  const told = lines.get(step)?.querySelector(".told"); // what happened, as the account has it
  slider.setAttribute("aria-valuetext", told ? `${step}/${LAST}: ${told.textContent.trim()}` : count);
  slider.lang = (told ?? stage).closest("[lang]").lang;
  if (told) quote(stage.querySelector("[data-part=now]"), told);

  const targets = { first: 0, back: Math.max(step - 1, 0), on: Math.min(step + 1, LAST), last: LAST };
  for (const link of stage.querySelectorAll("[data-to]")) {
    link.href = address(targets[link.dataset.to]);
    link.ariaDisabled = targets[link.dataset.to] === step ? "true" : null;
  }
  for (const [number, line] of lines) {
    line.toggleAttribute("data-current", number === step);
    line.querySelector("a[data-step]").ariaCurrent = number === step ? "step" : null;
  }
  bringIntoView(lines.get(step));
  document.dispatchEvent(new CustomEvent("replay:step", { detail: { step } }));
}

/** Scrolls the account, and never the page, so that the current line shows. */
function bringIntoView(line) {
  const account = document.querySelector(".moves");
  account.scrollTop = line ? line.offsetTop - account.clientHeight / 2 : 0;
}

/** One step after the other, each as soon as the last has been on the table for its time, however slow the line is. */
function playOn() {
  const own = window.setTimeout(async () => {
    await show(current + 1);
    if (playing !== own) return; // stopped meanwhile, and perhaps begun anew
    if (current === LAST) stop();
    else playOn();
  }, PACE);
  playing = own;
}

function showPlaying() {
  playButton.toggleAttribute("data-playing", playing !== 0);
  playButton.querySelector("[data-play-word]").textContent = playing ? gettext("Pause") : gettext("Play");
}

function play() {
  if (current === LAST) show(0);
  playOn();
  showPlaying();
}

function stop() {
  window.clearTimeout(playing);
  playing = 0;
  showPlaying();
}

/** What a reader chose ends the play by itself. */
function goTo(step) {
  stop();
  show(Number(step));
}

const withModifier = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step], #replay a[data-to]");
  if (link && !withModifier(event)) {
    event.preventDefault();
    goTo(new URL(link.href).searchParams.get("step"));
    if (link.closest(".points")) stage.scrollIntoView({ block: "start" });
  }
  // A tap on a sentence leads there too; not one on a term in it, nor one that ends a selection of text.
  const line = event.target.closest(".moves li[data-move]");
  if (line && !event.target.closest("a, button, .written") && window.getSelection().isCollapsed) goTo(line.dataset.move);
});

slider.addEventListener("input", () => goTo(slider.value));
playButton.addEventListener("click", () => (playing ? stop() : play()));

const KEYS = { ArrowLeft: () => current - 1, ArrowRight: () => current + 1, Home: () => 0, End: () => LAST };

document.addEventListener("keydown", (event) => {
  const target = KEYS[event.key];
  if (!target || event.defaultPrevented || withModifier(event)) return;
  // Where these keys have a meaning of their own they keep it: the slider, fields, menus, parts that scroll sideways.
  if (event.target.closest("input, textarea, select, details.menu, .table-scroll, pre")) return;
  event.preventDefault();
  goTo(target());
});

bringIntoView(lines.get(current));
