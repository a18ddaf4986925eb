/** A shelf of this browser (IndexedDB), on which things lie by their `id`, also when the page is closed. */

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

/** Open the shelf of a database; rejects where the browser keeps nothing for us. */
export async function openShelf(database, name) {
  const asked = indexedDB.open(database, 1);
  asked.addEventListener("upgradeneeded", () => asked.result.createObjectStore(name, { keyPath: "id" }));
  const opened = await settled(asked);
  const on = (mode, act) => settled(act(opened.transaction(name, mode).objectStore(name)));
  return {
    all: async () => on("readonly", (shelf) => shelf.getAll()),
    put: async (thing) => on("readwrite", (shelf) => shelf.put(thing)),
    remove: async (id) => on("readwrite", (shelf) => shelf.delete(id)),
  };
}
