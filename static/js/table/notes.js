/**
 * One's own notes keep themselves: a moment after the last key, and when the page is left. The note about the trick moves on
 * with the table, but never while somebody is writing in it.
 */
import { post } from "../site.js";

const AFTER_A_KEY = 800; // milliseconds
const TRY_AGAIN = 5_000;
const CHANGED = 409;

/** Gives two functions: `save` sends what is not kept yet; `follow` moves the form on to the trick on the table. */
function keepItself(form) {
  const field = form.querySelector("textarea");
  const state = form.querySelector("[data-note-state]");
  let kept = field.value;
  let sent = kept; // what was sent last: it may be kept although the answer did not arrive
  let timer = 0;
  let saving = Promise.resolve(true);

  const later = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(save, wait);
  };

  /** Send what is written if it is not kept yet; until it is, try again. One text after the other: none arrives late. */
  function save() {
    clearTimeout(timer);
    return (saving = saving.then(send));
  }

  async function send() {
    const text = field.value;
    if (text === kept) return true;
    try {
      const data = new FormData(form);
      data.set("known", kept);
      data.append("known", sent);
      sent = text;
      const answer = await post(form.getAttribute("action"), data);
      if (answer.status >= 500) throw new Error(String(answer.status));
      if (!answer.ok) {
        const told = await answer.json();
        if (answer.status === CHANGED) {
          kept = sent = told.text;
          field.setRangeText(`${told.text}\n\n`, 0, 0, "preserve"); // both stand there now
        }
        state.textContent = told.refusal;
        return false;
      }
    } catch {
      state.textContent = gettext("Not kept yet. Trying again …");
      later(TRY_AGAIN);
      return false;
    }
    kept = text;
    if (field.value === text) state.textContent = gettext("Kept");
    return true;
  }

  /** Go on to the trick that lies on the table now, with what was noted there before. */
  async function follow() {
    const { hand, trick } = document.getElementById("table").dataset;
    const [ownHand, ownTrick] = ["hand", "trick"].map((name) => form.elements.namedItem(name));
    if (!("noteHere" in form.dataset) || (ownHand.value === hand && ownTrick.value === trick)) return;
    if (document.activeElement === field || !(await save())) return;
    let note;
    try {
      const address = `${form.getAttribute("action")}?${new URLSearchParams({ hand, trick })}`;
      const answer = await fetch(address, { headers: { "HX-Request": "true" } });
      if (!answer.ok) return; // the note in the field stays
      note = await answer.json();
    } catch {
      return; // the next step of the table asks again
    }
    const { hand: newHand, trick: newTrick } = document.getElementById("table").dataset;
    if (newHand !== hand || newTrick !== trick) return; // the table has moved on since, and that step has asked for its own
    if (document.activeElement === field || field.value !== kept) return;
    ownHand.value = hand;
    ownTrick.value = trick;
    field.value = kept = sent = note.text;
    state.textContent = "";
    const words = trick === "0" ? gettext("Hand %s, before the play") : gettext("Hand %s, trick %s");
    form.querySelector("label").textContent = interpolate(words, trick === "0" ? [note.ordinal] : [note.ordinal, trick]);
  }

  field.addEventListener("input", () => {
    state.textContent = "";
    later(AFTER_A_KEY);
  });
  field.addEventListener("blur", () => void save().then(follow));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void save();
  });
  return { save, follow };
}

const notes = Array.from(document.querySelectorAll("#notes form[data-note]"), keepItself);
document.getElementById("table").addEventListener("live:shown", () => notes.forEach(({ follow }) => void follow()));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") notes.forEach(({ save }) => void save());
});
