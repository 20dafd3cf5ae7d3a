import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { blobPages, type Terminal } from '../../lab/commands.ts';
import type { MetadataStore, Stock, StoredBlob, StoredRecord } from '../../lab/stores/metadata-store.ts';
import { DamagedContainerError } from '../../vault/container/container.ts';
import {
  publicationDifferences,
  publicationIn,
  recordDifferences,
  recordIn,
  type StoredForm,
  tokenDifferences,
  tokenIn,
} from './move-compare.ts';
import {
  ContainerTooLarge,
  type ContainerTarget,
  type CopiedContainer,
  type ExpectedBytes,
} from './move-containers.ts';
import { type MovedKind, MoveReport } from './move-report.ts';

/** A lab on its way from one pair of stores into another. */
export interface LabMove<Copied extends CopiedContainer> {
  source: MetadataStore;
  target: MetadataStore;
  containers: ContainerTarget<Copied>;
  /** How the target holds text and times. */
  form: StoredForm;
  terminal: Pick<Terminal, 'result' | 'remark'>;
}

/** While one waits for the disk, others wait for the network. Each takes the memory of a part of an upload. */
const copiedAtOnce = 8;
/**
 * Rows are written for so many containers at a time, or so many bytes of them: what a killed move has copied beyond its
 * last rows is copied again.
 */
const groupSize = 128;
const groupBytes = 256 * 1024 * 1024;
/** Of the text in the rows of one statement. */
const rowsText = 4 * 1024 * 1024;
const stocks: readonly Stock[] = ['sample-files', 'starter-rules'];
const noTime = 'a time that is none';

/** Copies what the target lacks. What it has stays as it is, and is skipped where it is the same. */
export async function copyLab<Copied extends CopiedContainer>(move: LabMove<Copied>): Promise<MoveReport> {
  const report = new MoveReport(move.terminal);
  await new Copying(move, report).run();
  return report;
}

class Copying<Copied extends CopiedContainer> {
  readonly #move: LabMove<Copied>;
  readonly #report: MoveReport;
  /** Where bytes are that the target has as publications. */
  readonly #packages = new Map<string, string>();

  constructor(move: LabMove<Copied>, report: MoveReport) {
    this.#move = move;
    this.#report = report;
  }

  async run(): Promise<void> {
    const { source, target } = this.#move;
    for (const { sha256, place } of await target.publications()) this.#packages.set(sha256, place);
    for await (const page of blobPages(source)) for (const group of groupsOf(page)) await this.#copyGroup(group);
    await this.#copyPublications();
    await this.#copyTokens();
    for (const stock of stocks) {
      const release = await source.stockedRelease(stock);
      if (release > (await target.stockedRelease(stock))) await target.recordStocked(stock, release);
    }
  }

  async #copyGroup(group: readonly StoredBlob[]): Promise<void> {
    const { source } = this.#move;
    const found = await source.recordsBySha256(group.map(({ sha256 }) => sha256));
    const records = this.#formed(found.filter((record) => record !== null));
    const lacking = await this.#settleKnown(records);
    const { added, error } = await this.#copyBytes(lacking);
    // Also where the next container could not be copied: these are, and are not copied again.
    await this.#addRecords(added);
    if (error !== null) throw error;
    this.#report.reached(group.at(-1)?.sha256 ?? '');
  }

  #formed(records: readonly StoredRecord[]): StoredRecord[] {
    return records.flatMap((record) => {
      const { form } = this.#move;
      const formed = recordIn(form, record);
      const asWritten = recordIn({ ...form, text: (text) => text, tag: (tag) => tag }, record);
      if (formed === null || asWritten === null) this.#report.refuse('samples', record.sample.hashes.sha256, noTime);
      else if (recordDifferences(asWritten, formed).length > 0) this.#report.reworded();
      return formed ?? [];
    });
  }

  /** @returns those that the target can take */
  async #settleKnown(records: readonly StoredRecord[]): Promise<StoredRecord[]> {
    const { target } = this.#move;
    const known = await target.recordsBySha256(records.map(({ sample }) => sample.hashes.sha256));
    const files = await target.filesByMd5(records.map(({ sample }) => sample.hashes.md5));
    return records.filter((record, index) => {
      const { sha256, md5 } = record.sample.hashes;
      const there = known[index] ?? null;
      const other = files[index]?.sha256 ?? sha256;
      if (there !== null) this.#settle('samples', sha256, recordDifferences(record, there));
      else if (other !== sha256) this.#report.refuse('samples', sha256, `the MD5 ${md5} is taken by ${other}`);
      else return true;
      return false;
    });
  }

  /** What is there already, by the fields in which it differs. */
  #settle(kind: MovedKind, what: string, fields: readonly string[]): void {
    if (fields.length > 0) this.#report.refuse(kind, what, `there with other ${fields.join(', ')}`);
    else this.#report.count(kind, 'skipped');
  }

  async #copyBytes(
    records: readonly StoredRecord[],
  ): Promise<{ added: { record: StoredRecord; copied: Copied | null }[]; error: Error | null }> {
    const added: { record: StoredRecord; copied: Copied | null }[] = [];
    const error = await workOn(records, copiedAtOnce, async (record) => {
      const { sample } = record;
      const { sha256 } = sample.hashes;
      const place = this.#packages.get(sha256);
      if (place !== undefined) {
        added.push({ record: { ...record, sample: { ...sample, place } }, copied: null });
        return;
      }
      const copied = await this.#copy('samples', sha256, { ...sample, sha256 });
      if (copied === null) return;
      added.push({ record: { ...record, sample: { ...sample, place: copied.place } }, copied });
    });
    return { added, error };
  }

  /** Null for bytes that are reported: they are not what their rows have, or too many. */
  async #copy(kind: MovedKind, what: string, expected: ExpectedBytes): Promise<Copied | null> {
    try {
      const copied = await this.#move.containers.copy(expected);
      this.#report.copied(copied.sizeBytes);
      return copied;
    } catch (error) {
      if (error instanceof ContainerTooLarge) this.#report.refuse(kind, what, error.message);
      else if (error instanceof DamagedContainerError) this.#report.refuse(kind, what, damageIn(error));
      else throw error;
      return null;
    }
  }

  async #addRecords(added: readonly { record: StoredRecord; copied: Copied | null }[]): Promise<void> {
    const { target, containers } = this.#move;
    await containers.settle(added.flatMap(({ copied }) => copied ?? []));
    for (const some of byText(added)) {
      const outcomes = await target.addRecords(some.map(({ record }) => record));
      const others = some.filter((_, index) => outcomes[index] !== 'added');
      for (const outcome of outcomes) if (outcome === 'added') this.#report.count('samples', 'moved');
      if (others.length === 0) continue;
      // Another process has added them meanwhile.
      await containers.discard(others.flatMap(({ copied }) => copied ?? []));
      await this.#settleKnown(others.map(({ record }) => record));
    }
  }

  async #copyPublications(): Promise<void> {
    const { source, target, form } = this.#move;
    const there = await target.publications();
    for (const given of (await source.publications()).toReversed()) {
      const publication = publicationIn(form, given);
      const { version } = given;
      if (publication === null) {
        this.#report.refuse('publications', version, noTime);
        continue;
      }
      const same = there.find((one) => one.version === version) ?? there.find(({ id }) => id === publication.id);
      if (same !== undefined) {
        this.#settle('publications', version, publicationDifferences(publication, same));
        continue;
      }
      const copied = await this.#placeOf(publication);
      if (copied === null) continue;
      const outcome = await target.addPublication({ ...publication, place: copied });
      if (outcome === 'added') this.#report.count('publications', 'moved');
      else this.#report.refuse('publications', version, 'the version was taken meanwhile');
    }
    await this.#reportCurrent(there.length > 0);
  }

  /** Null where its bytes could not be copied. */
  async #placeOf({ version, ...blob }: StoredBlob & { version: string }): Promise<string | null> {
    const { target, containers } = this.#move;
    const [sample] = await target.recordsBySha256([blob.sha256]);
    const known = sample?.sample.place ?? this.#packages.get(blob.sha256) ?? null;
    if (known !== null) return known;
    const copied = await this.#copy('publications', version, { ...blob, hashes: null });
    if (copied === null) return null;
    await containers.settle([copied]);
    this.#packages.set(blob.sha256, copied.place);
    return copied.place;
  }

  /** Those that were moved are behind those that were there, whatever their dates. */
  async #reportCurrent(hadOthers: boolean): Promise<void> {
    if (!hadOthers || this.#report.counts.publications.moved === 0) return;
    const current = await this.#move.target.currentPublication();
    if (current === null) return;
    this.#move.terminal.remark(`The current publication is ${current.version}, of ${current.published}.`);
  }

  async #copyTokens(): Promise<void> {
    const { source, target, form } = this.#move;
    for (const given of await source.tokens()) {
      const what = `${given.id} ${given.name}`;
      const token = tokenIn(form, given);
      if (token === null) {
        this.#report.refuse('tokens', what, noTime);
        continue;
      }
      const { id: _id, lastUsed, ...fields } = token;
      const there = await target.tokenByDigest(token.sha256);
      if (there === null && (await target.isRevoked(token.sha256))) {
        this.#report.count('tokens', 'skipped');
        this.#move.terminal.remark(`Revoked there, and not added again: token ${visibleLine(what)}.`);
        continue;
      }
      const fieldsThere = there === null ? [] : tokenDifferences(token, there);
      const held = there ?? (await target.addToken(fields));
      if (there === null) this.#report.count('tokens', 'moved');
      else this.#settle('tokens', what, fieldsThere);
      // The later day stays: it may be used on either side.
      if (fieldsThere.length === 0 && lastUsed !== null && lastUsed > (held.lastUsed ?? ''))
        await target.noteTokenUse(held.id, lastUsed);
    }
  }
}

/** For a person. */
export const damageIn = ({ message }: DamagedContainerError): string =>
  message === 'missing' ? 'its bytes are missing' : `its bytes are damaged: ${message}`;

/**
 * Works on all items, so many at once. After a failure no other is begun; those that were are waited for.
 *
 * @returns the first failure, or null
 */
export async function workOn<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<Error | null> {
  const left = items.values();
  const failures: Error[] = [];
  const worker = async (): Promise<void> => {
    for (const item of left) {
      await work(item).catch((error: unknown) =>
        failures.push(error instanceof Error ? error : new Error('not an error', { cause: error })),
      );
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failures[0] ?? null;
}

/** In order, each small enough to be copied before its rows are written. One can be larger by itself. */
export function* groupsOf(blobs: readonly StoredBlob[]): Generator<StoredBlob[], void, void> {
  let group: StoredBlob[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    if (group.length === groupSize || (group.length > 0 && bytes + blob.sizeBytes > groupBytes)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(blob);
    bytes += blob.sizeBytes;
  }
  if (group.length > 0) yield group;
}

/** In order, each with so much text that a statement can hold it. */
function* byText<One extends { record: StoredRecord }>(all: readonly One[]): Generator<One[], void, void> {
  let some: One[] = [];
  let length = 0;
  for (const one of all) {
    const more = textOf(one.record);
    if (some.length > 0 && length + more > rowsText) {
      yield some;
      some = [];
      length = 0;
    }
    some.push(one);
    length += more;
  }
  if (some.length > 0) yield some;
}

const textOf = ({ sample, comments }: StoredRecord): number =>
  [sample.name, ...sample.tags, ...comments.map(({ content }) => content)].reduce((sum, text) => sum + text.length, 0);
