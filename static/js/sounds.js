/** Recordings of words: the link plays where one is. Without script it opens the sound. */

let playing = null;

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-play]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  playing?.pause();
  playing = new Audio(link.href);
  playing.play().catch(() => window.location.assign(link.href)); // this browser cannot: the page of the sound says more
});
