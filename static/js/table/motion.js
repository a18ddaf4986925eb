/** Cards on their way: from a hand to the table, from the table to whom they go. Nothing moves for those who asked for it. */

const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

/** How long a card moves, in milliseconds; 0 under reduced motion. The value is a design token. */
function duration() {
  const value = getComputedStyle(document.documentElement).getPropertyValue("--move").trim();
  return value.endsWith("ms") ? Number.parseFloat(value) : Number.parseFloat(value) * 1000;
}

const middleOf = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** Where elements lie, by what `key` of their data says. */
function boxes(table, selector, key) {
  return new Map(Array.from(table.querySelectorAll(selector), (one) => [one.dataset[key], one.getBoundingClientRect()]));
}

/** What lies where before a change. */
export function remember(table) {
  const trick = table.querySelector(".trick");
  return {
    held: boxes(table, ".held[data-card]", "card"),
    laid: boxes(table, ".laid[data-laid]", "laid"),
    trick: trick === null ? [] : [...trick.children],
    number: trick?.dataset.number ?? "",
    winner: trick?.dataset.winner ?? "",
    plates: boxes(table, ".plate[data-player]", "player"),
  };
}

/** Let the cards move from where they lay `before` to where they lie now. */
export function play(table, before) {
  const time = duration();
  if (!(time > 0) || document.visibilityState !== "visible") return;
  const laid = new Set();
  for (const card of table.querySelectorAll(".laid[data-laid]")) {
    const code = card.dataset.laid;
    laid.add(code);
    if (before.laid.has(code)) continue;
    const seat = table.querySelector(`#seat-${card.dataset.seat} .plate`);
    const from = before.held.get(code) ?? seat?.getBoundingClientRect();
    if (from !== undefined) travel(card, from, card.getBoundingClientRect(), time, before.held.has(code) ? 1 : 0.4);
  }
  for (const card of table.querySelectorAll(".held[data-card]")) {
    const from = before.held.get(card.dataset.card);
    const now = card.getBoundingClientRect();
    if (from === undefined) {
      card.animate({ opacity: [0, 1] }, { duration: time, easing: EASE });
    } else if (Math.abs(from.left - now.left) > 1) {
      card.animate({ translate: [`${from.left - now.left}px 0`, "0 0"] }, { duration: time, easing: EASE });
    }
  }
  for (const plate of table.querySelectorAll(".plate[data-player]")) {
    const from = before.plates.get(plate.dataset.player);
    const now = plate.getBoundingClientRect();
    const moved = from !== undefined && Math.hypot(from.left - now.left, from.top - now.top) > from.height;
    if (moved) travel(plate, from, now, time, 1); // to the seat that was drawn
  }
  // A gathered trick goes to who took it; a card that has left a trick which still lies there, to who took it back.
  const same = before.number !== "" && before.number === table.querySelector(".trick")?.dataset.number;
  const taker = same ? table.querySelector('.seat:has([data-happened="taken-back"])') : null;
  const gathered = before.trick.filter((card) => !laid.has(card.dataset.laid));
  for (const card of gathered) {
    const goal = (taker ?? table.querySelector(`#seat-${same ? card.dataset.seat : before.winner}`))?.querySelector(".plate");
    if (goal == null) continue;
    const copy = card.querySelector("svg").cloneNode(true);
    const from = before.laid.get(card.dataset.laid);
    copy.classList.add("flying");
    copy.setAttribute("aria-hidden", "true");
    document.body.append(copy);
    const { width, height } = copy.getBoundingClientRect();
    const centred = ({ x, y }) => `${x - width / 2}px ${y - height / 2}px`; // it is scaled around its middle
    const size = from.width / width;
    const translate = [from, goal.getBoundingClientRect()].map((box) => centred(middleOf(box)));
    const frames = { translate, scale: [size, size * 0.3], opacity: [1, 0.2] };
    const flight = copy.animate(frames, { duration: time * 1.4, easing: "ease-in", fill: "forwards" });
    flight.finished.finally(() => copy.remove());
  }
}

function travel(element, from, to, time, size) {
  const start = middleOf(from);
  const end = middleOf(to);
  const translate = [`${start.x - end.x}px ${start.y - end.y}px`, "0 0"];
  element.animate({ translate, scale: [size, 1] }, { duration: time, easing: EASE });
}
