/**
 * One's own notes keep themselves: a moment after the last key, and when the page is left. The note about the trick moves on
 * with the table, but never while somebody is writing in it.
 */

import { post } from "../site.js";

const AFTER_A_KEY = 800; // milliseconds
const TRY_AGAIN = 5_000;

class NoteForm {
  #form;
  #field;
  #state;
  #kept;
  #timer = 0;

  constructor(form) {
    this.#form = form;
    this.#field = form.querySelector("textarea");
    this.#state = form.querySelector("[data-note-state]");
    this.#kept = this.#field.value;
    this.#field.addEventListener("input", () => {
      this.#state.textContent = "";
      this.#later(AFTER_A_KEY);
    });
    this.#field.addEventListener("blur", async () => {
      await this.save();
      void this.follow();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.save();
    });
  }

  get follows() {
    return "noteHere" in this.#form.dataset;
  }

  /** Send what is written if it is not kept yet; until it is, try again. */
  async save() {
    clearTimeout(this.#timer);
    const text = this.#field.value;
    if (text === this.#kept) return true;
    try {
      const answer = await post(this.#form.getAttribute("action"), new FormData(this.#form));
      if (answer.status >= 500) throw new Error(String(answer.status));
      if (!answer.ok) {
        this.#state.textContent = (await answer.json()).refusal;
        return false;
      }
    } catch {
      this.#state.textContent = gettext("Not kept yet. Trying again …");
      this.#later(TRY_AGAIN);
      return false;
    }
    this.#kept = text;
    this.#state.textContent = gettext("Kept");
    return true;
  }

  /** Go on to the trick that lies on the table now, with what was noted there before. */
  async follow() {
    const { hand, trick } = document.getElementById("table").dataset;
    const [ownHand, ownTrick] = ["hand", "trick"].map((name) => this.#form.elements.namedItem(name));
    if (!this.follows || (ownHand.value === hand && ownTrick.value === trick)) return;
    if (document.activeElement === this.#field || !(await this.save())) return;
    let text;
    try {
      const address = `${this.#form.getAttribute("action")}?${new URLSearchParams({ hand, trick })}`;
      const answer = await fetch(address, { headers: { "HX-Request": "true" } });
      text = (await answer.json()).text ?? "";
    } catch {
      return; // the next step of the table asks again
    }
    if (document.activeElement === this.#field || this.#field.value !== this.#kept) return;
    ownHand.value = hand;
    ownTrick.value = trick;
    this.#field.value = this.#kept = text;
    this.#state.textContent = "";
    const words = trick === "0" ? gettext("Hand %s, before the play") : gettext("Hand %s, trick %s");
    this.#form.querySelector("label").textContent = interpolate(words, trick === "0" ? [hand] : [hand, trick]);
  }

  #later(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), wait);
  }
}

const forms = [...document.querySelectorAll("#notes form[data-note]")].map((form) => new NoteForm(form));
document.getElementById("table").addEventListener("live:shown", () => void forms.find((one) => one.follows)?.follow());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") for (const form of forms) void form.save();
});
