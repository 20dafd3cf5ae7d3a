import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CaseOptions, isCaseTable } from '../../../shared/domain/case.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { fail, type Failure } from '../../../shared/failure.ts';
import type { Vault } from '../../vault/vault.ts';
import { bytesOf, caseText } from './case-file.ts';
import { CaseReader, type CaseReaderOptions } from './case-reader.ts';
import type { CaseSample } from './case-sample.ts';
import { factsOf } from './case-selection.ts';
import { type CaseSummary, CaseSums } from './case-summary.ts';
import { type CaseMarking, requireStrict, requireStrictFor } from './case-tlp.ts';
import { HeldKeys } from './held-keys.ts';
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
  /** Which desk this is; the same as long as its data is. */
  desk: string;
  vault: Pick<Vault, 'read' | 'hashesOf'>;
}

/** Where the samples of a run come from, and who hears of it. */
export interface CaseRunPorts {
  /** What they are known by, from the first one on each time. */
  keys(): AsyncIterable<readonly string[]>;
  /** Before anything is told of them: once for each sample. `withBytes`: whether its bytes go along. */
  leaving(hashes: readonly string[], withBytes: boolean): Promise<void>;
  /** Its bytes do not go along, though they were asked for. */
  leftOut(hash: string, failure: Failure): void;
}

/** One way out of a case: its text, made while it is taken. */
export class CaseRun {
  readonly #options: CaseRunOptions;
  readonly #order: CaseOrder;
  readonly #ports: CaseRunPorts;
  readonly #reader: CaseReader;
  readonly #sampleAttribute: SampleAttribute;
  /** What it tells of, by what each was known by when it was told of first. */
  readonly #told = new HeldKeys();
  /** The same of a format that is read whole: two rows may have become one meanwhile. */
  readonly #names = new Set<string>();
  readonly #failed = new Set<string>();
  #unknown = 0;
  #passes = 0;

  constructor(options: CaseRunOptions, order: CaseOrder, ports: CaseRunPorts) {
    const { format, include, samples } = order.options;
    this.#options = options;
    this.#order = order;
    this.#ports = ports;
    this.#reader = new CaseReader(options, {
      include,
      mime: format === 'misp' || format === 'stix',
      strips: format === 'html',
    });
    this.#sampleAttribute =
      samples === null
        ? async function* none() {}
        : mispSamples({
            vault: options.vault,
            password: samples.password,
            leaves: ({ hash }) => ports.leaving([hash], true),
            leftOut: (sample, failure) => this.#leftOut(sample, failure),
          });
  }

  /**
   * The last piece is there only when no sample is marked more strictly by then.
   * @throws FailureError `tlp-too-open`, `tlp-unknown`, where one was; `case-empty`, where none is known any more; and
   * what the library and the vault throw
   */
  async *bytes(): AsyncGenerator<Uint8Array, void, void> {
    const { desk } = this.#options;
    const {
      options: { format, title, author, include },
      tlp,
      made,
    } = this.#order;
    const story = {
      head: { desk, title, author, tlp, include, made, summary: await this.#summary() },
      pages: () => this.#pages(),
    };
    let last: Uint8Array | null = null;
    for await (const piece of bytesOf(caseText(format, story, this.#sampleAttribute))) {
      if (last !== null) yield last;
      last = piece;
    }
    if (this.#told.length === 0) fail({ kind: 'case-empty' });
    await this.requireStrict();
    if (last !== null) yield last;
  }

  /**
   * Fails with `tlp-too-open` where a sample it tells of was marked more strictly since; with `tlp-unknown` where its
   * TLP is not known any more.
   */
  async requireStrict(): Promise<void> {
    if (this.#order.tlp === tlpLevels.at(-1)) return;
    for (const keys of this.#told.pages()) {
      for (const facts of await factsOf(keys, this.#options.reader)) requireStrictFor(this.#marking, facts);
      await nextTurn();
    }
  }

  /**
   * How many it tells of, how many of them went without the bytes that were asked for, and how many the library does
   * not know any more.
   */
  get outcome(): { told: number; failed: number; unknown: number } {
    return { told: this.#told.length, failed: this.#failed.size, unknown: this.#unknown };
  }

  /** What it tells of: samples whose bytes went along as asked, and those of which only what is known did. */
  *left(): Generator<{ whole: string[]; withoutBytes: string[] }, void, void> {
    for (const hashes of this.#told.pages()) {
      yield {
        whole: hashes.filter((hash) => !this.#failed.has(hash)),
        withoutBytes: hashes.filter((hash) => this.#failed.has(hash)),
      };
    }
  }

  /**
   * A report with pictures of the bytes counts what these were found to be: else the next report would count otherwise.
   */
  async #summary(): Promise<CaseSummary> {
    if (this.#order.options.format !== 'html') return this.#order.summary;
    const sums = new CaseSums({ groups: true });
    for await (const keys of this.#ports.keys()) {
      for (const some of cut(keys, samplesAPage)) for (const facts of await this.#reader.looked(some)) sums.add(facts);
    }
    requireStrict(this.#marking, sums.summary);
    return sums.summary;
  }

  async *#pages(): AsyncGenerator<readonly CaseSample[], void, void> {
    this.#passes += 1;
    const isFirst = this.#passes === 1;
    for await (const keys of isFirst ? this.#ports.keys() : this.#told.pages()) {
      for (const some of cut(keys, this.#rowsAPage))
        yield isFirst ? await this.#firstPage(some) : await this.#page(some);
    }
  }

  get #marking(): CaseMarking {
    const {
      options: { vouched },
      tlp,
    } = this.#order;
    return { tlp, vouched };
  }

  /** All of a page is in memory at once, and put into words in one go. */
  get #rowsAPage(): number {
    const { format, include } = this.#order.options;
    return isCaseTable(format) && !include.comments ? rowsAPage : samplesAPage;
  }

  async #page(keys: readonly string[]): Promise<readonly CaseSample[]> {
    const samples = await this.#reader.page(keys);
    for (const sample of samples) requireStrictFor(this.#marking, sample);
    return samples;
  }

  async #firstPage(keys: readonly string[]): Promise<readonly CaseSample[]> {
    const { format, samples: bytes } = this.#order.options;
    const samples = (await this.#page(keys)).filter(
      ({ hash }) => isCaseTable(format) || this.#names.size < this.#names.add(hash).size,
    );
    const hashes = samples.map(({ hash }) => hash);
    this.#unknown += keys.length - samples.length;
    this.#told.add(hashes);
    if (bytes === null) await this.#ports.leaving(hashes, false);
    return samples;
  }

  async #leftOut({ hash }: CaseSample, failure: Failure): Promise<void> {
    this.#failed.add(hash);
    this.#ports.leftOut(hash, failure);
    await this.#ports.leaving([hash], false);
  }
}

const rowsAPage = 500;
/** With their notes, their comments and how they look. */
const samplesAPage = 50;

function* cut(keys: readonly string[], most: number): Generator<readonly string[], void, void> {
  for (let at = 0; at < keys.length; at += most) yield keys.slice(at, at + most);
}
