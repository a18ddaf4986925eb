/**
 * Check a pack in the reader's own browser: scheme `troccas-shuffle-1`, specified in docs/fair-packs.md.
 *
 * The pure half (everything up to `describe`) needs only WebCrypto and runs anywhere; the other half finds elements like
 *
 *   <section data-proof='{"proof": {…}, "pack": "T4 CK …", "arrangements": ["CK C5 …"], "lifted": 31}'>
 *     <button type="button" data-proof-check>Check this pack</button>
 *     <p role="status" data-proof-result></p>
 *   </section>
 *
 * and writes the outcome as a sentence into the result, and as `good`, `bad` or `unable` into `data-proof-state`.
 * Without a button the check runs at once. No request leaves the page.
 */

export const SCHEME = "troccas-shuffle-1";

const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "N", "Q", "K"];
const TRUMPS = Array.from({ length: 21 }, (_, index) => `T${index + 1}`);
const NOT_IN_TROGGU = new Set([
  ...["S", "B"].flatMap((suit) => ["1", "2", "3", "4"].map((rank) => suit + rank)),
  ...["C", "O"].flatMap((suit) => ["7", "8", "9", "10"].map((rank) => suit + rank)),
]);

/** The order in which a Troccas pack lies before it is shuffled. */
export const CANONICAL_78 = [...["C", "O", "S", "B"].flatMap((suit) => RANKS.map((rank) => suit + rank)), ...TRUMPS, "F"];

/** The same for Troggu. */
export const CANONICAL_62 = CANONICAL_78.filter((card) => !NOT_IN_TROGGU.has(card));

const ascii = (text) => new TextEncoder().encode(text);
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

async function hmac(key, message) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

/** The commitment (hex) that the secret of `proof` should have had. */
export async function commitment(proof) {
  const message = joined(ascii(`${SCHEME}|commit|${proof.table}|${proof.hand}|`), fromHex(proof.secret));
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", message)));
}

/** The 32 bytes everything random of one deal comes from. */
export async function seed(proof) {
  const seats = Object.keys(proof.entropy).sort();
  // Keys in alphabetical order and no spaces: this text is the same in every language.
  const message = JSON.stringify({
    entropy: Object.fromEntries(seats.map((seat) => [seat, proof.entropy[seat]])),
    hand: proof.hand,
    ruleset: proof.ruleset,
    ruleset_version: proof.ruleset_version,
    scheme: SCHEME,
    table: proof.table,
  });
  return hmac(fromHex(proof.secret), ascii(message));
}

/** HMAC_DRBG with SHA-256 (NIST SP 800-90A), without reseeding. `await HmacDrbg.from(seedMaterial)` makes one. */
export class HmacDrbg {
  #key = new Uint8Array(32);
  #value = new Uint8Array(32).fill(1);

  static async from(seedMaterial) {
    const drbg = new HmacDrbg();
    await drbg.#update(seedMaterial);
    return drbg;
  }

  /** The next `count` bytes, as one request. */
  async generate(count) {
    let output = new Uint8Array(0);
    while (output.length < count) {
      this.#value = await hmac(this.#key, this.#value);
      output = joined(output, this.#value);
    }
    await this.#update(new Uint8Array(0));
    return output.slice(0, count);
  }

  async #update(provided) {
    for (const separator of provided.length > 0 ? [0, 1] : [0]) {
      this.#key = await hmac(this.#key, joined(this.#value, Uint8Array.of(separator), provided));
      this.#value = await hmac(this.#key, this.#value);
    }
  }
}

/** `cards` in the order that `seedBytes` and `label` give them (Fisher–Yates from the last down, with rejection). */
export async function shuffled(cards, seedBytes, label = "pack") {
  const drbg = await HmacDrbg.from(joined(seedBytes, ascii(`${SCHEME}|${label}`)));
  const bytes = [];
  const nextByte = async () => {
    if (bytes.length === 0) bytes.push(...(await drbg.generate(128)));
    return bytes.shift();
  };
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const places = last + 1;
    const fair = 256 - (256 % places);
    let byte = await nextByte();
    while (byte >= fair) byte = await nextByte();
    const chosen = byte % places;
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

/** The pack of a one-round deal: each pile mixed within itself only. */
export async function gathered(piles, seedBytes) {
  const mixed = await Promise.all(piles.map((pile, number) => shuffled(pile, seedBytes, `tricks|${number}`)));
  return mixed.flat();
}

/** How many of `size` cards are lifted at every table of a deal that several tables play. */
export async function cut(seedBytes, size) {
  const places = Array.from({ length: size - 1 }, (_, index) => index + 1);
  return (await shuffled(places, seedBytes, "cut"))[0];
}

const sameCards = (one, other) => [...one].sort().join(" ") === [...other].sort().join(" ");

/** `cards` after a player put the cards of `order` in that order, in the places they held; null if that is no set of whole piles. */
function arranged(cards, piles, order) {
  const mine = new Set(order);
  const whole = piles.filter((pile) => pile.some((card) => mine.has(card))).flat();
  if (!sameCards(whole, order) || !order.every((card) => cards.includes(card))) return null;
  const following = order.values();
  return cards.map((card) => (mine.has(card) ? following.next().value : card));
}

/** Whether a proof with a cut can be that of a shared deal: shuffled, and nobody added chance. */
function cutFits(proof, label) {
  const possible = Number.isSafeInteger(proof.cut) && proof.cut >= 1 && proof.cut < CANONICAL_78.length;
  return possible && label === "pack" && Object.keys(proof.entropy).length === 0;
}

function wellFormed(proof) {
  const name = /^[A-Za-z0-9_-]{1,64}$/;
  const hex = (size) => new RegExp(`^[0-9a-f]{${2 * size}}$`);
  const label = proof?.label ?? "pack";
  const piles = proof?.piles ?? [];
  const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const matches = (pattern, value) => typeof value === "string" && pattern.test(value);
  return (
    object(proof) &&
    matches(name, proof.table) &&
    matches(name, proof.ruleset) &&
    Number.isSafeInteger(proof.hand) && proof.hand >= 0 &&
    Number.isSafeInteger(proof.ruleset_version) && proof.ruleset_version >= 1 &&
    matches(hex(32), proof.secret) &&
    matches(hex(32), proof.commitment) &&
    object(proof.entropy) &&
    Object.entries(proof.entropy).every(([seat, given]) => /^[0-9]$/.test(seat) && matches(hex(16), given)) &&
    ["pack", "draw", "tricks"].includes(label) &&
    Array.isArray(piles) && piles.every((pile) => typeof pile === "string") &&
    (piles.length > 0) === (label === "tricks") &&
    (!("cut" in proof) || cutFits(proof, label))
  );
}

/**
 * The problems of `pack` (a list of card codes, top first, before the cut), none if all is well: `bad-scheme`, `malformed`,
 * `wrong-commitment`, `bad-pack`, `bad-arrangement`, `wrong-pack`, `wrong-cut`. The codes are those of
 * domain/engine/shuffle.py; `malformed` stands for what raises ValueError there. `lifted` is how many cards were cut, if
 * that is known: the proof of a shared deal fixes it.
 */
export async function verify(proof, pack, arrangements = [], lifted = undefined) {
  if (typeof proof?.scheme === "string" && proof.scheme !== SCHEME) return ["bad-scheme"];
  if (proof?.scheme !== SCHEME || !wellFormed(proof)) return ["malformed"];
  const problems = [];
  if ((await commitment(proof)) !== proof.commitment) problems.push("wrong-commitment");
  const canonical = [CANONICAL_78, CANONICAL_62].find((cards) => sameCards(cards, pack));
  if (canonical === undefined) return [...problems, "bad-pack"];
  const label = proof.label ?? "pack";
  const piles = (proof.piles ?? []).map((pile) => pile.split(" ").filter(Boolean));
  const seedBytes = await seed(proof);
  let expected = label === "tricks" ? await gathered(piles, seedBytes) : await shuffled(canonical, seedBytes, label);
  for (const order of arrangements) {
    expected = arranged(expected, piles, order);
    if (expected === null) return [...problems, "bad-arrangement"];
  }
  if (expected.join(" ") !== pack.join(" ")) problems.push("wrong-pack");
  if ("cut" in proof) {
    const drawn = await cut(seedBytes, pack.length);
    if (proof.cut !== drawn || (lifted ?? drawn) !== drawn) problems.push("wrong-cut");
  }
  return problems;
}

/** A sentence for each problem code, in the reader's language. */
export function describe(problem) {
  return {
    "bad-scheme": gettext("This pack was made by a method this page does not know."),
    malformed: gettext("The proof is incomplete or damaged."),
    "wrong-commitment": gettext("The secret is not the one that was committed to before the hand."),
    "bad-pack": gettext("The pack is not complete, or a card is in it twice."),
    "bad-arrangement": gettext("Cards were arranged that are not whole tricks of the player."),
    "wrong-pack": gettext("The secret leads to another pack than the one that was dealt."),
    "wrong-cut": gettext("The secret leads to another cut than the one that was made."),
  }[problem];
}

async function outcome(data) {
  if (globalThis.crypto?.subtle === undefined) {
    return ["unable", gettext("This browser checks packs only on a secure (https) connection.")];
  }
  const cards = (text) => text.split(" ").filter(Boolean);
  let problems;
  let shared = false;
  try {
    const { proof, pack, arrangements = [], lifted } = JSON.parse(data);
    problems = await verify(proof, cards(pack), arrangements.map(cards), lifted ?? undefined);
    shared = "cut" in proof;
  } catch {
    problems = ["malformed"];
  }
  if (problems.length > 0) return ["bad", problems.map(describe).join(" ")];
  if (shared) return ["good", gettext("Your browser dealt this pack again from the secret: pack and cut are those that were committed to.")];
  return ["good", gettext("Your browser dealt this pack again from the secret: it is the pack that was committed to.")];
}

async function check(element) {
  const result = element.querySelector("[data-proof-result]") ?? element.appendChild(document.createElement("p"));
  result.setAttribute("data-proof-result", "");
  result.setAttribute("role", "status");
  const [state, sentence] = await outcome(element.dataset.proof);
  element.dataset.proofState = state;
  result.textContent = sentence;
}

if (globalThis.document !== undefined) {
  document.querySelectorAll("[data-proof]:not(:has([data-proof-check]))").forEach(check);
  document.addEventListener("click", ({ target }) => {
    const element = target.closest("[data-proof-check]")?.closest("[data-proof]");
    if (element) void check(element);
  });
}
