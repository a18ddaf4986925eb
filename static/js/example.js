/**
 * Examples: every card becomes a button that one may try, and a line says whether it was right, and why.
 * Without this script the cards lie there, and the answer unfolds.
 */
import { made } from "./site.js";

function prepare() {
  for (const example of document.querySelectorAll(".example:has(.example-said):not(:has(.example-try))")) {
    const said = example.querySelector(".example-said");
    said.textContent = said.dataset.hint;
    for (const item of example.querySelectorAll(":scope > .example-cards > li[data-says]")) {
      const card = item.querySelector(".example-card");
      const button = made("button", { type: "button", className: "example-try" });
      card.replaceWith(button);
      button.append(card);
      button.addEventListener("click", () => answer(said, item));
    }
  }
}

function answer(said, item) {
  const good = item.dataset.good;
  said.replaceChildren(made("b", {}, good === "yes" ? said.dataset.yes : said.dataset.no), ` ${item.dataset.says}`);
  said.dataset.good = good;
  item.dataset.tried = good;
}

prepare();
document.body.addEventListener("htmx:afterSettle", prepare); // a preview brings its examples later
