/**
 * The page of a table opens again without a network: its copy and its files are put where the service worker looks for them
 * when the site does not answer (sw.js). Only on a secure address; elsewhere browsers keep nothing of the kind.
 */

const CACHE = "hall-pages"; // sw.js reads it
const KEPT = "X-Kept"; // when a page was put away
const OLD = 36 * 3600 * 1000; // an evening, and the morning after

export const canKeep = "serviceWorker" in navigator && "caches" in window && window.isSecureContext;

/** @returns {Set<string>} the paths of the files of ours that this page has loaded: styles, scripts and what they load. */
export function loadedFiles() {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const ours = loaded.filter(({ origin }) => origin === window.location.origin).map(({ pathname }) => pathname);
  return new Set(ours.filter((path) => /^\/static\/|\/jsi18n\/$/.test(path)));
}

/** Fetch this page once more and keep it with everything it has loaded; pages of earlier evenings go. */
export async function keepPage() {
  if (!canKeep) return;
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/" });
    const cache = await caches.open(CACHE);
    const answer = await fetch(window.location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const headers = new Headers(answer.headers);
    headers.set(KEPT, String(Date.now()));
    await cache.put(window.location.pathname, new Response(await answer.blob(), { headers }));
    await tidy(cache);
    for (const path of loadedFiles()) {
      if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path).catch(() => {});
    }
  } catch {
    // Private windows and full devices keep nothing.
  }
}

async function tidy(cache) {
  for (const request of await cache.keys()) {
    const answer = await cache.match(request, { ignoreVary: true });
    const at = Number(answer?.headers.get(KEPT));
    if (new URL(request.url).pathname.startsWith("/e/") && Date.now() - at > OLD) await cache.delete(request);
  }
}
