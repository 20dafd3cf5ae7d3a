/** Pages of a log that may stay as it is: a longer one is to begin anew. */
export const pagesWorthARound = 4096;
/** Of rounds that come too late each time. The next turn goes on. */
const longestMs = 1000;

export interface CheckpointRounds {
  /** Copies what is in the log. @returns how many pages were in it */
  copy(): number;
  /** Lets what reads and writes go on. */
  pause(): void;
  isWanted(): boolean;
  /** Milliseconds. */
  now?(): number;
}

/**
 * A log is written from its beginning again only where all of it was copied when the next transaction begins. What was committed during one
 * round is copied in the next, which is shorter: until one ends between two commits.
 */
export function copyUntilAnew({ copy, pause, isWanted, now = () => performance.now() }: CheckpointRounds): void {
  const end = now() + longestMs;
  let before = 0;
  for (let pages = copy(); pages >= Math.max(before, pagesWorthARound) && isWanted() && now() < end; pages = copy()) {
    before = pages;
    pause();
  }
}
