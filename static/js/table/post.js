/**
 * Sending an action until there is an answer. The same request id is sent again, so that an action whose answer was lost
 * is not done twice.
 */

const FIRST_WAIT = 800; // milliseconds
const LONGEST_WAIT = 10_000;

export class Post {
  /** Whether an action is under way. */
  busy = false;
  #tell;

  /** @param {(trouble: string) => void} tell is told what is wrong while there is no answer, "" when all is well. */
  constructor(tell) {
    this.#tell = tell;
  }

  /**
   * Send a form's data; resolves with the answer, whatever its status below 500. Tries again until then.
   * @param {string} url
   * @param {FormData} data
   * @param {Record<string, string>} headers
   * @returns {Promise<{status: number, text: string, onward: string | null}>} `onward`: the page to go to after this one
   */
  async send(url, data, headers = {}) {
    this.busy = true;
    try {
      for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
        try {
          const answer = await fetch(url, { method: "POST", body: data, headers: { "HX-Request": "true", ...headers } });
          if (answer.status < 500) {
            return { status: answer.status, text: await answer.text(), onward: answer.headers.get("X-Onward") };
          }
        } catch {
          // No answer: the server may or may not have heard us. The request id makes asking again safe.
        }
        this.#tell(gettext("No answer from the table. Sending again …"));
        await new Promise((resolve) => setTimeout(resolve, wait * (0.75 + Math.random() / 2)));
      }
    } finally {
      this.busy = false;
      this.#tell("");
    }
  }
}
