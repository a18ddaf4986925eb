/**
 * A page in the hall, live: when the tournament has moved on it asks whether anything it shows has changed, and puts what has
 * in place piece by piece. Where somebody is typing stays as it is.
 */
import { holdsFilled } from "../filled.js";
import { untilLetGo } from "../let_go.js";
import { oneAtATime } from "../once.js";
import { Bell } from "../table/bell.js";

const SPREAD = 600; // milliseconds among which the phones of a hall spread their asking

export class Live {
  #root;
  #onShown;
  #onState;
  #number;
  #spread;

  /** Ask whether something has changed. */
  look = oneAtATime(() => this.#ask());

  /** @param {{id?: string, onShown?: () => void, onState?: (connected: boolean) => void, spread?: number}} options */
  constructor({ id = "hall-live", onShown = () => {}, onState = () => {}, spread = SPREAD } = {}) {
    this.#root = () => document.getElementById(id);
    this.#onShown = onShown;
    this.#onState = onState;
    this.#spread = spread;
    this.#number = Number(this.#root().dataset.number);
  }

  /** Listen, and compare by itself now and then. */
  start() {
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    new Bell({
      address: () => `${scheme}//${window.location.host}${this.#root().dataset.socket}`,
      onNumber: (number) => {
        if (number > this.#number) setTimeout(() => this.look().catch(() => {}), Math.random() * this.#spread);
      },
      compare: () => this.look(),
      onState: this.#onState,
    }).start();
  }

  async #ask() {
    const { since, mark } = this.#root().dataset;
    const answer = await fetch(`${since}?mark=${encodeURIComponent(mark)}`);
    if (answer.status === 204) this.#number = Math.max(this.#number, Number(answer.headers.get("X-Number")));
    else if (answer.status === 200) {
      const text = await answer.text();
      await untilLetGo();
      this.#show(text);
    } else if (answer.status === 404) window.location.reload(); // the code has ended: the page says so
    else throw new Error(String(answer.status));
  }

  #show(text) {
    const shown = this.#root();
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(shown.id);
    if (fresh === null || Number(fresh.dataset.number) < this.#number) return;
    this.#number = Number(fresh.dataset.number);
    for (const { name, value } of [...fresh.attributes]) shown.setAttribute(name, value);
    const old = new Map([...shown.querySelectorAll(":scope > [data-part]")].map((part) => [part.dataset.part, part]));
    let before = null;
    for (const part of fresh.querySelectorAll(":scope > [data-part]")) {
      const there = old.get(part.dataset.part);
      old.delete(part.dataset.part);
      let placed = there;
      if (!there || !(holdsFilled(there) || same(there, part))) {
        placed = document.importNode(part, true);
        const focused = there?.contains(document.activeElement) ? document.activeElement.id : "";
        for (const fold of there?.querySelectorAll("details[open]") ?? []) {
          const counterpart = placed.querySelectorAll("details")[[...there.querySelectorAll("details")].indexOf(fold)];
          if (counterpart) counterpart.open = true;
        }
        if (there) there.replaceWith(placed);
        else if (before) before.after(placed);
        else shown.prepend(placed);
        if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
      }
      before = placed;
    }
    for (const gone of old.values()) if (!holdsFilled(gone)) gone.remove();
    this.#onShown();
  }
}

/** Whether two parts show the same, the ids of their forms aside. */
function same(old, part) {
  const plain = (node) => {
    const copy = node.cloneNode(true);
    for (const input of copy.querySelectorAll('input[name="request_id"]')) input.removeAttribute("value");
    return copy.innerHTML;
  };
  return plain(old) === plain(part);
}
