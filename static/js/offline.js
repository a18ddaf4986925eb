/**
 * The page that is shown without a connection: says which kind of silence it is, shows the games as last seen on this
 * device, and goes on by itself once the site answers again.
 */

const LIST = "/my-games/last-seen.json";
const FIRST_WAIT = 3_000;
const LONGEST_WAIT = 60_000;

const silence = document.getElementById("silence");

function say() {
  silence.textContent = navigator.onLine ? silence.dataset.silent : silence.dataset.offline;
}

// The games -------------------------------------------------------------------------------------------------------------

function line(game) {
  const part = document.getElementById("game-line").content.cloneNode(true);
  const place = (name) => part.querySelector(`.${name}`);
  place("title").textContent = game.title;
  place("line").textContent = game.line;
  if (game.until_at === null) place("time").remove();
  else {
    Object.assign(part.querySelector("time"), { textContent: game.until, dateTime: game.until_at });
    place("passed").hidden = Date.parse(game.until_at) > Date.now();
  }
  return part;
}

async function show() {
  const answer = await fetch(LIST).catch(() => null); // nothing is kept on this device
  const seen = answer?.ok ? await answer.json() : { player: null };
  if (seen.player === null) {
    document.getElementById("nothing-kept").hidden = false;
    return;
  }
  const list = document.getElementById("last-seen");
  Object.assign(document.getElementById("seen-at"), { lang: seen.language, textContent: seen.heading });
  for (const part of list.querySelectorAll("[data-group]")) {
    part.querySelector("ul").lang = seen.language;
    const games = seen.games.filter((game) => String(game.group) === part.dataset.group);
    part.querySelector("ul").replaceChildren(...games.map(line));
    part.hidden = games.length === 0;
  }
  list.querySelector(".no-games").hidden = seen.games.length > 0;
  list.querySelector(".more").hidden = seen.more === 0;
  list.hidden = false;
}

// Going on --------------------------------------------------------------------------------------------------------------

let wait = FIRST_WAIT;
let timer; // of the next look

/** Whether it is this site that answers, and not the sign-in page of some hotel. */
async function answers() {
  const answer = await fetch("/healthz", { cache: "no-store", redirect: "error" }).catch(() => null);
  return answer?.ok === true && (await answer.text().catch(() => "")) === "ok";
}

async function look() {
  clearTimeout(timer);
  if (await answers()) return window.location.reload();
  say();
  wait = Math.min(wait * 2, LONGEST_WAIT);
  timer = setTimeout(look, wait);
}

function lookNow() {
  wait = FIRST_WAIT;
  look();
}

window.addEventListener("online", lookNow);
window.addEventListener("offline", say);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && lookNow());
document.getElementById("again").addEventListener("click", () => window.location.reload());
// Somebody opened this very page: whether there is a connection is seen at the front door.
if (/^\/[\w-]+\/offline\/$/.test(window.location.pathname)) window.location.replace("/");
say();
show();
timer = setTimeout(look, wait);
