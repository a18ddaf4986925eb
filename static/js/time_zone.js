/**
 * The time zone of the device: fills an empty hidden field, in a form that came later when it is sent, and offers it beside
 * a list. Without script one chooses from the list, and the site's own zone holds until then.
 */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

const fill = (within) => {
  for (const field of within.querySelectorAll("input[data-time-zone]")) {
    if (field.value === "") field.value = zone;
  }
};

fill(document);
document.addEventListener("submit", (event) => fill(event.target), true);

for (const offer of document.querySelectorAll("[data-offer-zone]")) {
  const list = document.getElementById(offer.dataset.offerZone);
  const known = [...list.options].some((option) => option.value === zone);
  const holds = list.value === "" ? offer.dataset.usual : list.value;
  if (!known || holds === zone) continue;
  offer.hidden = false;
  offer.querySelector("[data-zone]").textContent = zone.replaceAll("_", " ");
  offer.querySelector("button").addEventListener("click", () => {
    list.value = zone;
    offer.hidden = true;
    list.focus();
  });
}
