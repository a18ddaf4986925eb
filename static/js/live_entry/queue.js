/**
 * What was entered goes to the site in order, each exactly once: an entry keeps the id it got when it was made, and the site
 * does one id once. Without network it waits. A refusal stays to be seen with what was typed, until somebody decides.
 */
import { newId, post } from "../site.js";

const AGAIN = 8_000; // how soon it is tried again by itself
const PATIENCE = 12_000; // for one entry: a hall's network may swallow it without a word
const LATER = new Set([408, 425, 429, 500, 502, 503, 504]);
const CHANNEL = "hall-entries";
const DATABASE = "hall";
const SHELF = "entries";

/**
 * @typedef {{id: string, order: number, url: string, kind: string, fields: Record<string, string>, what: string,
 *            refused: string}} Entry  `refused` says why the site did not take it; empty while it waits; `order` rises.
 */

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/** Where entries wait: in the browser's database, and in this page what does not go in there. */
class Store {
  /** Whether the next one survives the page: a device may be full, a browser may keep nothing. */
  lasts = false;
  #database;
  #page = new Map();

  async open() {
    try {
      const asked = indexedDB.open(DATABASE, 1);
      asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore(SHELF, { keyPath: "id" }));
      this.#database = await settled(asked);
      await this.#do("readonly", (shelf) => shelf.getAll()); // some browsers open it and then keep nothing
      this.lasts = true;
    } catch {
      this.#database = undefined;
    }
  }

  async #do(mode, act) {
    return settled(act(this.#database.transaction(SHELF, mode).objectStore(SHELF)));
  }

  async all() {
    const kept = await this.#do("readonly", (shelf) => shelf.getAll()).catch(() => []);
    const entries = [...kept.filter(({ id }) => !this.#page.has(id)), ...this.#page.values()];
    return entries.sort((one, other) => one.order - other.order);
  }

  async put(entry) {
    try {
      await this.#do("readwrite", (shelf) => shelf.put(entry));
      this.#page.delete(entry.id);
    } catch {
      this.lasts = false;
      this.#page.set(entry.id, entry);
    }
  }

  async remove(id) {
    this.#page.delete(id);
    if (this.#database !== undefined) await this.#do("readwrite", (shelf) => shelf.delete(id));
  }
}

export class Queue {
  #store = new Store();
  #onChange;
  #onSent;
  #sending = false;
  #again = 0;
  #channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
  #highest = 0;

  /** @param {{onChange: (entries: Entry[]) => void, onSent: (entry: Entry, told: object) => void}} options */
  static async open({ onChange, onSent }) {
    const queue = new Queue();
    queue.#onChange = onChange;
    queue.#onSent = onSent;
    await queue.#store.open();
    return queue;
  }

  /** Whether what is entered next survives the page. */
  get lasts() {
    return this.#store.lasts;
  }

  /** Look what is there from before, and keep trying for as long as the page lives. */
  async start() {
    this.#channel?.addEventListener("message", () => this.#tell());
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.flush());
    await this.#tell();
    await this.flush();
  }

  /**
   * Take an entry in; it is sent as soon as that is possible.
   * @param {{url: string, kind: string, fields: Record<string, string>, what: string}} made
   */
  async add(made) {
    this.#highest = Math.max(Date.now(), this.#highest + 1);
    await this.#store.put({ ...made, id: newId(), order: this.#highest, refused: "" });
    await this.#changed();
    this.flush();
  }

  /** Try a refused entry once more, as something new: the site has judged the old one. @param {Entry} entry */
  async retry(entry, fields) {
    await this.#store.remove(entry.id);
    await this.add({ ...entry, fields });
  }

  /** Forget an entry. @param {string} id */
  async forget(id) {
    await this.#store.remove(id);
    await this.#changed();
  }

  /** Send what waits, the oldest first, until the network fails; one page of this phone at a time, where browsers can tell. */
  async flush() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#again);
    let left = true;
    try {
      left = await (navigator.locks ? navigator.locks.request(CHANNEL, () => this.#send()) : this.#send());
    } finally {
      this.#sending = false;
      if (left) this.#again = setTimeout(() => this.flush(), AGAIN);
    }
  }

  /** @returns {Promise<boolean>} whether something is left to be sent. */
  async #send() {
    for (;;) {
      const entry = (await this.#store.all()).find((each) => each.refused === "");
      if (!entry) return false;
      const fields = { ...entry.fields, request_id: entry.id };
      const answer = await post(entry.url, fields, { signal: AbortSignal.timeout(PATIENCE), keepalive: false }).catch(() => null);
      if (answer === null || LATER.has(answer.status)) return true; // no network, or none of use
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
    this.#onChange(await this.#store.all());
  }
}
