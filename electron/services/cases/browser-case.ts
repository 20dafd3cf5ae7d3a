import { type CaseDetail, type CaseJournal, outcomeOf } from './case-journal.ts';
import { type CaseOrder, CaseRun, type CaseRunOptions } from './case-run.ts';

export interface BrowserCasePorts {
  keys(): AsyncIterable<readonly string[]>;
  journal: CaseJournal;
  detail: CaseDetail;
}

/** A case that is made while the browser takes it. Its rows are there before what they speak of leaves; where it was cut off, second rows say so. */
export class BrowserCase {
  readonly #run: CaseRun;
  readonly #ports: BrowserCasePorts;
  readonly #sent: string[] = [];
  readonly #withoutBytes: [hash: string, reason: string][] = [];

  constructor(options: CaseRunOptions, order: CaseOrder, ports: BrowserCasePorts) {
    this.#ports = ports;
    this.#run = new CaseRun(options, order, {
      keys: ports.keys,
      beforePage: (hashes) => this.#note(hashes),
      leftOut: (hash, failure) => void this.#withoutBytes.push([hash, failure.kind]),
    });
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    let outcome = 'aborted';
    try {
      yield* this.#run.bytes();
      outcome = 'done';
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      if (outcome !== 'done') await this.#ports.journal.note(this.#sent, outcome, this.#ports.detail);
      for (const [hash, reason] of this.#withoutBytes) await this.#ports.journal.note([hash], reason, this.#ports.detail);
      this.#ports.journal.changed();
    }
  }

  async #note(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) this.#sent.push(hash);
    await this.#ports.journal.note(hashes, 'done', this.#ports.detail);
  }
}
