/**
 * Where entries wait that are not sent yet: in IndexedDB, else in localStorage, else only in this page. `kind` says where the
 * next one goes, because what waits in the page alone is gone when it closes.
 *
 * An entry is plain data with a text `id`; `order` is a number that rises.
 */

const NAME = "hall";
const SHELF = "entries";
const LOCAL = "hall-entries";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

const byOrder = (entries) => entries.sort((one, other) => one.order - other.order);

class Database {
  kind = "database";
  #open;

  constructor(open) {
    this.#open = open;
  }

  static async open() {
    const asked = indexedDB.open(NAME, 1);
    asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore(SHELF, { keyPath: "id" }));
    const store = new Database(await settled(asked));
    await store.all(); // some browsers open it and then keep nothing
    return store;
  }

  #shelf(mode) {
    return this.#open.transaction(SHELF, mode).objectStore(SHELF);
  }

  async all() {
    return byOrder(await settled(this.#shelf("readonly").getAll()));
  }

  put(entry) {
    return settled(this.#shelf("readwrite").put(entry));
  }

  remove(id) {
    return settled(this.#shelf("readwrite").delete(id));
  }
}

class Local {
  kind = "local";

  static open() {
    window.localStorage.setItem(`${LOCAL}-try`, "1");
    window.localStorage.removeItem(`${LOCAL}-try`);
    return new Local();
  }

  #read() {
    try {
      return JSON.parse(window.localStorage.getItem(LOCAL) ?? "[]");
    } catch {
      return [];
    }
  }

  #write(entries) {
    window.localStorage.setItem(LOCAL, JSON.stringify(entries));
  }

  async all() {
    return byOrder(this.#read());
  }

  async put(entry) {
    this.#write([...this.#read().filter(({ id }) => id !== entry.id), entry]);
  }

  async remove(id) {
    this.#write(this.#read().filter((entry) => entry.id !== id));
  }
}

class Memory {
  kind = "memory";
  #entries = new Map();

  async all() {
    return byOrder([...this.#entries.values()]);
  }

  async put(entry) {
    this.#entries.set(entry.id, entry);
  }

  async remove(id) {
    this.#entries.delete(id);
  }
}

/** A place, and this page for what does not go in there: the device may be full, or be asked to forget. */
class Kept {
  #place;
  #page = new Memory();
  #full = false;

  constructor(place) {
    this.#place = place;
  }

  get kind() {
    return this.#full ? "memory" : this.#place.kind;
  }

  async all() {
    const here = await this.#page.all();
    const there = await this.#place.all().catch(() => []);
    return byOrder([...there.filter(({ id }) => here.every((entry) => entry.id !== id)), ...here]);
  }

  async put(entry) {
    try {
      await this.#place.put(entry);
      await this.#page.remove(entry.id);
    } catch {
      this.#full = true;
      await this.#page.put(entry);
    }
  }

  async remove(id) {
    await this.#page.remove(id);
    await this.#place.remove(id);
  }
}

/** @returns {Promise<Kept | Memory>} the best place this browser offers. */
export async function openStore() {
  try {
    return new Kept(await Database.open());
  } catch {
    try {
      return new Kept(Local.open());
    } catch {
      return new Memory();
    }
  }
}

/** @returns {string} a UUID; `crypto.randomUUID` exists on secure addresses only. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
