/**
 * Examples: every card becomes a button that one may try, and a line says whether it was right, and why.
 * Without this script the cards lie there, and the answer unfolds.
 */

/** @param {HTMLElement} example */
function prepare(example) {
  const said = example.querySelector(".example-said");
  if (!said || example.querySelector(".example-try")) return;
  said.textContent = said.dataset.hint;
  for (const item of example.querySelectorAll(":scope > .example-cards > li[data-says]")) {
    const card = item.querySelector(".example-card");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "example-try";
    card.replaceWith(button);
    button.append(card);
    button.addEventListener("click", () => answer(said, item));
  }
}

/** @param {HTMLElement} said @param {HTMLElement} item */
function answer(said, item) {
  const good = item.dataset.good;
  const verdict = document.createElement("b");
  verdict.textContent = good === "yes" ? said.dataset.yes : said.dataset.no;
  said.replaceChildren(verdict, ` ${item.dataset.says}`);
  said.dataset.good = good;
  item.dataset.tried = good;
}

/** @param {ParentNode} part */
function prepareAll(part) {
  for (const example of part.querySelectorAll(".example")) prepare(example);
}

prepareAll(document);
// A preview brings its examples later.
document.body.addEventListener("htmx:afterSettle", () => prepareAll(document));
