/**
 * Who watches, live: the number as the bell tells it; the rest of the panel is fetched when something else has changed, and
 * only what differs is put in place. Nothing a person does here may be lost to a ring that comes at the same moment: what
 * they have chosen stays chosen, and the button under their finger stays where it is while it means the same.
 */

const panel = () => document.getElementById("watching");

let acting = false; // a form is under way
let fetching = false;
let again = false;
let steps = 0; // how many forms were answered: what was asked for before one of them may be older than what is shown

/** Show how many watch. @param {number} count */
function showCount(count) {
  const place = panel().querySelector("[data-watchers]");
  place.textContent = String(count);
  place.hidden = count === 0;
}

/** Put the panel of an answer in the place of the one shown. @param {string} text */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("watching-body");
  if (fresh === null) {
    window.location.reload(); // the table is closed to us, or the session over: the page says so
    return;
  }
  const shown = document.getElementById("watching-body");
  const focus = shown.contains(document.activeElement) ? document.activeElement : null;
  renew(shown, fresh);
  showCount(Number(fresh.dataset.count));
  if ("asked" in fresh.dataset) panel().open = true;
  if (focus === null || focus.isConnected) return;
  // The same button as before, or none: who presses twice must not give another answer the second time.
  const same = focus.matches("button") && shown.querySelector(`button[value="${CSS.escape(focus.value)}"]`);
  (same || panel().querySelector("summary")).focus({ preventScroll: true });
}

/** Make one body say what another says; parts that say so already are not touched. */
function renew(shown, fresh) {
  let next = shown.firstElementChild;
  for (const part of [...fresh.children]) {
    let kept = next;
    while (kept !== null && !same(kept, part)) kept = kept.nextElementSibling;
    if (kept === null) {
      shown.insertBefore(document.importNode(part, true), next);
      continue;
    }
    while (next !== kept) next = removed(next);
    refresh(kept, part);
    next = kept.nextElementSibling;
  }
  while (next !== null) next = removed(next);
}

/** Take an element away; the one after it. */
function removed(element) {
  const next = element.nextElementSibling;
  element.remove();
  return next;
}

const TOKEN = 'input[name="csrfmiddlewaretoken"]';

/** Whether two parts mean the same: a status whatever it says, anything else but for the tokens of its forms. */
function same(old, part) {
  if (old.matches("[role=status]")) return part.matches("[role=status]");
  const plain = (node) => {
    const copy = node.cloneNode(true);
    for (const input of copy.querySelectorAll(TOKEN)) input.removeAttribute("value");
    return copy.outerHTML;
  };
  return plain(old) === plain(part);
}

/** Take over what may differ between parts that mean the same. */
function refresh(old, part) {
  if (old.matches("[role=status]") && old.textContent !== part.textContent) old.textContent = part.textContent;
  const tokens = part.querySelectorAll(TOKEN);
  old.querySelectorAll(TOKEN).forEach((input, place) => {
    input.value = tokens[place].value;
  });
}

/** Fetch the panel as it is now. Several calls at once make one request, and one more after it. */
async function catchUp() {
  if (fetching || acting) {
    again = true;
    return;
  }
  fetching = true;
  try {
    do {
      again = false;
      const before = steps;
      const answer = await fetch(panel().dataset.watching, { headers: { "X-Requested-With": "fetch" } });
      const text = await answer.text();
      if (acting || steps !== before) again = true;
      else if (answer.status < 500) show(text);
    } while (again && !acting);
  } catch {
    // The next ring asks again.
  } finally {
    fetching = false;
  }
}

/** Send a form as its button would, and show what comes back. One at a time. */
async function send(form, button) {
  if (acting) return;
  acting = true;
  try {
    const body = new FormData(form, button);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } });
    const text = await answer.text();
    if (answer.status >= 500) throw new Error(String(answer.status));
    steps += 1;
    show(text);
  } catch {
    form.removeAttribute("data-watching-act"); // the way without script says what is wrong
    form.requestSubmit(button);
  } finally {
    acting = false;
    if (again) void catchUp();
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
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches("#watching form[data-watching-act]")) return;
    event.preventDefault();
    void send(form, event.submitter);
  });
}

startWatching();
