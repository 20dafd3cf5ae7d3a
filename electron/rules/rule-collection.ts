import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { BrokenRule, PackageFileCounts } from '../../shared/domain/publication.ts';
import { packagePath } from '../../shared/domain/rule-names.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { fail } from '../../shared/failure.ts';
import { packageLimits, type RuleFile } from './package-files.ts';
import { hasBareReturns, type RuleEncoding, utf16Of, utf8OfUtf16, withLineFeeds } from './rule-encoding.ts';
import { type Span, splitRules } from './split-rules.ts';

export interface CollectedRules {
  files: readonly RuleFile[];
  /** Files of rules that could not be read, and why. */
  unread: readonly BrokenRule[];
  reading: PackageFileCounts;
  /** Of files whose bytes became others here: SHA-256 as they came, to SHA-256 as they are. */
  converted: ReadonlyMap<string, string>;
}

interface CollectionOptions {
  /** UTF-16 without a byte order mark is read too. Otherwise it is named as unread: that it is UTF-16 is a guess. */
  readsUnmarked?: boolean;
  limits?: { bytes: number; files: number };
}

/** What a file costs whatever its size, in bytes: thousands of empty ones take their time, too. */
const fileCost = 8 * 1024;
/** Bytes that are converted before others have their turn; even, for UTF-16. */
const atOnceBytes = 2 * 2 ** 20;

/**
 * The files of one package as they come, from an archive, a folder or a list: under the paths that includes name them
 * by, as UTF-8 with line feeds where their encoding is certain. What is not taken is counted or named. Each call throws
 * FailureError `package-too-large` or `archive-limit` where there is too much.
 */
export class RuleCollection {
  readonly #options: CollectionOptions;
  readonly #limits: { bytes: number; files: number };
  readonly #files: RuleFile[] = [];
  readonly #unread: BrokenRule[] = [];
  readonly #converted = new Map<string, string>();
  readonly #reading: PackageFileCounts = {
    leftOut: 0,
    links: 0,
    utf16: 0,
    utf16Unmarked: 0,
    latin1: 0,
    bareReturns: 0,
  };
  #bytes = 0;
  #sinceRest = 0;

  constructor(options: CollectionOptions = {}) {
    this.#options = options;
    this.#limits = options.limits ?? packageLimits;
  }

  get bytesLeft(): number {
    return this.#limits.bytes - this.#bytes;
  }

  /** Takes a file of rules; the bytes are the collection's from now on. */
  async add(name: string, bytes: Uint8Array): Promise<void> {
    this.#count(bytes.length);
    const encoding = utf16Of(bytes) ?? ((await isUtf8Whole(bytes)) ? 'utf-8' : 'latin1');
    const isUnmarked = encoding === 'utf-16le-unmarked' || encoding === 'utf-16be-unmarked';
    if (isUnmarked) this.#reading.utf16Unmarked += 1;
    if (isUnmarked && this.#options.readsUnmarked !== true)
      return this.refuse(name, 'UTF-16 without a byte order mark. Convert the package to use its rules');
    if (encoding === 'latin1') this.#reading.latin1 += 1;
    const readable = await this.#readable(bytes, encoding);
    this.#spend(readable.length - bytes.length);
    this.#files.push({ path: packagePath(name), bytes: readable });
    await this.#rest(bytes.length);
  }

  /** Names a file of rules that cannot be read. */
  refuse(name: string, text: string): void {
    this.#unread.push({ rule: null, file: visibleLine(packagePath(name)), line: 0, kind: 'file', text });
    if (this.#unread.length + this.#files.length > this.#limits.files) tooMany(this.#limits.files);
  }

  /** Counts what is no file of rules, and links, which are not followed. */
  leaveOut(what: 'leftOut' | 'links', count = 1): void {
    this.#reading[what] += count;
  }

  collected(): CollectedRules {
    return { files: this.#files, unread: this.#unread, reading: { ...this.#reading }, converted: this.#converted };
  }

  #count(bytes: number): void {
    if (this.#files.length + this.#unread.length >= this.#limits.files) tooMany(this.#limits.files);
    this.#spend(bytes);
  }

  #spend(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) fail({ kind: 'package-too-large', limitBytes: this.#limits.bytes });
  }

  async #readable(bytes: Uint8Array, encoding: RuleEncoding): Promise<Uint8Array> {
    const isUtf16 = encoding !== 'utf-8' && encoding !== 'latin1';
    const before = isUtf16 || hasBareReturns(bytes) ? await sha256Of(bytes) : null;
    if (before === null) return bytes;
    const text = isUtf16 ? await utf8Pieces(bytes, encoding.startsWith('utf-16le') ? 'le' : 'be') : bytes;
    if (isUtf16 && !encoding.endsWith('unmarked')) this.#reading.utf16 += 1;
    const hasReturns = hasBareReturns(text);
    if (hasReturns) this.#reading.bareReturns += 1;
    const readable = hasReturns ? await inPieces(text, withLineFeeds) : text;
    this.#converted.set(before, await sha256Of(readable));
    return readable;
  }

  async #rest(bytes: number): Promise<void> {
    this.#sinceRest += bytes + fileCost;
    if (this.#sinceRest < atOnceBytes) return;
    this.#sinceRest = 0;
    await yieldToEvents();
  }
}

function tooMany(value: number): never {
  fail({ kind: 'archive-limit', name: 'files of the package', limit: 'members', value });
}

async function inPieces(
  bytes: Uint8Array,
  convert: (piece: Uint8Array) => Uint8Array,
  endOf: (bytes: Uint8Array, end: number) => number = (_, end) => end,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = endOf(bytes, Math.min(at + atOnceBytes, bytes.length));
    pieces.push(convert(bytes.subarray(at, end)));
    at = end;
    if (at < bytes.length) await yieldToEvents();
  }
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/** In pieces that end between two characters. */
async function isUtf8Whole(bytes: Uint8Array): Promise<boolean> {
  for (let at = 0; at < bytes.length;) {
    let end = Math.min(at + atOnceBytes, bytes.length);
    for (let back = 0; back < 3 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80; back += 1) end -= 1;
    if (!isUtf8(bytes.subarray(at, end))) return false;
    at = end;
    if (at < bytes.length) await yieldToEvents();
  }
  return true;
}

/** Never between the halves of a pair. */
function utf8Pieces(bytes: Uint8Array, order: 'le' | 'be'): Promise<Uint8Array> {
  const highByte = order === 'le' ? 1 : 2;
  const endOf = (all: Uint8Array, end: number): number =>
    end < all.length && ((all[end - highByte] ?? 0) & 0xfc) === 0xd8 ? end - 2 : end;
  return inPieces(bytes, (piece) => utf8OfUtf16(piece, order), endOf);
}

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const sum = createHash('sha256');
  for (let at = 0; at < bytes.length; at += atOnceBytes) {
    sum.update(bytes.subarray(at, at + atOnceBytes));
    if (at + atOnceBytes < bytes.length) await yieldToEvents();
  }
  return sum.digest('hex');
}

/**
 * Files with blanks in the place of what is broken in them: rules, and `import` and `include` lines. All other lines
 * keep their numbers.
 */
export function withoutBroken(files: readonly RuleFile[], broken: readonly BrokenRule[]): RuleFile[] {
  const byFile = new Map<string, BrokenRule[]>();
  for (const one of broken) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  return files.map((file) => {
    const own = byFile.get(file.path);
    return own === undefined ? file : blanked(file, own);
  });
}

function blanked({ path, bytes }: RuleFile, broken: readonly BrokenRule[]): RuleFile {
  const text = Buffer.from(bytes).toString();
  const { rules, imports, includes } = splitRules(text);
  const isBroken = (rule: string | null, from: number, to: number): boolean =>
    broken.some((one) => one.rule === rule && one.line >= from && one.line <= to);
  const spans: Span[] = [
    ...rules.filter(({ name, line, endLine }) => isBroken(name, line, endLine)),
    ...[...imports, ...includes].filter(({ line }) => isBroken(null, line, line)),
  ];
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    pieces.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\r\n]/g, ' '));
    at = end;
  }
  return { path, bytes: Buffer.from(pieces.join('') + text.slice(at)) };
}
