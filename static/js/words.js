/** The word list: narrow it down while one types. Without this script it is whole. */

/** Without marks and capitals, as the server compares. @param {string} text */
function folded(text) {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const list = document.querySelector("[data-list]");
const field = document.querySelector("#list-q");

if (list instanceof HTMLTableElement && field instanceof HTMLInputElement && !field.value) {
  const parts = [...list.tBodies].map((body) => ({
    body,
    rows: [...body.rows].slice(1).map((row) => ({ row, text: folded(row.textContent) })),
  }));
  field.addEventListener("input", () => {
    const wanted = folded(field.value);
    for (const { body, rows } of parts) {
      let shown = 0;
      for (const { row, text } of rows) {
        row.hidden = !text.includes(wanted);
        shown += row.hidden ? 0 : 1;
      }
      body.hidden = shown === 0;
    }
  });
}
