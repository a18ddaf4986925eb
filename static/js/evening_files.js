/**
 * After every round the desk's browser keeps the evening as a file by itself, the newest few: for the case that the server is
 * gone. The page "The evening as a file" lists them, also without a connection.
 */
import { canKeep, keepPage } from "./live_entry/offline_copy.js";
import { openShelf } from "./shelf.js";
import { languageOf, made } from "./site.js";

const MOST = 5; // of one evening
const OLD = 7 * 24 * 3600 * 1000; // of any: it holds names and codes

let opened;
const shelf = () => (opened ??= openShelf("evenings", "files"));
const desk = () => document.getElementById("director");

/** The files of this evening, the newest first. */
async function keptHere() {
  const all = await (await shelf()).all();
  return all.filter(({ evening }) => evening === desk().dataset.evening).sort((one, other) => other.at - one.at);
}

let keeping = Promise.resolve();

/** Keep the file, if a round was published or closed since the last one was kept here. */
function keepNow() {
  const { evening, round, label } = desk().dataset;
  if (!round) return;
  keeping = keeping.then(async () => {
    const before = await keptHere();
    if (before[0]?.round === round) return;
    const answer = await fetch(evening, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "evening.json";
    const kept = { id: `${evening}#${round}`, evening, round, label, name, at: Date.now(), text: await answer.text() };
    const { all, put, remove } = await shelf();
    await put(kept);
    for (const { id } of (await keptHere()).slice(MOST)) await remove(id);
    for (const { id, at } of await all()) if (Date.now() - at > OLD) await remove(id);
    await list();
  }).catch(() => {}); // no connection, or a browser that keeps nothing: the next round is another chance
}

async function list() {
  const place = document.getElementById("kept-files");
  if (place === null) return;
  const kept = await keptHere().catch(() => []);
  const lines = kept.map((each) => {
    const address = URL.createObjectURL(new Blob([each.text], { type: "application/json" }));
    const when = new Date(each.at).toLocaleString(languageOf(place), { dateStyle: "medium", timeStyle: "short", hour12: false });
    const link = made("a", { className: "button plain", href: address, download: each.name }, place.dataset.save);
    link.append(made("span", { className: "visually-hidden" }, ` ${each.label}, ${when}`));
    return made("li", {}, `${when}, ${each.label} `, link);
  });
  place.replaceChildren(...(lines.length ? lines : [made("li", {}, place.dataset.none)]));
  document.getElementById("forget-kept").hidden = lines.length === 0;
}

document.getElementById("forget-kept")?.addEventListener("click", async () => {
  const { remove } = await shelf();
  for (const { id } of await keptHere()) await remove(id);
  await list();
});

document.addEventListener("live:shown", keepNow);
keepNow();
list();
if (canKeep && document.getElementById("kept-files")) keepPage();
