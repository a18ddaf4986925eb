/**
 * Reading: what a term means appears beside it, on hover, focus and tap; the section one reads is marked.
 * Without this script a term is a link to its page, and the page is whole.
 */
import { made } from "./site.js";

const HOVER_DELAY = 250; // ms: passing over a line of terms opens none
const LEAVE_DELAY = 200; // ms: time to move from the term onto its definition
const GAP = 6; // px between a term and its definition

const definitions = new Map(); // of each term its name and what it means, as elements
const glossary = document.querySelector("template.glossary");
for (const row of (glossary?.content ?? document).querySelectorAll(".word-list [data-term]")) {
  const [name, meaning] = [row.querySelector("dt"), row.querySelector("dd")];
  if (meaning.textContent.trim()) definitions.set(row.dataset.term, { name, meaning });
}

const box = made("div", { className: "definition-over", id: "definition-over", role: "tooltip", hidden: true });

let shownFor = null;
let timer = 0;

function show(term, { byTouch = false } = {}) {
  window.clearTimeout(timer);
  if (shownFor === term) return;
  hide();
  const definition = definitions.get(term.dataset.term);
  if (!definition) return;
  const name = made("p", { className: "name" }, ...definition.name.cloneNode(true).childNodes);
  for (const link of name.querySelectorAll("a")) link.replaceWith(...link.childNodes); // in the list of words
  const lang = definition.meaning.lang || document.documentElement.lang;
  box.replaceChildren(name, made("p", { lang }, definition.meaning.textContent));
  if (byTouch) box.append(made("p", { className: "more" }, gettext("Tap again to read more.")));
  box.hidden = false;
  place(term);
  term.setAttribute("aria-describedby", box.id);
  shownFor = term;
}

/** Below the term's first line, or above it where there is no room. The page does not move. @param {Element} term */
function place(term) {
  const at = term.getClientRects()[0];
  const width = document.documentElement.clientWidth;
  box.style.insetInlineStart = "0";
  box.style.insetBlockStart = "0";
  const left = Math.max(8, Math.min(at.left, width - box.offsetWidth - 8));
  const below = at.bottom + GAP;
  const above = at.top - GAP - box.offsetHeight;
  const top = below + box.offsetHeight > window.innerHeight && above > 0 ? above : below;
  box.style.insetInlineStart = `${left + window.scrollX}px`;
  box.style.insetBlockStart = `${top + window.scrollY}px`;
}

function hide() {
  window.clearTimeout(timer);
  shownFor?.removeAttribute("aria-describedby");
  shownFor = null;
  box.hidden = true;
}

const termOf = (event) => event.target.closest?.("a.term") ?? null;

document.addEventListener("pointerover", (event) => {
  if (event.pointerType === "touch") return;
  const term = termOf(event);
  if (term) {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => show(term), shownFor ? 0 : HOVER_DELAY);
  } else if (box.contains(event.target)) window.clearTimeout(timer);
});

document.addEventListener("pointerout", (event) => {
  if (event.pointerType === "touch" || !(termOf(event) || box.contains(event.target))) return;
  window.clearTimeout(timer);
  // What has the focus keeps its definition.
  if (shownFor !== document.activeElement) timer = window.setTimeout(hide, LEAVE_DELAY);
});

document.addEventListener("focusin", (event) => {
  const term = termOf(event);
  if (term && term.matches(":focus-visible")) show(term);
  else if (!box.contains(event.target)) hide();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && shownFor) {
    event.stopPropagation();
    hide();
  }
});

let lastPointer = "mouse";
document.addEventListener("pointerdown", ({ pointerType }) => (lastPointer = pointerType));

// The first tap says what the word means, the second goes to its page.
document.addEventListener("click", (event) => {
  const term = termOf(event);
  if (!term && !box.contains(event.target)) hide();
  if (term && lastPointer === "touch" && shownFor !== term && definitions.has(term.dataset.term)) {
    event.preventDefault();
    show(term, { byTouch: true });
  }
});

window.addEventListener("resize", hide);

function watchSections() {
  const links = new Map();
  for (const link of document.querySelectorAll(".outline-wide a[href^='#']")) links.set(link.hash.slice(1), link);
  const headings = [...document.querySelectorAll(".article-text > h2[id]")].filter((each) => links.has(each.id));
  if (!headings.length) return;
  const mark = () => {
    const line = window.innerHeight / 3;
    const current = headings.filter((each) => each.getBoundingClientRect().top < line).at(-1);
    for (const [id, link] of links) link.ariaCurrent = id === current?.id ? "true" : null;
  };
  window.addEventListener("scroll", mark, { passive: true });
  mark();
}

// On a phone the list of sections closes behind whoever chose one.
document.querySelector(".outline-narrow")?.addEventListener("click", (event) => {
  if (event.target.closest("a")) event.currentTarget.open = false;
});

document.body.append(box);
watchSections();
