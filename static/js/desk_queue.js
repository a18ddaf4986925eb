/**
 * What is entered at the door and at the desk while the site does not answer: it waits in this browser, is shown, and goes to the
 * site, once, as soon as that answers again. What the site then refuses stays to be seen until somebody decides.
 */
import { keepPage } from "./live_entry/offline_copy.js";
import { openQueue, showQueue } from "./live_entry/queue.js";

const place = document.getElementById("desk-queue");
const evening = /^\/e\/[^/]+\//.exec(window.location.pathname)[0];
let entries = [];

const isHere = ({ url }) => url.startsWith(evening);

/** What of this evening waits to be sent. */
export const waiting = () => entries.filter((entry) => entry.refused === "" && isHere(entry));

function show(all) {
  entries = all;
  const count = waiting().length;
  const words = ngettext("No connection. %(count)s entry waits in this browser and is sent by itself: %(what)s.", "No connection. %(count)s entries wait in this browser and are sent by themselves: %(what)s.", count);
  const lost = queue?.lasts === false ? ` ${gettext("This browser keeps nothing: leave the page open until they are sent.")}` : "";
  const what = waiting().map((entry) => entry.what).join("; ");
  showQueue(place, all.filter(isHere), count ? interpolate(words, { count, what }, true) + lost : "", fieldsNow);
  document.dispatchEvent(new CustomEvent("desk:queue"));
}

/** What is sent again: a slip only while nobody has written at its table, to which the page has been brought up to date. */
function fieldsNow({ url, fields }) {
  const row = url === window.location.pathname ? document.getElementById(`slip-${fields.what}`) : null;
  if (row === null) return fields;
  const mark = row.querySelector("form[data-slip]")?.elements.namedItem("mark");
  return mark ? { ...fields, mark: mark.value } : null;
}
document.addEventListener("live:shown", () => show(entries));

let queue = null;
const opened = openQueue({
  onChange: show,
  onSent: () => waiting().length <= 1 && htmx.trigger(document.querySelector('[hx-ext="live"]'), "update"),
}).then(async (found) => {
  queue = found;
  await queue.start();
});
keepPage();

/** Let an entry wait: its fields, with the id under which it was sent already, and what it is in words. */
export async function letWait(url, { request_id: id, csrfmiddlewaretoken: _, ...fields }, what) {
  await opened;
  await queue.add({ id, url: new URL(url, window.location.href).pathname, kind: "desk", fields, what });
}
