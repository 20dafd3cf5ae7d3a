import { type Failure, failureKindOf } from '../../../shared/failure.ts';
import type { CaseDetail, CaseJournal } from './case-journal.ts';
import { type CaseOrder, CaseRun, type CaseRunOptions } from './case-run.ts';
import { HeldKeys } from './held-keys.ts';

export interface BrowserCasePorts {
  keys(): AsyncIterable<readonly string[]>;
  journal: CaseJournal;
  detail: CaseDetail;
  /** It is whole, but for the bytes of so many samples. */
  leftWithout(count: number, first: Failure): void;
}

/**
 * A case that is made while the browser takes it. Its rows are there before what they speak of leaves; where it was cut
 * off, second rows say so.
 */
export class BrowserCase {
  readonly #run: CaseRun;
  readonly #ports: BrowserCasePorts;
  readonly #whole = new HeldKeys();
  readonly #factsOnly = new HeldKeys();
  readonly #withoutBytes: [hash: string, failure: Failure][] = [];

  constructor(options: CaseRunOptions, order: CaseOrder, ports: BrowserCasePorts) {
    this.#ports = ports;
    this.#run = new CaseRun(options, order, {
      keys: ports.keys,
      leaving: (hashes, withBytes) => this.#leaving(hashes, withBytes),
      leftOut: (hash, failure) => void this.#withoutBytes.push([hash, failure]),
    });
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    const { journal } = this.#ports;
    let outcome = 'aborted';
    try {
      yield* this.#run.bytes();
      outcome = 'done';
    } catch (error) {
      outcome = failureKindOf(error);
      throw error;
    } finally {
      if (outcome !== 'done') await this.#noteAll(outcome);
      for (const [hash, { kind }] of this.#withoutBytes) await journal.note([hash], kind, this.#detail(false));
      const [first] = this.#withoutBytes;
      if (outcome === 'done' && first !== undefined) this.#ports.leftWithout(this.#withoutBytes.length, first[1]);
    }
  }

  async #leaving(hashes: readonly string[], withBytes: boolean): Promise<void> {
    (withBytes ? this.#whole : this.#factsOnly).add(hashes);
    await this.#ports.journal.note(hashes, 'done', this.#detail(withBytes));
  }

  async #noteAll(outcome: string): Promise<void> {
    for (const hashes of this.#whole.pages()) await this.#ports.journal.note(hashes, outcome, this.#detail(true));
    for (const hashes of this.#factsOnly.pages()) await this.#ports.journal.note(hashes, outcome, this.#detail(false));
  }

  #detail(withBytes: boolean): CaseDetail {
    const { detail } = this.#ports;
    return withBytes ? detail : { ...detail, encryption: null };
  }
}
