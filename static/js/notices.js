/**
 * The list of notices: following one marks it as read. Without script there is a button for that.
 */

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-notice]");
  const form = link?.closest(".note")?.querySelector("form");
  if (!form) return;
  // Goes out although the page is left.
  fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" }, keepalive: true });
});
