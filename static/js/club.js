/** Pages of a club: links that are handed on can be copied with one tap. The pages are whole without it. */

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".club-page button[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  } catch {
    // Without the right to the clipboard the address is marked, to be copied by hand.
    button.parentElement.querySelector("input")?.select();
  }
});
