import type { CaseOptions } from '../../../shared/domain/case.ts';
import { isCaseTable } from '../../../shared/domain/case.ts';
import type { TlpLevel } from '../../../shared/domain/tlp.ts';
import { type Failure, fail } from '../../../shared/failure.ts';
import type { Vault } from '../../vault/vault.ts';
import { bytesOf, caseText } from './case-file.ts';
import { CaseReader, type CaseReaderOptions } from './case-reader.ts';
import type { CaseSample } from './case-sample.ts';
import type { CaseSummary } from './case-summary.ts';
import { requireStrict } from './case-tlp.ts';
import type { SampleAttribute } from './misp-event.ts';
import { mispSamples } from './misp-samples.ts';

/** A case whose samples were counted and whose marking is settled. */
export interface CaseOrder {
  options: CaseOptions;
  tlp: TlpLevel | null;
  summary: CaseSummary;
  made: Date;
}

export interface CaseRunOptions extends CaseReaderOptions {
  vault: Pick<Vault, 'read' | 'hashesOf'>;
}

/** Where the samples of a run come from, and who hears of it. */
export interface CaseRunPorts {
  /** What they are known by, from the first one on each time. */
  keys(): AsyncIterable<readonly string[]>;
  /** Before anything is told of them: once for each sample. */
  beforePage(hashes: readonly string[]): Promise<void>;
  /** Its bytes do not go along, though they were asked for. */
  leftOut(hash: string, failure: Failure): void;
}

/** One way out of a case: its text, made while it is taken. */
export class CaseRun {
  readonly #order: CaseOrder;
  readonly #ports: CaseRunPorts;
  readonly #reader: CaseReader;
  readonly #sampleAttribute: SampleAttribute;
  readonly #failed = new Set<string>();
  readonly #unknown = new Set<string>();
  #told = 0;
  #passes = 0;

  constructor(options: CaseRunOptions, order: CaseOrder, ports: CaseRunPorts) {
    const { format, include, samples } = order.options;
    this.#order = order;
    this.#ports = ports;
    this.#reader = new CaseReader(options, { include, mime: format === 'misp' || format === 'stix', strips: format === 'html' });
    this.#sampleAttribute = samples === null ? async () => null : mispSamples({
      vault: options.vault, password: samples.password,
      leftOut: (sample, failure) => this.#leftOut(sample, failure),
    });
  }

  /** @throws FailureError `tlp-too-open`, where a sample was marked more strictly meanwhile; `nothing-selected`, where none is known any more; and what the library and the vault throw */
  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    const { options: { format, title, author, include }, tlp, summary, made } = this.#order;
    const story = { head: { title, author, tlp, include, made, summary }, pages: () => this.#pages() };
    yield* bytesOf(caseText(format, story, this.#sampleAttribute));
    if (this.#told === 0) fail({ kind: 'nothing-selected' });
  }

  /** How many it tells of, how many of them went without the bytes that were asked for, and how many the library does not know any more. */
  get outcome(): { told: number; failed: number; unknown: number } {
    return { told: this.#told, failed: this.#failed.size, unknown: this.#unknown.size };
  }

  /** Of some of its samples: those whose bytes went along as asked, and those of which only what is known did. */
  left(hashes: readonly string[]): { whole: string[]; withoutBytes: string[] } {
    const known = hashes.filter((hash) => !this.#unknown.has(hash));
    return { whole: known.filter((hash) => !this.#failed.has(hash)), withoutBytes: known.filter((hash) => this.#failed.has(hash)) };
  }

  async *#pages(): AsyncGenerator<readonly CaseSample[], void, void> {
    this.#passes += 1;
    const isFirst = this.#passes === 1;
    for await (const keys of this.#ports.keys()) {
      for (const some of cut(keys, isCaseTable(this.#order.options.format) ? rowsAPage : samplesAPage)) yield await this.#page(some, isFirst);
    }
  }

  async #page(keys: readonly string[], isFirst: boolean): Promise<readonly CaseSample[]> {
    const samples = await this.#reader.page(keys);
    for (const { tlp } of samples) requireStrict(this.#order.tlp, tlp);
    if (!isFirst) return samples;
    const known = new Set(samples.map(({ hash }) => hash));
    for (const key of keys) if (!known.has(key)) this.#unknown.add(key);
    this.#told += samples.length;
    await this.#ports.beforePage([...known]);
    return samples;
  }

  #leftOut({ hash }: CaseSample, failure: Failure): void {
    this.#failed.add(hash);
    this.#ports.leftOut(hash, failure);
  }
}

const rowsAPage = 500;
/** With their notes, their comments and how they look. */
const samplesAPage = 50;

function* cut(keys: readonly string[], most: number): Generator<readonly string[], void, void> {
  for (let at = 0; at < keys.length; at += most) yield keys.slice(at, at + most);
}
