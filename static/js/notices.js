/** The list of notices: following one marks it as read. Without script there is a button for that. */
import { post } from "./site.js";

document.addEventListener("click", (event) => {
  const form = event.target.closest("a[data-notice]")?.closest(".note")?.querySelector("form");
  if (form) post(form.action, new FormData(form));
});
