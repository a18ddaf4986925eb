/**
 * Rules and words without a network: one press keeps them, another removes them; what is kept is searched and shown here.
 * The service worker answers with this page where one of rules or words, or the search, was asked for and nothing came.
 */
import { loadedFiles } from "./live_entry/offline_copy.js";
import { made, plain, setText } from "./site.js";

const CACHE = "reading"; // sw.js answers out of it
const MOST = 30;
const LISTS = /^\/[^/]+\/(?:rules|words|kept|search)\/$/;

const page = document.getElementById("kept");
const part = (name) => page.querySelector(`[data-${name}]`);
const { file, language, deck } = page.dataset;
const here = page.querySelector(".crumbs") && new URL(page.querySelector("[data-page] a").href).pathname;
const icon = new URL(document.querySelector('link[rel="icon"]').href).pathname;
const supported = "caches" in window && "serviceWorker" in navigator;

/** @returns {Promise<{pages: object[], bytes: number, at: string} | null>} what this device keeps in this language. */
async function kept() {
  const answer = await caches.match(file, { cacheName: CACHE });
  if (!answer) return null;
  const text = await answer.text();
  return { ...JSON.parse(text), bytes: new Blob([text]).size, at: answer.headers.get("Date") };
}

async function keepAll() {
  setText(part("state"), gettext("Keeping …"));
  part("keep").disabled = true;
  try {
    const cache = await caches.open(CACHE);
    const wanted = new Set([...loadedFiles(), icon, deck, here, file]);
    await Promise.all([...wanted].map(async (path) => {
      const answer = await fetch(path, { credentials: "omit" }); // nothing of a person is kept
      if (!answer.ok || answer.redirected) throw new Error(`${path}: ${answer.status}`);
      await cache.put(path, answer);
    }));
    await navigator.serviceWorker.register("/sw.js", { scope: "/" }); // it answers where the network does not
    await navigator.storage?.persist?.();
  } catch {
    setText(part("state"), gettext("That did not work. Try again with a better connection."));
    part("keep").disabled = false;
    return;
  }
  part("keep").disabled = false;
  await begin();
}

async function removeAll() {
  await caches.delete(CACHE);
  await begin();
}

function link({ address, title, language: lang, text }) {
  const name = made("a", { href: address, textContent: title, lang });
  return made("li", { className: "lined" }, made("p", { className: "what" }, name), made("p", { className: "quiet" }, text));
}

/** The pages with what is searched in them: what they are called, what they say in short, and all that they say. */
function searchable(pages) {
  return pages.map((page) => {
    const said = new DOMParser().parseFromString(page.html, "text/html").body.textContent;
    const called = [page.title, ...page.names].map(plain);
    const brief = plain(`${called.join(" ")} ${page.text}`);
    return { ...page, called, brief, whole: `${brief} ${plain(said)}` };
  });
}

const OF_AN_ARTICLE = 0.6; // its headings are no names, and it holds more words than an entry

/** How well a page answers: its name itself, the beginning of a name, a word in it, or in what it says in short; 0 where it does not. */
function weight({ kind, called, brief }, asked) {
  const less = kind === "article" ? OF_AN_ARTICLE : 0;
  if (called.includes(asked)) return 4 - less;
  if (called.some((name) => name.startsWith(asked))) return 3 - less;
  if (called.some((name) => name.includes(asked))) return 2 - less;
  return asked.split(/\s+/).every((word) => brief.includes(word)) ? 1 - less : 0;
}

/** How well each page answers a whole question: by its words that few pages have, in names twice as much. */
function weights(pages, asked) {
  const points = new Map(pages.map((page) => [page, 0]));
  for (const word of new Set(asked.match(/[\p{L}\p{N}]{2,}/gu))) {
    const having = pages.filter(({ whole }) => whole.includes(word));
    const rare = Math.log(pages.length / having.length);
    for (const page of having) {
      const named = page.called.some((name) => name.split(" ").includes(word)) ? 2 : 1;
      points.set(page, points.get(page) + rare * named * (page.kind === "article" ? OF_AN_ARTICLE : 1));
    }
  }
  const best = Math.max(...points.values());
  return (page) => (points.get(page) > best / 2 ? points.get(page) : 0);
}

function ranked(pages, weigh) {
  return pages
    .map((page) => ({ page, rank: weigh(page) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ page }) => page);
}

function look(pages) {
  const asked = plain(document.getElementById("kept-q").value.trim());
  const listed = part("page").hidden ? pages.filter(({ kind }) => kind === "article") : []; // else the page itself is read
  let found = asked === "" ? listed : ranked(pages, (page) => weight(page, asked));
  if (asked !== "" && found.length === 0) found = ranked(pages, weights(pages, asked));
  part("results").replaceChildren(...found.slice(0, MOST).map(link));
  const told = ngettext("%s page found", "%s pages found", found.length);
  setText(part("found"), asked === "" ? "" : interpolate(told, [found.length]));
}

/** The page that was asked for, out of what is kept. */
function show(pages) {
  const wanted = pages.find(({ address }) => address === window.location.pathname);
  part("manage").hidden = true;
  if (!wanted) {
    part("missing").hidden = LISTS.test(window.location.pathname); // what is kept is listed instead
    return;
  }
  const place = part("page");
  const heading = place.querySelector("h1");
  Object.assign(heading, { textContent: wanted.title, lang: wanted.language });
  const text = place.querySelector(".article-text");
  text.innerHTML = wanted.html; // of our own server, as on its page
  text.lang = wanted.language;
  place.hidden = false;
  document.title = wanted.title;
  if (window.location.hash) document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView();
  else heading.focus();
}

async function begin() {
  part("cannot").hidden = supported;
  if (!supported) return;
  const all = await kept();
  part("keep").hidden = false;
  setText(part("keep"), all ? gettext("Keep the newest state") : gettext("Keep on this device"));
  part("remove").hidden = all === null;
  part("look").hidden = all === null;
  part("results").replaceChildren();
  if (all === null) {
    setText(part("state"), gettext("Nothing is kept on this device."));
    return;
  }
  const size = `${(all.bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1 })} MB`;
  const day = new Date(all.at).toLocaleDateString(language, { dateStyle: "long" });
  const told = gettext("Kept: %(pages)s pages, %(size)s, as of %(day)s.");
  setText(part("state"), interpolate(told, { pages: all.pages.length, size, day }, true));
  if (window.location.pathname !== here) show(all.pages);
  const pages = searchable(all.pages);
  const box = document.getElementById("kept-q");
  box.value ||= new URLSearchParams(window.location.search).get("q") ?? ""; // the search of the site was asked
  look(pages);
  box.oninput = () => look(pages);
}

part("keep").addEventListener("click", keepAll);
part("remove").addEventListener("click", removeAll);
part("look").addEventListener("submit", (event) => event.preventDefault());
void begin();
