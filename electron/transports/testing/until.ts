/** Resolves when the condition holds. What it waits for happens on this process's own event loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
