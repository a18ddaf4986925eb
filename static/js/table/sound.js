/** Sounds and vibration for who wishes them: one's turn, a card, a trick, a call. They are made here, nothing is fetched. */

const LOUD = 0.12;
const AFTER = 0.3; // seconds: one's turn is told after what led to it
/** Of each sound its notes: pitch in Hertz, when it begins, how long it fades, in seconds. */
const NOTES = {
  turn: [[659, 0, 0.2], [880, 0.14, 0.4]],
  card: [[190, 0, 0.06]],
  trick: [[330, 0, 0.1], [247, 0.08, 0.2]],
  call: [[523, 0, 0.15], [659, 0.1, 0.15], [784, 0.2, 0.4]],
};

let context = null;

function sound(name, after = 0) {
  context ??= new AudioContext();
  void context.resume();
  for (const [pitch, start, length] of NOTES[name]) {
    const at = context.currentTime + after + start;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

/** What there is to hear of a table as it is shown. */
function heard(table) {
  const { status, trick, yours } = table.dataset;
  const laid = Array.from(table.querySelectorAll(".laid"), (card) => card.dataset.laid);
  const winner = table.querySelector(".trick")?.dataset.winner;
  return {
    wished: table.dataset.sounds === "yes",
    turn: yours === "yes" && status === "playing",
    cards: new Set(laid.map((code) => `${trick} ${code}`)),
    trick: winner === undefined ? "" : `${trick} ${winner}`,
    call: Number(table.querySelector('.log [data-kind="called"]')?.dataset.number ?? 0),
  };
}

/** Play the sound of one's turn, for whoever has just switched sounds on. */
export function sample() {
  if (before.wished) sound("turn");
}

let before = heard(document.getElementById("table"));

document.addEventListener("live:shown", ({ target: table }) => {
  if (table.id !== "table") return;
  const now = heard(table);
  const asked = now.turn && !before.turn;
  const isTrick = now.trick !== "" && now.trick !== before.trick;
  const isCard = [...now.cards].some((card) => !before.cards.has(card));
  const happened = now.call > before.call ? "call" : isTrick ? "trick" : isCard ? "card" : "";
  const isNew = now.wished && !before.wished; // just asked for: this is what it is like
  before = now;
  if (navigator.userActivation?.hasBeenActive === false) return; // browsers keep still before the first press
  if (now.wished && happened !== "") sound(happened);
  if (isNew || (now.wished && asked)) sound("turn", happened === "" ? 0 : AFTER);
  if (asked && table.dataset.vibrates === "yes") navigator.vibrate?.(80);
});
