import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { Terminal } from '../../lab/commands.ts';

export type MovedKind = 'samples' | 'publications' | 'tokens';
type Outcome = 'moved' | 'skipped' | 'refused';

const kinds: readonly MovedKind[] = ['samples', 'publications', 'tokens'];
const everyMs = 2_000;
const mebibyte = 1024 * 1024;

/** The share of all samples up to this SHA-256, in percent: hashes are spread evenly. */
const percentOf = (sha256: string): number => Math.floor((Number.parseInt(sha256.slice(0, 4), 16) / 0x1_00_00) * 100);

/** A line every two seconds at most. */
export class Progress {
  readonly #remark: Terminal['remark'];
  #percent = 0;
  #shownAt = performance.now();

  constructor(remark: Terminal['remark']) {
    this.#remark = remark;
  }

  /** All samples up to this SHA-256 are done. */
  reached(sha256: string): void {
    this.#percent = percentOf(sha256);
  }

  show(words: () => string): void {
    if (performance.now() - this.#shownAt < everyMs) return;
    this.#shownAt = performance.now();
    this.#remark(`${this.#percent} %: ${words()}`);
  }
}

/** What a move has done so far, for the person at the terminal: a line for each refusal, and progress now and then. */
export class MoveReport {
  readonly counts: Readonly<Record<MovedKind, Record<Outcome, number>>> = {
    samples: { moved: 0, skipped: 0, refused: 0 },
    publications: { moved: 0, skipped: 0, refused: 0 },
    tokens: { moved: 0, skipped: 0, refused: 0 },
  };
  readonly #terminal: Pick<Terminal, 'result' | 'remark'>;
  readonly #progress: Progress;
  #bytes = 0;
  #containers = 0;
  #reworded = 0;

  constructor(terminal: Pick<Terminal, 'result' | 'remark'>) {
    this.#terminal = terminal;
    this.#progress = new Progress(terminal.remark);
  }

  count(kind: MovedKind, outcome: Outcome): void {
    this.counts[kind][outcome] += 1;
  }

  refuse(kind: MovedKind, what: string, reason: string): void {
    this.count(kind, 'refused');
    this.#terminal.result(['refused', kind, what, reason].map(visibleLine).join('\t'));
  }

  /** A container of so many bytes. */
  copied(sizeBytes: number): void {
    this.#containers += 1;
    this.#bytes += sizeBytes;
    this.#reportProgress();
  }

  /** A record with text that the target cannot hold as it is. */
  reworded(): void {
    this.#reworded += 1;
  }

  /** All samples up to this SHA-256 are settled. */
  reached(sha256: string): void {
    this.#progress.reached(sha256);
    this.#reportProgress();
  }

  get refused(): number {
    return kinds.reduce((sum, kind) => sum + this.counts[kind].refused, 0);
  }

  /** As of `samples 5 moved`. */
  get summary(): string[] {
    return kinds.map((kind) => {
      const { moved, skipped, refused } = this.counts[kind];
      return `${kind}: ${moved} moved, ${skipped} skipped, ${refused} refused`;
    });
  }

  /** At the end. */
  finish(): void {
    for (const line of this.summary) this.#terminal.result(line);
    this.#terminal.remark(`Copied: ${this.#containers} containers, ${this.#size}.`);
    if (this.#reworded > 0)
      this.#terminal.remark(
        `Text is held in another form there: ${this.#reworded} samples. NUL is U+2400, half a surrogate pair U+FFFD, ` +
          'and a tag of more than 500 characters is cut.',
      );
  }

  get #size(): string {
    return `${(this.#bytes / mebibyte).toFixed(1)} MiB`;
  }

  #reportProgress(): void {
    const { moved, skipped, refused } = this.counts.samples;
    this.#progress.show(() => `samples ${moved} moved, ${skipped} skipped, ${refused} refused; ${this.#size}`);
  }
}
