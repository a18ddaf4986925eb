/**
 * Runs every shared vector through static/js/verify.js and returns what did not come out as it should.
 * The same file serves node (started with the paths of verify.js and the vectors) and a browser (imported).
 */

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hex = (given) => Array.from(given, (byte) => byte.toString(16).padStart(2, "0")).join("");
const cards = (text) => text.split(" ").filter(Boolean);

export async function failures(module, vectors) {
  const failed = [];
  const expect = (name, actual, wanted) => {
    if (JSON.stringify(actual) !== JSON.stringify(wanted)) {
      failed.push(`${name}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
    }
  };
  expect("canonical 78", module.CANONICAL_78.join(" "), vectors.canonical["78"]);
  expect("canonical 62", module.CANONICAL_62.join(" "), vectors.canonical["62"]);
  for (const { entropy_input, nonce, personalization, returned } of vectors.drbg) {
    const drbg = await module.HmacDrbg.from(bytes(entropy_input + nonce + personalization));
    await drbg.generate(128);
    expect(`drbg ${entropy_input}`, hex(await drbg.generate(128)), returned);
  }
  for (const { seed, label, count, order } of vectors.shuffled) {
    expect(`shuffled ${label} ${count}`, await module.shuffled([...Array(count).keys()], bytes(seed), label), order);
  }
  for (const { name, proof, pack, arrangements, lifted, seed, problems } of vectors.deals) {
    if (proof.scheme === module.SCHEME) {
      expect(`seed of ${name}`, hex(await module.seed(proof)), seed);
    }
    expect(name, await module.verify(proof, cards(pack), arrangements.map(cards), lifted), problems);
  }
  for (const { name, proof } of vectors.malformed) {
    expect(name, await module.verify(proof, []), ["malformed"]);
  }
  return failed;
}

if (globalThis.process?.argv?.length === 4) {
  const { readFile } = await import("node:fs/promises");
  const { pathToFileURL } = await import("node:url");
  const [, , modulePath, vectorsPath] = process.argv;
  const vectors = JSON.parse(await readFile(vectorsPath, "utf8"));
  console.log(JSON.stringify(await failures(await import(pathToFileURL(modulePath)), vectors)));
}
