/**
 * Passkeys: asks the browser for a new one or for a signature, and sends the answer with the form.
 *
 * A form says what it wants by data-passkey: "create" or "get", with the options of the server in the JSON script that
 * data-options names; or "sign-in", which fetches them from its own address first. Its credential field takes the answer,
 * in the JSON of WebAuthn level 3.
 */

/** Makes a new passkey: one that is found without typing anything, and checks who holds it. */
function create(options) {
  const required = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
  const authenticatorSelection = { ...options.authenticatorSelection, ...required };
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({ ...options, authenticatorSelection });
  return navigator.credentials.create({ publicKey });
}

/** Signs with a passkey the device has. */
function get(options) {
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

async function optionsFor(form) {
  if (form.dataset.passkey === "sign-in") {
    const headers = { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" };
    const answer = await fetch(form.action, { headers });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return (await answer.json()).request_options.publicKey;
  }
  const data = JSON.parse(document.getElementById(form.dataset.options).textContent);
  return (data.creation_options ?? data.request_options).publicKey;
}

/** What went wrong, in words: browsers only give names. */
function reason(error) {
  const cannot = gettext("This device cannot hold a passkey. Please try another one.");
  const words = {
    NotAllowedError: gettext("Nothing was done: you cancelled, or it took too long. Please try again."),
    InvalidStateError: gettext("This device has a passkey for your account already."),
    SecurityError: gettext("Passkeys work only under the site’s own name, over a safe connection."),
    NotSupportedError: cannot,
    ConstraintError: cannot,
  };
  return words[error?.name] ?? gettext("That did not work. Please try again, or sign in another way.");
}

function say(form, text) {
  const place = form.querySelector("[data-passkey-error]");
  place.textContent = text;
  place.hidden = text === "";
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button[type=submit]");
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
    button.disabled = true;
    say(form, gettext("This browser does not know passkeys, or the connection is not safe."));
    continue;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say(form, "");
    button.disabled = true;
    try {
      const options = await optionsFor(form);
      const credential = form.dataset.passkey === "create" ? await create(options) : await get(options);
      form.elements.namedItem("credential").value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      button.disabled = false;
      say(form, reason(error));
    }
  });
}
