/**
 * The doorbell: a socket that says only that the game has moved on. Nothing depends on it. Numbers are also compared when
 * it connects, when the page comes into view, and once a minute; while it is away, every few seconds.
 */

const EVERY_MINUTE = 60_000;
const WHILE_AWAY = 5_000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const PATIENCE = 1_500; // how long the line may be down before we speak of it
const NO_SUCH_GAME = 4404;
const CLOSED_TO_US = 4403;

export class Bell {
  #options;
  #socket = null;
  #wait = FIRST_WAIT;
  #reconnecting = 0;
  #worrying = 0;

  /**
   * @param {{address: () => string, onNumber: (number: number) => void, compare: () => Promise<void>,
   *          onState: (connected: boolean) => void}} options
   */
  constructor(options) {
    this.#options = options;
  }

  /** Connect, and keep comparing for as long as the page lives. */
  start() {
    this.#connect();
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#lookNow();
    });
    window.addEventListener("online", () => this.#lookNow());
    setInterval(() => this.#compare(), EVERY_MINUTE);
    setInterval(() => {
      if (!this.#connected && document.visibilityState === "visible") this.#compare();
    }, WHILE_AWAY);
  }

  get #connected() {
    return this.#socket !== null && this.#socket.readyState === WebSocket.OPEN;
  }

  #lookNow() {
    this.#compare();
    if (!this.#connected) {
      this.#wait = FIRST_WAIT;
      this.#connect();
    }
  }

  #compare() {
    this.#options.compare().catch(() => {
      // The next comparison will tell; the state of the line is shown by the socket.
    });
  }

  #connect() {
    clearTimeout(this.#reconnecting);
    if (this.#socket !== null && this.#socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(this.#options.address());
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      clearTimeout(this.#worrying);
      this.#worrying = 0;
      this.#options.onState(true);
      this.#compare();
      document.dispatchEvent(new Event("chat:rung")); // what was written while the line was down
    });
    socket.addEventListener("message", (event) => {
      const { number, chat, watchers, watching } = JSON.parse(event.data);
      if (Number.isInteger(number)) this.#options.onNumber(number);
      if (chat !== undefined) document.dispatchEvent(new Event("chat:rung"));
      if (Number.isInteger(watchers)) document.dispatchEvent(new CustomEvent("watching:count", { detail: watchers }));
      if (watching !== undefined) document.dispatchEvent(new Event("watching:rung"));
    });
    socket.addEventListener("close", (event) => {
      if (event.code === NO_SUCH_GAME) return;
      if (event.code === CLOSED_TO_US) {
        window.location.reload(); // the page says so
        return;
      }
      this.#worrying ||= setTimeout(() => this.#options.onState(false), PATIENCE);
      this.#reconnecting = setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random()));
      this.#wait = Math.min(this.#wait * 1.7, LONGEST_WAIT);
    });
  }
}
