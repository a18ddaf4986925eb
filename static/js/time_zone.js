/**
 * The time zone of the device: fills an empty hidden field, and offers it beside a list. Without script one chooses from
 * the list, and the site's own zone holds until then.
 */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

for (const field of document.querySelectorAll("input[data-time-zone]")) {
  if (field.value === "") field.value = zone;
}

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
