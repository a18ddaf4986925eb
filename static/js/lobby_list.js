/**
 * The list of open tables keeps itself fresh while somebody looks at it. Nothing depends on it.
 */

import { untilLetGo } from "./let_go.js";

const EVERY = 30_000;
const list = () => document.getElementById("open-tables");

async function refresh() {
  if (document.visibilityState !== "visible" || list().contains(document.activeElement)) return;
  const answer = await fetch(window.location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("open-tables");
  await untilLetGo();
  if (fresh !== null && fresh.innerHTML !== list().innerHTML) list().replaceWith(document.importNode(fresh, true));
}

const quietly = () => refresh().catch(() => {}); // it is tried again soon
setInterval(quietly, EVERY);
document.addEventListener("visibilitychange", quietly);
