/** The question how one wants to be told: the button that lets this device show messages. The others are plain forms. */
import { allowMessages, canShow, send } from "./messages.js";

const button = document.querySelector("[data-allow]");
const state = document.querySelector("[data-how-state]");

function tell(text) {
  state.textContent = text;
  state.hidden = false;
}

async function allow() {
  button.disabled = true;
  try {
    if (await allowMessages(button.dataset)) {
      await send(button.dataset.then, { how: "push", next: window.location.pathname });
      document.querySelector("[data-how]").remove();
    } else {
      tell(gettext("Your browser does not let this site show messages. You can change that in its settings for this site."));
    }
  } catch {
    tell(gettext("That did not work. Perhaps this browser shows no messages in private windows; otherwise try again later."));
  } finally {
    button.disabled = false;
  }
}

if (button && canShow() && Notification.permission !== "denied") {
  button.hidden = false;
  button.addEventListener("click", allow);
}
