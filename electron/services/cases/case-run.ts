import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CaseOptions, isCaseTable } from '../../../shared/domain/case.ts';
import type { ThreadComment } from '../../../shared/domain/comment.ts';
import type { LibrarySample, SamplePreview } from '../../../shared/domain/library.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import type { CommentStore } from '../../storage/comments/comment-store.ts';
import type { LibraryReader } from '../../storage/library/library-reader.ts';
import type { LibraryStore } from '../../storage/library/library-store.ts';
import type { Vault } from '../../vault/vault.ts';
import { bytesOf, caseText } from './case-file.ts';
import { type CaseComment, type CaseSample, type CaseSummary, CaseSums, isSaid, tlpName } from './case-sample.ts';
import { factsOf, keyOf } from './case-selection.ts';
import type { SampleAttribute } from './misp-event.ts';
import { mispSamples } from './misp-samples.ts';

interface CaseReaderOptions {
  reader: Pick<LibraryReader, 'facts'>;
  library: Pick<LibraryStore, 'sample'>;
  comments: Pick<CommentStore, 'thread'>;
  /** Of those that may have listed comments, the built-in one among them. */
  workspaceIds(): readonly string[];
  /** Previews of the bytes. Fails with `cancelled` when the page requested others. */
  previews(sha256s: readonly string[]): Promise<SamplePreview[]>;
}

/** What is read of each sample besides its facts. */
interface CaseWants {
  include: CaseOptions['include'];
  mime: boolean;
  strips: boolean;
}

/** Read before the thread is free again: some milliseconds' worth, unless they have very many comments. */
const samplesATurn = 20;

/** Reads what a case contains of samples. */
class CaseReader {
  readonly #options: CaseReaderOptions;
  readonly #wants: CaseWants;

  constructor(options: CaseReaderOptions, wants: CaseWants) {
    this.#options = options;
    this.#wants = wants;
  }

  /** Those of them that the library still knows. */
  async page(keys: readonly string[]): Promise<CaseSample[]> {
    const facts = await factsOf(keys, this.#options.reader);
    const strips = await this.#stripsOf(facts);
    const samples: CaseSample[] = [];
    for (const one of facts) {
      samples.push({ ...this.#included(one), strip: (one.sha256 === null ? null : strips.get(one.sha256)) ?? null });
      if (samples.length % samplesATurn === 0) await nextTurn();
    }
    return samples;
  }

  /** The same facts, once the previews are made: they may show what type the samples are of. */
  async looked(keys: readonly string[]): Promise<SampleFacts[]> {
    await this.#stripsOf(await factsOf(keys, this.#options.reader));
    return factsOf(keys, this.#options.reader);
  }

  #included(facts: SampleFacts): Omit<CaseSample, 'strip'> {
    const { include, mime } = this.#wants;
    const hash = keyOf(facts);
    const known = mime || include.notes ? this.#options.library.sample(hash) : null;
    return {
      ...facts,
      hash,
      hits: include.hits ? facts.hits : [],
      mime: mime ? mimeOf(known) : null,
      note: include.notes ? (known?.note ?? null) : null,
      comments: include.comments && facts.md5 !== null ? this.#commentsOf(facts.md5) : [],
    };
  }

  #commentsOf(md5: string): CaseComment[] {
    const { comments, workspaceIds } = this.#options;
    return workspaceIds().flatMap((workspaceId) =>
      comments
        .thread(workspaceId, md5)
        .comments.filter(hasArrived)
        .map(({ id, author, created, content }) => ({
          id: `${workspaceId}/${id}`,
          author,
          created,
          text: content,
        })),
    );
  }

  async #stripsOf(facts: readonly SampleFacts[]): Promise<ReadonlyMap<string, string | null>> {
    if (!this.#wants.strips) return new Map();
    const sha256s = facts.flatMap(({ sha256, inVault }) => (inVault && sha256 !== null ? [sha256] : []));
    try {
      return new Map((await this.#options.previews(sha256s)).map(({ sha256, strip }) => [sha256, strip]));
    } catch (error) {
      // The person looks at other samples meanwhile, and comes first: these go without a picture
      if (error instanceof FailureError && error.failure.kind === 'cancelled') return new Map();
      throw error;
    }
  }
}

/** What was written here and no service has belongs to no one else yet. */
const hasArrived = ({ own }: ThreadComment): boolean => own === null || own.isListed || own.state === 'sent';

const mimeForm = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

function mimeOf(known: LibrarySample | null): string | null {
  for (const { record } of known?.records ?? [])
    if (isSaid(record.mime) && mimeForm.test(record.mime)) return record.mime.toLowerCase();
  return null;
}

const digitsAByte = 2;

/** What samples are known by, in little memory: a million take 32 MB. */
export class HeldKeys {
  readonly #pages: { digits: number; bytes: Buffer }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(keys: readonly string[]): void {
    for (const [digits, alike] of Map.groupBy(keys, ({ length }) => length))
      this.#pages.push({ digits, bytes: Buffer.from(alike.join(''), 'hex') });
    this.#length += keys.length;
  }

  /** As they were added, those of one length together. */
  *pages(): Generator<readonly string[], void, void> {
    for (const { digits, bytes } of this.#pages) {
      const width = digits / digitsAByte;
      yield Array.from({ length: bytes.length / width }, (_, index) =>
        bytes.toString('hex', index * width, (index + 1) * width),
      );
    }
  }
}

/** A case whose samples were counted and whose marking is settled. */
export interface CaseOrder {
  options: CaseOptions;
  tlp: TlpLevel | null;
  summary: CaseSummary;
  made: Date;
}

export interface CaseRunOptions extends CaseReaderOptions {
  /** The id of this computer; the same as long as its data is. */
  computerId: string;
  vault: Pick<Vault, 'read' | 'hashesOf'>;
}

/** Where the samples of a run come from, and who hears of it. */
interface CaseRunPorts {
  /** What they are known by, from the first one on each time. */
  keys(): AsyncIterable<readonly string[]>;
  /** Before any of their facts leave: once for each sample. `withBytes`: whether its bytes go along. */
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
  /** What it contains, by what each was known by when it was included first. */
  readonly #included = new HeldKeys();
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
    const { computerId } = this.#options;
    const {
      options: { format, title, author, include },
      tlp,
      made,
    } = this.#order;
    const story = {
      head: { computerId, title, author, tlp, include, made, summary: await this.#summary() },
      pages: () => this.#pages(),
    };
    let last: Uint8Array | null = null;
    for await (const piece of bytesOf(caseText(format, story, this.#sampleAttribute))) {
      if (last !== null) yield last;
      last = piece;
    }
    if (this.#included.length === 0) fail({ kind: 'case-empty' });
    await this.requireStrict();
    if (last !== null) yield last;
  }

  /**
   * Fails with `tlp-too-open` where a sample in it was marked more strictly since; with `tlp-unknown` where its TLP is
   * no longer known.
   */
  async requireStrict(): Promise<void> {
    if (this.#order.tlp === tlpLevels.at(-1)) return;
    for (const keys of this.#included.pages()) {
      for (const facts of await factsOf(keys, this.#options.reader)) requireStrictFor(this.#marking, facts);
      await nextTurn();
    }
  }

  /**
   * How many it contains, how many of them went without the bytes that were requested, and how many the library no
   * longer knows.
   */
  get outcome(): { included: number; failed: number; unknown: number } {
    return { included: this.#included.length, failed: this.#failed.size, unknown: this.#unknown };
  }

  /** What it contains: samples whose bytes went along as requested, and those of which only the facts did. */
  *left(): Generator<{ whole: string[]; withoutBytes: string[] }, void, void> {
    for (const hashes of this.#included.pages()) {
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
    for await (const keys of isFirst ? this.#ports.keys() : this.#included.pages()) {
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
    this.#included.add(hashes);
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
/** With their notes, their comments and previews. */
const samplesAPage = 50;

function* cut(keys: readonly string[], most: number): Generator<readonly string[], void, void> {
  for (let at = 0; at < keys.length; at += most) yield keys.slice(at, at + most);
}

/** How a case is marked, and whether the person vouches for what is not known. */
export type CaseMarking = Pick<CaseOptions, 'tlp' | 'vouched'>;

/**
 * Fails with `tlp-too-open`; and with `tlp-unknown` where a sample may be stricter for all that is known, and the user
 * does not vouch for it.
 */
export function requireStrict({ tlp, vouched }: CaseMarking, { tlp: strictest, unknownTlps }: Strictness): void {
  if (strictest !== null && strictestTlp([tlp, strictest]) !== tlp)
    fail({
      kind: 'tlp-too-open',
      tlp: tlp === null ? 'A case without a TLP' : tlpName(tlp),
      strictest: tlpName(strictest),
    });
  if (unknownTlps > 0 && !vouched && tlp !== tlpLevels.at(-1)) fail({ kind: 'tlp-unknown', samples: unknownTlps });
}

/** The same of one sample. */
export const requireStrictFor = (marking: CaseMarking, sample: Pick<SampleFacts, 'tlp' | 'isRecorded'>): void =>
  requireStrict(marking, { tlp: sample.tlp, unknownTlps: Number(isTlpUnknown(sample)) });

export type Strictness = Pick<CaseSummary, 'tlp' | 'unknownTlps'>;
