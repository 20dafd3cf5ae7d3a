/** What this needs of Electron's `powerSaveBlocker`. */
export interface PowerPort {
  start(type: 'prevent-app-suspension'): number;
  stop(id: number): boolean;
}

/**
 * Keeps the machine from sleeping while a job runs; the display may go dark. The returned function may be called
 * more than once: Electron throws at an id it no longer knows.
 */
export function keepAwake(power: PowerPort): () => void {
  let id: number | null = power.start('prevent-app-suspension');
  return () => {
    if (id !== null) power.stop(id);
    id = null;
  };
}
