/** The entrance: names are found while one types. Without this script the button does it. */

const SETTLES = 250;
const form = document.getElementById("find");
const found = document.getElementById("found");
let timer = 0;
let asked = 0;

async function find() {
  const typed = form.elements.namedItem("q").value.trim();
  const mine = ++asked;
  if (typed.length < 2) {
    found.replaceChildren();
    return;
  }
  const answer = await fetch(`${form.dataset.find}?q=${encodeURIComponent(typed)}`);
  if (!answer.ok || mine !== asked) return;
  found.innerHTML = await answer.text();
}

if (form) {
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => find().catch(() => {}), SETTLES);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find().catch(() => form.submit());
  });
}
