import { setImmediate as nextTurn } from 'node:timers/promises';
import { archiveLimits, type MemberRemark, type NameEncoding } from '../../../shared/domain/opened-archive.ts';
import { fail, type Failure, FailureError } from '../../../shared/failure.ts';
import { decodedName, guessedEncoding } from '../../base/name-bytes.ts';
import { ArchiveBudget } from '../archive-budget.ts';
import { NamesSeen, nameTraitOf, shownName } from '../archive-names.ts';
import { descriptorFlag, encryptedFlag, localHeaderBytes, storedMethod, utf8Name } from './read-zip-records.ts';
import {
  type Directory,
  type EntryHeader,
  hasDescriptor,
  type ListedEntry,
  type LocalEntry,
  readDirectory,
  readLocal,
} from './zip-directory.ts';
import { Extents, hiddenEntries, type HiddenEntry } from './zip-hidden.ts';
import {
  attemptsAt,
  entryChunks,
  isPossible,
  opensWhole,
  passwordOf,
  type PlacedEntry,
  unsupported,
} from './zip-random-entry.ts';
import { ArchiveBytes, type RandomAccess, type RandomPart, type ZipAtOptions } from './zip-source.ts';

/** What `readZipAt` promises, and does with this. */
export async function* readParts(source: RandomAccess, options: ZipAtOptions): AsyncGenerator<RandomPart, void, void> {
  const { archiveName, limits = archiveLimits, from = 0, isStrict = false } = options;
  const bytes = new ArchiveBytes(source, archiveName, from);
  const directory = await readDirectory(bytes, archiveName, limits.members + 1);
  if (directory.extent === null && isStrict) fail(withoutEnd(archiveName));
  const encoding = options.nameEncoding ?? (await encodingFor(directory.entries));
  const reading = new ZipReading(bytes, new ArchiveBudget(archiveName, limits), encoding ?? 'cp437', options);
  if (encoding !== null) options.onEncoding?.(encoding);
  for (const remark of directory.remarks) options.onRemark?.(remark);
  yield* reading.listed(directory);
  if (!isStrict) yield* reading.hidden(directory, archiveName);
}

const withoutEnd = (name: string): Failure => ({ kind: 'archive-damaged', name, reason: 'Its end is missing' });

/** Null where every name shows its encoding. */
async function encodingFor(entries: readonly ListedEntry[]): Promise<NameEncoding | null> {
  const unknown = entries.flatMap(({ rawName, flags, extra }) =>
    utf8Name(rawName, flags, extra) === null ? [rawName] : [],
  );
  return unknown.length === 0 ? null : guessedEncoding(unknown);
}

/** Read to try other lengths of members: at most so many bytes more than the archive has. */
const mostTried = 64 * 2 ** 20;
/** Entries that give nothing take no turn of the event loop either; others wait for it in between. */
const entriesAtOnce = 100;

class ZipReading {
  readonly #bytes: ArchiveBytes;
  readonly #budget: ArchiveBudget;
  readonly #options: ZipAtOptions;
  readonly #encoding: NameEncoding;
  readonly #names = new NamesSeen();
  #known = new Extents();
  /** Where the bytes of entries lie that were placed: entries in the same place share them. */
  readonly #placed = new Map<number, number>();
  /** Of each part of a member. */
  readonly #parts: { start: number; dataAt: number; end: number; isForeign: boolean }[] = [];
  /** Where the bytes begin of those that are not what they should be: another member may lie there. */
  readonly #failed = new Set<number>();
  /** Where the entries of the directory begin, in order. */
  #starts: number[] = [];
  /** Of the archive, for all entries until now. */
  #readBytes = 0;
  /** Read to find out which of two lengths is the right one. */
  #triedBytes = 0;

  constructor(bytes: ArchiveBytes, budget: ArchiveBudget, encoding: NameEncoding, options: ZipAtOptions) {
    this.#bytes = bytes;
    this.#budget = budget;
    this.#options = options;
    this.#encoding = encoding;
  }

  async *listed({ entries, extent }: Directory): AsyncGenerator<RandomPart, void, void> {
    if (extent !== null) this.#known.add(extent.start, extent.end);
    this.#starts = entries.map(({ localAt }) => localAt).toSorted((a, b) => a - b);
    for (const entry of entries) {
      await this.#count();
      if (entry.localAt < this.#bytes.from) continue;
      yield* this.#listedPart(entry);
      this.#budget.requireUnmet();
    }
  }

  /** What the directory does not lead to. */
  async *hidden({ extent }: Directory, archiveName: string): AsyncGenerator<RandomPart, void, void> {
    let elsewhere = 0;
    let found = 0;
    const spend = (bytes: number, memberBytes: number): void =>
      this.#budget.spend(bytes, memberBytes, this.#bytes.size);
    this.#known = this.#trusted(extent);
    for await (const entry of hiddenEntries(this.#bytes, this.#known, spend)) {
      await this.#count();
      found += 1;
      if (entry.listed !== null) elsewhere += 1;
      if (entry.record !== null) this.#known.add(entry.record.start, entry.record.end);
      yield* this.#hiddenPart(entry, extent !== null && entry.listed === null ? [{ kind: 'not-listed' }] : []);
      this.#budget.requireUnmet();
    }
    if (extent === null && found === 0) fail(withoutEnd(archiveName));
    if (extent === null) this.#options.onRemark?.({ kind: 'no-directory' });
    else if (elsewhere > 0) this.#options.onRemark?.({ kind: 'second-archive', members: elsewhere });
    // What is left of a directory that is cut off is none of these.
    const unread = extent === null ? 0 : this.#unreadBytes();
    if (unread > 0) this.#options.onRemark?.({ kind: 'unread-bytes', bytes: unread });
  }

  /** What is known, except the bytes of members that turned out to be none. */
  #trusted(extent: Directory['extent']): Extents {
    if (this.#failed.size === 0) return this.#known;
    const trusted = new Extents();
    if (extent !== null) trusted.add(extent.start, extent.end);
    for (const { start, dataAt, end, isForeign } of this.#parts) {
      // A header of another name is that of another member, where the directory leads astray.
      if (!this.#failed.has(dataAt)) trusted.add(start, end);
      else if (!isForeign) trusted.add(start, dataAt);
    }
    return trusted;
  }

  /** Of no member and no directory, behind the first of them. A descriptor behind a member is no more than 24 bytes. */
  #unreadBytes(): number {
    for (const { start, end } of this.#parts) this.#known.add(start, end);
    const [front, ...gaps] = this.#known.gaps(this.#bytes.from, this.#bytes.size);
    const behind = front === undefined || front.start === this.#bytes.from ? gaps : [front, ...gaps];
    return behind.reduce((sum, { start, end }) => sum + (end - start < localHeaderBytes ? 0 : end - start), 0);
  }

  async #count(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#budget.countMember();
    if (this.#budget.members % entriesAtOnce === 0) await nextTurn();
  }

  async *#listedPart(entry: ListedEntry): AsyncGenerator<RandomPart, void, void> {
    const local = await readLocal(this.#bytes, entry.localAt);
    const name = this.#nameOf(entry);
    if (local === null) {
      if (isFolder(name, entry)) return;
      yield refused(name, damaged(name, 'There is no entry at the offset in the directory'), []);
      return;
    }
    const remarks: MemberRemark[] = contradicts(entry, local) ? [{ kind: 'header-differs' }] : [];
    const part = await this.#part({ name, local, said: entry, mode: entry.mode, remarks });
    if (part !== null) yield part;
  }

  async *#hiddenPart(
    { local, listed, sizes }: HiddenEntry,
    remarks: MemberRemark[],
  ): AsyncGenerator<RandomPart, void, void> {
    const name = this.#nameOf(listed ?? local);
    const part =
      sizes === null
        ? refused(name, damaged(name, 'Its size is unknown'), remarks)
        : await this.#part({
            name,
            local,
            said: { ...local, ...sizes, flags: local.flags },
            mode: listed?.mode ?? 0,
            remarks,
          });
    if (part !== null) yield part;
  }

  #nameOf({ rawName, flags, extra }: EntryHeader): string {
    return utf8Name(rawName, flags, extra) ?? decodedName(rawName, this.#encoding);
  }

  /** null for a folder. */
  async #part({ name, local, said: claimed, mode, remarks }: Found): Promise<RandomPart | null> {
    const next = this.#nextStart(local.at);
    const said =
      local.dataAt + claimed.storedBytes > next && isPossible(local) && local.dataAt + local.storedBytes <= next
        ? withSizesOf(local, claimed)
        : claimed;
    const shared = this.#sharing(local, said, next);
    this.#place(local, said, Math.min(local.dataAt + said.storedBytes, next, this.#bytes.size));
    if (shared === 'over') this.#failed.add(local.dataAt);
    if (isFolder(name, said) && (hasDescriptor(local) || isFolder(name, local))) return null;
    const all = [
      ...remarks,
      ...this.#remarksOn(name, mode),
      ...(shared === 'same' ? [{ kind: 'shared-bytes' as const }] : []),
    ];
    const refusal = this.#options.isStrict === true ? strictRefusal(name, all) : null;
    if (refusal !== null) return refused(name, refusal, all);
    if (shared === 'over') return refused(name, damaged(name, 'It overlaps another entry'), all);
    if (local.dataAt + said.storedBytes > this.#bytes.size) return refused(name, damaged(name, 'It is truncated'), all);
    const attempts = this.#ordered(attemptsAt(name, said, local), next);
    const [first] = attempts;
    if (first === undefined) return refused(name, unsupported(name, said) ?? implausible(name, said), all);
    this.#budget.foresee(Math.max(said.storedBytes, said.plainBytes), this.#inputBytes(said.storedBytes));
    const chosen = await this.#chosen(attempts);
    if (chosen === null) return refused(name, { kind: 'archive-password', name: shownName(name) }, all);
    this.#place(local, said, chosen.entry.position + chosen.entry.storedBytes);
    const isBare = chosen.entry.encryption === null && (said.flags & encryptedFlag) !== 0;
    return this.#opened(chosen.entry, chosen.password, isBare ? [...all, { kind: 'not-encrypted' }] : all);
  }

  #remarksOn(name: string, mode: number): MemberRemark[] {
    const trait = nameTraitOf(name);
    const type = mode & 0o170000;
    return [
      ...(trait === null ? [] : [{ kind: 'name' as const, trait }]),
      ...(this.#names.add(name) ? [] : [{ kind: 'same-name' as const }]),
      ...(type === 0o120000 ? [{ kind: 'link' as const }] : []),
      ...(deviceTypes.has(type) ? [{ kind: 'device' as const }] : []),
      ...(/[/\\]$/.test(name) ? [{ kind: 'folder-name' as const }] : []),
    ];
  }

  /** Where the next entry of the directory begins. */
  #nextStart(at: number): number {
    let low = 0;
    for (let high = this.#starts.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low] ?? Infinity;
  }

  #place({ at, dataAt, rawName }: LocalEntry, { rawName: listed }: EntryHeader, end: number): void {
    this.#known.add(at, end);
    this.#parts.push({ start: at, dataAt, end, isForeign: !Buffer.from(listed).equals(rawName) });
  }

  /** Entries over each other are how a small archive becomes a large bomb; those in the same place have one content. */
  #sharing(
    local: LocalEntry,
    { storedBytes }: Pick<EntryHeader, 'storedBytes'>,
    next: number,
  ): 'none' | 'same' | 'over' {
    const end = local.dataAt + storedBytes;
    if (this.#placed.get(local.at) === end) return 'same';
    this.#placed.set(local.at, end);
    return end > next || this.#known.touches(local.at, end) ? 'over' : 'none';
  }

  /**
   * A longer reading that proves its checksum has the bytes of a shorter one as well; as long as trying costs no more
   * than to read the archive.
   */
  #ordered(attempts: readonly PlacedEntry[], next: number): readonly PlacedEntry[] {
    const most = attempts[0]?.plainBytes ?? 0;
    const isLonger = ({ plainBytes, position, storedBytes }: PlacedEntry): boolean =>
      plainBytes > most && position + storedBytes <= Math.min(next, this.#bytes.size);
    const longer = attempts.filter(isLonger);
    const toTry = longer.reduce((sum, { storedBytes, plainBytes }) => sum + Math.max(storedBytes, plainBytes), 0);
    if (toTry === 0 || this.#triedBytes + toTry > mostTried + this.#bytes.size) return attempts;
    this.#triedBytes += toTry;
    return [...longer, ...attempts.filter((attempt) => !isLonger(attempt))];
  }

  /**
   * Which of the readings holds, and by which password. A single one without a password is believed until its bytes are
   * read; several are tried whole, and the first that proves its checksum is it. Null where a password is missing.
   */
  async #chosen(attempts: readonly PlacedEntry[]): Promise<{ entry: PlacedEntry; password: string | null } | null> {
    const [only, ...others] = attempts;
    if (only !== undefined && only.encryption === null && others.length === 0) return { entry: only, password: null };
    let isLocked = false;
    for (const entry of attempts) {
      const password =
        entry.encryption === null
          ? null
          : await passwordOf(this.#bytes, entry, entry.encryption, this.#options.passwords);
      if (entry.encryption !== null && password === null) isLocked = true;
      else if (entry.encryption !== null || (await opensWhole(this.#bytes, entry, null))) return { entry, password };
    }
    return isLocked || only === undefined ? null : { entry: only, password: null };
  }

  #opened(entry: PlacedEntry, password: string | null, remarks: MemberRemark[]): RandomPart {
    const chunks = { [Symbol.asyncIterator]: () => this.#chunks(entry, password) };
    return { kind: 'streamed', name: entry.name, sizeBytes: entry.plainBytes, chunks, remarks };
  }

  async *#chunks(entry: PlacedEntry, password: string | null): AsyncGenerator<Uint8Array, void, void> {
    let readBytes = 0;
    try {
      yield* entryChunks(this.#bytes, entry, password, (bytes, memberBytes, read) => {
        readBytes = read;
        this.#options.signal?.throwIfAborted();
        this.#budget.spend(bytes, memberBytes, this.#inputBytes(read));
      });
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.kind !== 'archive-damaged') throw error;
      if (isDoubtful(entry, password))
        throw new FailureError({ kind: 'archive-password', name: shownName(entry.name) }, { cause: error });
      this.#failed.add(entry.position);
      throw error;
    } finally {
      this.#readBytes += readBytes;
    }
  }

  /** No archive gives more than it has, however often its entries say the same bytes are theirs. */
  #inputBytes(entryBytes: number): number {
    return Math.min(this.#readBytes + entryBytes, this.#bytes.size);
  }
}

/** What names and kinds keep a member from being a file of a package. */
function strictRefusal(name: string, remarks: readonly MemberRemark[]): Failure | null {
  for (const remark of remarks) {
    if (remark.kind === 'link' || remark.kind === 'device')
      return { kind: 'archive-name-refused', name: shownName(name), reason: remark.kind };
    if (remark.kind === 'name') return { kind: 'archive-name-refused', name: shownName(name), reason: remark.trait };
    if (remark.kind === 'same-name') return { kind: 'archive-duplicate', name: shownName(name) };
    if (remark.kind === 'folder-name') return damaged(name, 'It is named like a folder but contains data');
  }
  return null;
}

interface Found {
  name: string;
  local: LocalEntry;
  /** What counts where the two headers differ. */
  said: EntryHeader;
  mode: number;
  remarks: MemberRemark[];
}

/** One wrong password in 256 seems right to ZipCrypto, and only the checksum at the end knows better. */
const isDoubtful = ({ encryption }: PlacedEntry, password: string | null): boolean =>
  password !== null && encryption !== null && !encryption.isSure;

/**
 * Character and block devices. Pipes and sockets are what tools write of an entry that they read from their input: its
 * bytes are as good as any.
 */
const deviceTypes = new Set([0o020000, 0o060000]);

/** Nothing, deflated, is up to five bytes, and what encryption adds up to 28. */
const isFolder = (name: string, { plainBytes, storedBytes, method, flags }: EntryHeader): boolean =>
  /[/\\]$/.test(name) &&
  plainBytes === 0 &&
  storedBytes <= (method === storedMethod ? 0 : 5) + ((flags & encryptedFlag) === 0 ? 0 : 28);

const withSizesOf = ({ storedBytes, plainBytes, crc32 }: LocalEntry, said: EntryHeader): EntryHeader => ({
  ...said,
  storedBytes,
  plainBytes,
  crc32,
});

/**
 * A local header may leave its sizes to what follows its bytes, as zeros; all else should be as the directory has it.
 */
function contradicts(listed: ListedEntry, local: LocalEntry): boolean {
  if (!Buffer.from(listed.rawName).equals(Buffer.from(local.rawName)) || listed.method !== local.method) return true;
  if (((listed.flags ^ local.flags) & encryptedFlag) !== 0) return true;
  const mayBeZero = (local.flags & descriptorFlag) !== 0;
  return (['crc32', 'storedBytes', 'plainBytes'] as const).some(
    (field) => local[field] !== listed[field] && !(mayBeZero && local[field] === 0),
  );
}

const implausible = (name: string, { plainBytes, storedBytes }: EntryHeader): Failure =>
  damaged(name, `Its sizes are impossible: ${plainBytes} bytes from ${storedBytes}`);
const damaged = (name: string, reason: string): Failure => ({ kind: 'archive-damaged', name: shownName(name), reason });
const refused = (name: string, failure: Failure, remarks: MemberRemark[]): RandomPart => ({
  kind: 'refused',
  name,
  failure,
  remarks,
});
