/** Paper on the screen: the button that prints it. Browsers print without it, too. */
const button = document.querySelector("[data-print]");

if (button !== null) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
