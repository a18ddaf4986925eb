/**
 * Trying the addresses of the API: each form of the reference sends its request with the token that was typed above.
 * The token is kept nowhere.
 */

const LONGEST = 20_000; // characters of an answer that are shown

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-token], .api-try")) return;
  event.preventDefault();
  if (event.target.matches(".api-try")) send(event.target);
});

async function send(form) {
  const out = form.querySelector("pre");
  const button = form.querySelector("button");
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll("[data-in]")) {
    const value = field.value.trim();
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value) query.set(field.name, value);
  }
  const raw = document.getElementById("token").value.trim();
  const headers = { Accept: "application/json", "Accept-Language": document.documentElement.lang };
  if (raw) headers.Authorization = `Bearer ${raw}`;
  const body = form.elements.body?.value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  button.disabled = true;
  try {
    const options = { method: form.dataset.method, headers, body, credentials: "omit", cache: "no-store" };
    const answer = await fetch(query.size ? `${path}?${query}` : path, options);
    show(out, `${answer.status} ${answer.statusText}`, await answer.text());
  } catch (error) {
    show(out, "", String(error));
  } finally {
    button.disabled = false;
  }
}

function show(out, head, text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    // A stream, or nothing: as it came.
  }
  if (shown.length > LONGEST) shown = `${shown.slice(0, LONGEST)}\n…`;
  out.firstElementChild.textContent = `${head}\n${shown}`.trim();
  out.hidden = false;
}
