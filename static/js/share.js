/**
 * Taking a moment along: the link, the pictures and the form for playing on follow the step that is shown; the link can be
 * copied, link and picture shared by the device's own menu where it has one. Without this script they are those of the step
 * the page was opened at.
 */

const box = document.querySelector("[data-share]");
const field = box.querySelector("[data-link]");
const shareLink = box.querySelector("[data-share-url]");

function at(address, step) {
  const url = new URL(address, window.location.href);
  url.searchParams.set("step", String(step));
  return url.href;
}

document.addEventListener("replay:step", ({ detail: { step } }) => {
  field.value = at(field.value, step);
  box.querySelector("[data-copy]").dataset.copy = field.value;
  shareLink.dataset.shareUrl = field.value; // site.js shares it
  for (const link of document.querySelectorAll("a:is([data-picture], [data-at-step])")) link.href = at(link.href, step);
  document.querySelector("[data-step-field]").value = String(step);
});

document.addEventListener("replay:board", () => {
  const over = document.querySelector("[data-part=board] .open-seat[data-turn]") === null;
  document.querySelector("[data-from-here]").disabled = over;
  document.querySelector("[data-nothing-left]").hidden = !over;
});

field.addEventListener("focus", () => field.select());

const picture = (...parts) => new File(parts, "moment.png", { type: "image/png" });
const sharePicture = box.querySelector("[data-share-picture]");
sharePicture.hidden = !navigator.canShare?.({ files: [picture("")] });
sharePicture.addEventListener("click", async () => {
  sharePicture.disabled = true;
  try {
    const answer = await fetch(box.querySelector("a[data-picture=png]").href);
    if (!answer.ok) throw new Error(String(answer.status));
    await navigator.share({ files: [picture(await answer.blob())], title: shareLink.dataset.title, url: field.value });
  } catch (error) {
    if (error.name !== "AbortError") field.select(); // closing the menu is no error
  } finally {
    sharePicture.disabled = false;
  }
});
