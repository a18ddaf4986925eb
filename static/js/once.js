/**
 * Work that is asked for again and again, done one at a time: whoever asks while it runs gets it once more after it.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>} asks for it; resolves at once where it runs already, else when it has been done
 */
export function oneAtATime(work) {
  let running = false;
  let again = false;
  return async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = false;
    }
  };
}
