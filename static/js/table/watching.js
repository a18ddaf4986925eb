/** Who watches, live: the number as the bell tells it; the rest of the panel is fetched when something else has changed. */

const panel = () => document.getElementById("watching");

/** Show how many watch. @param {number} count */
function showCount(count) {
  const place = panel().querySelector("[data-watchers]");
  place.textContent = String(count);
  place.hidden = count === 0;
}

/** Put the panel of an answer in the place of the one shown. @param {Response} answer */
async function show(answer) {
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("watching-body");
  if (fresh === null) {
    window.location.reload(); // the table is closed to us, or the session over: the page says so
    return;
  }
  const shown = document.getElementById("watching-body");
  const within = shown.contains(document.activeElement);
  shown.replaceWith(document.importNode(fresh, true));
  showCount(Number(fresh.dataset.count));
  if ("asked" in fresh.dataset) panel().open = true;
  if (within) panel().querySelector("#watching-body :is(button, select)")?.focus({ preventScroll: true });
}

async function catchUp() {
  try {
    await show(await fetch(panel().dataset.watching, { headers: { "X-Requested-With": "fetch" } }));
  } catch {
    // The next ring asks again.
  }
}

/** Start, if this page has the panel. */
function startWatching() {
  if (panel() === null) return;
  document.addEventListener("watching:rung", () => void catchUp());
  document.addEventListener("watching:count", (event) => {
    showCount(event.detail);
    if (panel().open) void catchUp();
  });
  panel().addEventListener("toggle", () => panel().open && void catchUp());
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("#watching form[data-watching-act]")) return;
    event.preventDefault();
    const body = new FormData(form, event.submitter);
    try {
      await show(await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }));
    } catch {
      form.removeAttribute("data-watching-act"); // the way without script says what is wrong
      form.requestSubmit(event.submitter);
    }
  });
}

startWatching();
