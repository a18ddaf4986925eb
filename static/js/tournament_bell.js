/** The doorbell of a tournament, for the pages that show it as it goes on. */
import { Bell } from "./table/bell.js";

/**
 * @param {{part: () => HTMLElement, catchUp: () => Promise<void>, compare?: () => Promise<void>}} page  `part` carries the
 *   tournament (`data-tournament`) and how far it shows it (`data-number`); `catchUp` brings it on; `compare` is what the
 *   bell does now and then by itself, and while the line is down.
 */
export function listen({ part, catchUp, compare = catchUp }) {
  new Bell({
    address: () => {
      const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
      return `${scheme}//${window.location.host}/ws/e/${part().dataset.tournament}/`;
    },
    onNumber: (number) => {
      if (number > Number(part().dataset.number)) catchUp().catch(() => {});
    },
    compare,
    onState: () => {},
  }).start();
}
