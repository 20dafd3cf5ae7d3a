import type { VariableTexts } from '../engine/scan-engine.ts';
import type { FileFacts } from './file-variables.ts';
import type { ScanVerdict } from './scan-verdict.ts';

export interface ScanOrder<S> {
  /** As a failure names it. */
  name: string;
  /** What rules may ask for; not there: the name alone is known. */
  facts?: readonly FileFacts[];
  sizeBytes: number;
  /** The input of the scan worker's reader: a JSON value, or in a thread what can be cloned. */
  source: S;
}

/** An order on its way through a session. */
export interface ScanTask<S> {
  order: ScanOrder<S>;
  /** Those that the rules ask for, for each name of the file. */
  variables: readonly VariableTexts[];
  /** Names that it is not scanned with, because there are too many. */
  namesLeftOut: number;
  /** The batch it was in ended a scan worker badly: it is given to one by itself. */
  isAlone: boolean;
  /** An engine died of it, or of something else at that time. */
  hasDied: boolean;
  /** A rule that is to blame was looked for, in vain. */
  wasSought: boolean;
  resolve(verdict: ScanVerdict): void;
  reject(error: Error): void;
}

/** Files up to this size go to a scan worker many at a time. */
const smallBytes = 64 * 1024;
export const mostTogether = 64;
/**
 * The next file of up to this size is with a scan worker before it needs it; a larger one takes so long that it may as
 * well go to another scan worker.
 */
const aheadBytes = 16 * 1024 * 1024;
/** What scan workers are given at a time should keep them busy so long: others may be done before. */
const togetherMs = 100;
const firstGuessMs = 10;

/** Orders that no scan worker has yet, first come first served. */
export class TaskQueue<S> {
  readonly #tasks: ScanTask<S>[] = [];
  #from = 0;
  /** Of a small file, as far as is known. */
  #usualMs = firstGuessMs;

  get length(): number {
    return this.#tasks.length - this.#from;
  }

  add(task: ScanTask<S>): void {
    this.#tasks.push(task);
  }

  /** Before all others. */
  putBack(tasks: readonly ScanTask<S>[]): void {
    this.#tasks.splice(0, this.#from, ...tasks);
    this.#from = 0;
  }

  /**
   * The next for a scan worker, at most `most` of them; none when there is none, or when the scan worker is busy
   * (`isAhead`) and the next had better wait. The `workers` share what there is.
   */
  take({ most, workers, isAhead }: { most: number; workers: number; isAhead: boolean }): ScanTask<S>[] {
    const first = this.#tasks[this.#from];
    if (first === undefined || (isAhead && (first.isAlone || first.order.sizeBytes > aheadBytes))) return [];
    const share = Math.ceil(this.length / (2 * workers));
    const wanted = isTogether(first) ? Math.min(most, mostTogether, share, Math.ceil(togetherMs / this.#usualMs)) : 1;
    const taken = [first];
    for (
      let next = this.#tasks[this.#from + 1];
      taken.length < wanted && next !== undefined && isTogether(next);
      next = this.#tasks[this.#from + taken.length]
    )
      taken.push(next);
    this.#drop(taken.length);
    return taken;
  }

  /** How long a file took. */
  learn({ order }: ScanTask<S>, elapsedMs: number): void {
    if (order.sizeBytes <= smallBytes) this.#usualMs = this.#usualMs * 0.9 + elapsedMs * 0.1;
  }

  #drop(count: number): void {
    this.#from += count;
    if (this.#from < 1024 && this.#from < this.#tasks.length) return;
    this.#tasks.splice(0, this.#from);
    this.#from = 0;
  }
}

const isTogether = <S>({ isAlone, order }: ScanTask<S>): boolean => !isAlone && order.sizeBytes <= smallBytes;
