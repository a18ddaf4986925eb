/**
 * Passkeys: asks the browser for a new one or for a signature, and sends the answer with the form.
 *
 * A form says what it wants by data-passkey: "create" or "get", with the options of the server in the JSON script that
 * data-options names; or "sign-in", which fetches them from its own address first. Its credential field takes the answer.
 * Binary values travel in unpadded base64url, as WebAuthn level 3 writes them in JSON.
 */

/** @param {string} text base64url @returns {ArrayBuffer} */
export function fromBase64(text) {
  const padded = text.replace(/-/g, "+").replace(/_/g, "/") + "===".slice((text.length + 3) % 4);
  return Uint8Array.from(atob(padded), (character) => character.charCodeAt(0)).buffer;
}

/** @param {ArrayBuffer} buffer @returns {string} base64url */
export function toBase64(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

const withIds = (list) => (list ?? []).map((each) => ({ ...each, id: fromBase64(each.id) }));

/** Makes a new passkey: one that is found without typing anything, and checks who holds it. */
async function create(options) {
  const credential = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: fromBase64(options.challenge),
      user: { ...options.user, id: fromBase64(options.user.id) },
      excludeCredentials: withIds(options.excludeCredentials),
      authenticatorSelection: {
        ...options.authenticatorSelection,
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
    },
  });
  return {
    ...described(credential),
    response: {
      clientDataJSON: toBase64(credential.response.clientDataJSON),
      attestationObject: toBase64(credential.response.attestationObject),
      transports: credential.response.getTransports?.() ?? [],
    },
  };
}

/** Signs with a passkey the device has. */
async function get(options) {
  const credential = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: fromBase64(options.challenge),
      allowCredentials: withIds(options.allowCredentials),
    },
  });
  const handle = credential.response.userHandle;
  return {
    ...described(credential),
    response: {
      clientDataJSON: toBase64(credential.response.clientDataJSON),
      authenticatorData: toBase64(credential.response.authenticatorData),
      signature: toBase64(credential.response.signature),
      userHandle: handle ? toBase64(handle) : null,
    },
  };
}

function described(credential) {
  return {
    id: credential.id,
    rawId: toBase64(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? null,
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

async function optionsFor(form) {
  if (form.dataset.passkey === "sign-in") {
    const answer = await fetch(form.action, {
      headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" },
    });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    return (await answer.json()).request_options.publicKey;
  }
  const data = JSON.parse(document.getElementById(form.dataset.options).textContent);
  return (data.creation_options ?? data.request_options).publicKey;
}

/** What went wrong, in words: browsers only give names. */
function reason(error) {
  switch (error?.name) {
    case "NotAllowedError":
      return gettext("Nothing was done: you cancelled, or it took too long. Please try again.");
    case "InvalidStateError":
      return gettext("This device has a passkey for your account already.");
    case "SecurityError":
      return gettext("Passkeys work only under the site’s own name, over a safe connection.");
    case "NotSupportedError":
    case "ConstraintError":
      return gettext("This device cannot hold a passkey. Please try another one.");
    default:
      return gettext("That did not work. Please try again, or sign in another way.");
  }
}

function say(form, text) {
  const place = form.querySelector("[data-passkey-error]");
  place.textContent = text;
  place.hidden = text === "";
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button[type=submit]");
  if (!window.PublicKeyCredential) {
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
