/**
 * Taking a moment along: the link, the pictures and the form for playing on follow the step that is shown; the link can be
 * copied, link and picture shared by the device's own menu where it has one. Without this script they are those of the step
 * the page was opened at.
 */

const box = document.querySelector("[data-share]");
const field = box.querySelector("[data-link]");
const board = () => document.querySelector("[data-part=board]");

/** @param {string} address @param {number} step */
function at(address, step) {
  const url = new URL(address, window.location.href);
  url.searchParams.set("step", String(step));
  return url;
}

/** @param {number} step */
function follow(step) {
  field.value = at(field.value, step).href;
  box.querySelector("[data-copy]").dataset.copy = field.value;
  for (const link of box.querySelectorAll("a[data-picture]")) link.href = at(link.href, step).href;
  document.querySelector("[data-step-field]").value = String(step);
}

document.addEventListener("replay:step", (event) => follow(event.detail.step));

/** Whether anybody is still to play is known when the board is there. */
new MutationObserver(() => {
  const over = !board().querySelector(".open-seat[data-turn]");
  document.querySelector("[data-from-here]").disabled = over;
  document.querySelector("[data-nothing-left]").hidden = !over;
}).observe(document.getElementById("replay"), { childList: true });

field.addEventListener("focus", () => field.select());

/** Shares something; closing the menu is no error. @param {ShareData} what */
async function share(what) {
  try {
    await navigator.share(what);
  } catch (error) {
    if (error.name !== "AbortError") field.select();
  }
}

const shareLink = box.querySelector("[data-share-link]");
if (navigator.share) {
  shareLink.hidden = false;
  shareLink.addEventListener("click", () => share({ title: box.dataset.title, url: field.value }));
}

const sharePicture = box.querySelector("[data-share-picture]");
const sample = new File([""], "moment.png", { type: "image/png" });
if (navigator.canShare?.({ files: [sample] })) {
  sharePicture.hidden = false;
  sharePicture.addEventListener("click", async () => {
    sharePicture.disabled = true;
    try {
      const answer = await fetch(box.querySelector("a[data-picture=png]").href);
      if (!answer.ok) throw new Error(String(answer.status));
      const file = new File([await answer.blob()], "moment.png", { type: "image/png" });
      await share({ files: [file], title: box.dataset.title, url: field.value });
    } catch {
      shareLink.hidden = false;
      field.select();
    } finally {
      sharePicture.disabled = false;
    }
  });
}
