import type { FolderFile } from '../../storage/uploads/watch-store.ts';

/** Not touched for so long, a file is whole. */
const restMs = 2_000;
/** One that was seen growing may grow again after a pause: whoever writes it waits for a network. */
const grownRestMs = 10_000;
/** What cannot be taken now is tried again after so long, and after twice as long each time. */
const laterMs = 60_000;
const latestMs = 240_000;

/** What browsers and other tools call a file until they have all of it; they rename it then. */
const unfinishedName = /\.(?:part|partial|crdownload|download|opdownload|filepart|!ut)$/i;
export const isUnfinished = (path: string): boolean => unfinishedName.test(path);

interface Waiting {
  file: FolderFile;
  since: number;
  restMs: number;
}

/**
 * Files that are waited for until they rest: neither size nor time of change moves. Times are milliseconds of one
 * clock.
 */
export class Settling {
  readonly #waiting = new Map<string, Waiting>();

  /** A file as it is now. One that is as it was goes on resting. */
  seen(file: FolderFile, now: number): void {
    const before = this.#waiting.get(file.path);
    if (before && isSame(before.file, file)) return;
    this.#waiting.set(file.path, { file, since: now, restMs: before ? grownRestMs : restMs });
  }

  /** It was read, and moved meanwhile. */
  moved(file: FolderFile, now: number): void {
    this.#waiting.set(file.path, { file, since: now, restMs: grownRestMs });
  }

  /** It rests, and is not taken now. */
  putOff(file: FolderFile, now: number): void {
    const before = this.#waiting.get(file.path)?.restMs ?? 0;
    this.#waiting.set(file.path, { file, since: now, restMs: Math.min(Math.max(laterMs, 2 * before), latestMs) });
  }

  /** Something of it is another: one that was put off is tried again. */
  told(path: string, now: number): void {
    const one = this.#waiting.get(path);
    if (one && isPutOff(one)) this.#waiting.set(path, { ...one, since: now, restMs });
  }

  forget(path: string): void {
    this.#waiting.delete(path);
  }

  /** Whether any may be taken within seconds. */
  get isResting(): boolean {
    return [...this.#waiting.values()].some((one) => !isPutOff(one) && !isUnfinished(one.file.path));
  }

  /** Have rested long enough, if they are still as they were. They are asked about again after as long a rest. */
  due(now: number): FolderFile[] {
    const due = [...this.#waiting.values()].filter((one) => dueAt(one) <= now);
    for (const one of due) one.since = now;
    return due.map(({ file }) => file);
  }

  /** null: none waits. */
  nextDue(): number | null {
    const times = [...this.#waiting.values()].map(dueAt);
    return times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other));
  }
}

const isPutOff = (one: Waiting): boolean => one.restMs >= laterMs;
const dueAt = (one: Waiting): number => one.since + one.restMs;

export const isSame = (one: FolderFile, other: FolderFile): boolean =>
  one.sizeBytes === other.sizeBytes && one.changedMs === other.changedMs;
