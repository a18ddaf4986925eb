/**
 * What was entered goes to the site in order, each exactly once: an entry keeps the id it got when it was made, and the site
 * does one id once. Without network it waits. A refusal stays to be seen with what was typed, until somebody decides.
 */
import { newId } from "./store.js";

const AGAIN = 8_000; // how soon it is tried again by itself
const PATIENCE = 12_000; // for one entry: a hall's network may swallow it without a word
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);
const CHANNEL = "hall-entries";

/**
 * @typedef {{id: string, order: number, url: string, kind: string, fields: [string, string][], what: string,
 *            refused: string}} Entry  `refused` says why the site did not take it; empty while it waits.
 */

export class Queue {
  #store;
  #onChange;
  #onSent;
  #sending = false;
  #again = 0;
  #channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
  #highest = 0;

  /** @param {{store: object, onChange: (entries: Entry[]) => void, onSent: (entry: Entry, told: object) => void}} options */
  constructor({ store, onChange, onSent }) {
    this.#store = store;
    this.#onChange = onChange;
    this.#onSent = onSent;
  }

  /** Look what is there from before, and keep trying for as long as the page lives. */
  async start() {
    this.#channel?.addEventListener("message", () => this.#tell());
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.flush());
    await this.#tell();
    await this.flush();
  }

  /** @returns {Promise<Entry[]>} everything that waits or was refused, in order. */
  all() {
    return this.#store.all();
  }

  /**
   * Take an entry in; it is sent as soon as that is possible.
   * @param {{url: string, kind: string, fields: [string, string][], what: string}} made
   */
  async add(made) {
    this.#highest = Math.max(Date.now(), this.#highest + 1);
    await this.#store.put({ id: newId(), order: this.#highest, refused: "", ...made });
    await this.#changed();
    this.flush();
  }

  /** Try a refused entry once more, as something new: the site has judged the old one. @param {string} id */
  async retry(id, fields) {
    const entry = (await this.all()).find((each) => each.id === id);
    if (!entry) return;
    await this.#store.remove(id);
    await this.add({ url: entry.url, kind: entry.kind, fields: fields ?? entry.fields, what: entry.what });
  }

  /** Forget an entry. @param {string} id */
  async forget(id) {
    await this.#store.remove(id);
    await this.#changed();
  }

  /** Send what waits, the oldest first, until the network fails. */
  async flush() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#again);
    let left = true;
    try {
      left = await this.#alone(() => this.#send());
    } finally {
      this.#sending = false;
      if (left) this.#again = setTimeout(() => this.flush(), AGAIN);
    }
  }

  /** One page of this phone at a time, where the browser can tell; twice would do no harm. */
  #alone(work) {
    return navigator.locks ? navigator.locks.request(CHANNEL, work) : work();
  }

  /** @returns {Promise<boolean>} whether something is left to be sent. */
  async #send() {
    for (;;) {
      const entry = (await this.all()).find((each) => each.refused === "");
      if (!entry) return false;
      let answer;
      try {
        answer = await fetch(entry.url, {
          method: "POST",
          headers: { Accept: "application/json" },
          body: new URLSearchParams([...entry.fields, ["request_id", entry.id]]),
          signal: AbortSignal.timeout ? AbortSignal.timeout(PATIENCE) : undefined,
        });
      } catch {
        return true; // no network
      }
      if (LATER.has(answer.status)) return true;
      const told = await answer.json().catch(() => null);
      if (told === null) return true; // somebody else answered: a hotel's sign-in page, a proxy
      if (told.done) await this.#store.remove(entry.id);
      else await this.#store.put({ ...entry, refused: told.message || gettext("The site did not take it.") });
      this.#onSent(entry, told);
      await this.#changed();
    }
  }

  async #changed() {
    this.#channel?.postMessage("changed");
    await this.#tell();
  }

  async #tell() {
    this.#onChange(await this.all());
  }
}
