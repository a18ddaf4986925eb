/**
 * The big screen: one slide at a time fills it, long lists turn their pages, and what happens in the tournament comes by
 * itself. Keys: space holds, arrows turn, 0 to 5 choose, f takes the whole screen, d changes light and dark.
 */
import { chooseTheme, setText, siteNow } from "../site.js";
import "./clock.js";
import "../live.js";

const READS = 10_000; // a page
const AWAY = 3_000; // after so long the controls go
const SEATS = 180_000; // after a round is published, nothing but where people sit, for as long
const TYPE = [1, 0.85, 0.72]; // of names that would break
const COLUMNS = [3, 2, 4];

const root = () => document.getElementById("hall-live");
const controls = document.querySelector(".screen-controls");
const slides = () => [...root().querySelectorAll(".slide")];
let chosen = root().dataset.chosen;
let current = "";
let page = 0;
let held = false;
let turning = 0;
let leaving = 0;
let round = seated();
let seats = 0; // until when nothing else is shown

/** Which rounds the names are of. */
function seated() {
  return root().querySelector("[data-round]")?.dataset.round ?? "";
}

/** The slides that take their turn now: those chosen, unless none of them is there. */
function turns() {
  const there = slides().map((slide) => slide.dataset.slide);
  const found = [chosen, Date.now() < seats ? "names" : ""].map((wanted) => there.filter((name) => wanted.split(",").includes(name)));
  const inTurn = there.filter((name) => root().dataset.slides.split(",").includes(name));
  return [...found, inTurn].find((names) => names.length) ?? there.slice(0, 1);
}

const slide = () => slides().find((each) => each.dataset.slide === current);
const gap = (flow) => parseFloat(getComputedStyle(flow).columnGap || "0");
const step = (flow) => flow.getBoundingClientRect().width + gap(flow); // clientWidth is rounded, and would drift from page to page
// A last page may have a single column; a hair is what browsers round away.
const pagesOf = (flow) => (flow ? Math.max(1, Math.ceil((flow.scrollWidth + gap(flow)) / step(flow) - 0.02)) : 1);

/** How many names take a second line. */
function broken(flow) {
  return [...flow.querySelectorAll(".name")].filter((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    return range.getClientRects().length > 1;
  }).length;
}

function lay(flow, columns, type) {
  flow.toggleAttribute("data-narrow", columns > 3);
  flow.style.setProperty("--columns", String(columns));
  flow.style.setProperty("--type", String(type));
}

/** The names in as few pages as three columns or four make of them, and there in the largest type that breaks the fewest. */
function arrange(flow) {
  const tried = TYPE.flatMap((type) => COLUMNS.map((columns) => {
    lay(flow, columns, type);
    return { columns, type, pages: pagesOf(flow), broken: broken(flow) };
  }));
  const most = Math.min(...tried.filter(({ columns, type }) => type === 1 && columns > 2).map(({ pages }) => pages));
  const allowed = tried.filter(({ pages }) => pages <= most);
  const fewest = Math.min(...allowed.map((each) => each.broken));
  const { columns, type } = allowed.find((each) => each.broken === fewest);
  lay(flow, columns, type);
}

/** A button for a picture that is not there cannot be pressed; one that shows is. */
function mark() {
  const there = slides().map((each) => each.dataset.slide);
  const shown = there.includes(chosen) ? chosen : "";
  for (const button of controls.querySelectorAll("[data-show]")) {
    button.disabled = button.dataset.show !== "" && !there.includes(button.dataset.show);
    button.setAttribute("aria-pressed", String(button.dataset.show === shown));
  }
}

function show() {
  root().classList.add("turning");
  mark();
  const names = turns();
  if (!names.includes(current)) {
    current = names[0] ?? "";
    page = 0;
  }
  for (const each of slides()) each.toggleAttribute("data-shown", each.dataset.slide === current);
  const flow = slide()?.querySelector(".flow");
  flow?.removeAttribute("data-fits");
  if (current === "names") arrange(flow);
  const pages = pagesOf(flow);
  flow?.toggleAttribute("data-fits", pages === 1); // then its columns are of one length
  page = Math.min(page, pages - 1);
  if (flow) flow.style.translate = `${-page * step(flow)}px`; // columns of other pages lie beside the window
  setText(slide()?.querySelector("[data-page]"), pages > 1 ? `${page + 1}/${pages}` : "");
  const dots = names.map((name) => (name === current ? "●" : "○")).join("");
  setText(root().querySelector(".screen-dots"), dots + (held ? " ❚❚" : ""));
  figures();
}

/** @param {number} by  pages on, or back */
function turn(by) {
  const names = turns();
  const pages = pagesOf(slide()?.querySelector(".flow"));
  page += by;
  if (page < 0 || page >= pages) {
    current = names[(names.indexOf(current) + by + names.length) % names.length] ?? "";
    page = by < 0 ? Infinity : 0; // its last page, or its first
  }
  show();
}

function wind() {
  clearInterval(turning);
  if (!held) turning = setInterval(() => turn(1), READS);
}

function hold(yes) {
  held = yes;
  controls.querySelector('[data-key=" "]').setAttribute("aria-pressed", String(held));
  wind();
  show();
}

function choose(name) {
  if (name && !slides().some((each) => each.dataset.slide === name)) return;
  chosen = name;
  page = 0;
  if (name) current = name;
  wind();
  show();
}

/** Something has happened: where a round was published, its names come at once. */
function renewed() {
  const before = round;
  round = seated();
  if (round && round !== before) {
    seats = Date.now() + SEATS;
    page = 0;
    if (turns().includes("names")) current = "names";
    wind();
  }
  show();
}

/** What the big clock says; where no round is played, the time of day. */
function figures() {
  const state = root().querySelector("[data-clock]")?.dataset.clock;
  const words = root().querySelector(".screen-hugeclock [data-words]");
  if (words && state === "last") words.textContent = gettext("No new deal any more.");
  if (words && state === "up") words.textContent = gettext("Time is up.");
  const time = new Intl.DateTimeFormat("de-CH", { hour: "2-digit", minute: "2-digit", timeZone: "Europe/Zurich" });
  setText(root().querySelector("[data-time]"), time.format(siteNow()));
}

function full() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

function dark() {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  chooseTheme(now === "dark" ? "light" : "dark");
}

function awake() {
  const rest = (away) => {
    controls.toggleAttribute("data-away", away);
    document.body.toggleAttribute("data-still", away);
  };
  rest(false);
  clearTimeout(leaving);
  leaving = setTimeout(rest, AWAY, true);
}

/** Every button of the controls has its key. @returns {boolean} whether a key does something here */
function press(key) {
  const act = { " ": () => hold(!held), ArrowRight: () => turn(1), ArrowLeft: () => turn(-1), f: full, d: dark }[key];
  const { show: name } = controls.querySelector(`[data-key="${CSS.escape(key)}"]`)?.dataset ?? {};
  if (act !== undefined) act();
  else if (name !== undefined) choose(name);
  return act !== undefined || name !== undefined;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === " " && event.target.closest?.("button")) return; // the button does what it says
  if (!press(event.key)) return;
  event.preventDefault();
  awake();
});

controls.addEventListener("click", ({ target }) => press(target.closest("button")?.dataset.key ?? ""));

for (const what of ["pointermove", "pointerdown", "focusin"]) document.addEventListener(what, awake);
window.addEventListener("resize", show);

document.addEventListener("live:shown", renewed);
document.fonts?.ready.then(show);
setInterval(figures, 500);
show();
wind();
awake();
const stayOn = () => document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
stayOn(); // a laptop that sleeps shows nothing
document.addEventListener("visibilitychange", stayOn);
