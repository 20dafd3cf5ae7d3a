import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { Terminal } from '../../lab/commands.ts';

export type MovedKind = 'samples' | 'publications' | 'tokens';
type Outcome = 'moved' | 'skipped' | 'refused';

const kinds: readonly MovedKind[] = ['samples', 'publications', 'tokens'];
const everyMs = 2_000;
const mebibyte = 1024 * 1024;

/** What a move has done so far, for the person at the terminal: a line for each refusal, and progress now and then. */
export class MoveReport {
  readonly counts: Readonly<Record<MovedKind, Record<Outcome, number>>> = {
    samples: { moved: 0, skipped: 0, refused: 0 },
    publications: { moved: 0, skipped: 0, refused: 0 },
    tokens: { moved: 0, skipped: 0, refused: 0 },
  };
  readonly #terminal: Pick<Terminal, 'result' | 'remark'>;
  #bytes = 0;
  #containers = 0;
  #reformed = 0;
  #share = 0;
  #saidAt = performance.now();

  constructor(terminal: Pick<Terminal, 'result' | 'remark'>) {
    this.#terminal = terminal;
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
    this.#tell();
  }

  /** A record that the target holds in another form. */
  reformed(): void {
    this.#reformed += 1;
  }

  /** All samples up to this SHA-256, which are spread evenly: it tells the share that is done. */
  reached(sha256: string): void {
    this.#share = Number.parseInt(sha256.slice(0, 4), 16) / 0x1_00_00;
    this.#tell();
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
  tellAll(): void {
    for (const line of this.summary) this.#terminal.result(line);
    this.#terminal.remark(`Copied: ${this.#containers} containers, ${this.#size}.`);
    if (this.#reformed > 0)
      this.#terminal.remark(
        `Held in another form there: ${this.#reformed} samples. NUL is U+2400, half of a surrogate pair ` +
          'is U+FFFD, and times are in UTC, to the millisecond.',
      );
  }

  get #size(): string {
    return `${(this.#bytes / mebibyte).toFixed(1)} MiB`;
  }

  #tell(): void {
    if (performance.now() - this.#saidAt < everyMs) return;
    this.#saidAt = performance.now();
    const { moved, skipped, refused } = this.counts.samples;
    this.#terminal.remark(
      `${Math.floor(this.#share * 100)} %: samples ${moved} moved, ${skipped} skipped, ${refused} refused; ${this.#size}`,
    );
  }
}
