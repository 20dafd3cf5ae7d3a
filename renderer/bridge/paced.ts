/**
 * Runs at once, then at most every so many milliseconds and never twice at the same time; the last of several calls is
 * always followed by a run.
 */
export function paced(everyMs: number, run: () => void | Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isBusy = false;
  let isWanted = false;
  let last = -Infinity;
  const pump = (): void => {
    if (isBusy || timer !== null || !isWanted) return;
    const wait = last + everyMs - performance.now();
    if (wait > 0) {
      timer = setTimeout(() => {
        timer = null;
        pump();
      }, wait);
      return;
    }
    isWanted = false;
    last = performance.now();
    const running = run();
    if (!(running instanceof Promise)) return;
    isBusy = true;
    void running.finally(() => {
      isBusy = false;
      pump();
    });
  };
  return () => {
    isWanted = true;
    pump();
  };
}
