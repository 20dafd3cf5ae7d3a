import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import { fail } from '../../../shared/failure.ts';
import { redactedText, redactionFor } from '../../base/redaction.ts';
import type { RuleFile } from '../../rules/package-files.ts';
import type { TokenPlaces } from '../../storage/packages/package-table.ts';
import { atOnceBytes, type OpenedPackage } from './opened-package.ts';

/** A package as it is used here, and what was taken out of it. */
export interface PackageWithoutTokens extends OpenedPackage {
  tokens: TokenPlaces[];
}

/**
 * A package without the tokens of its workspace, which a server may have written anywhere into it: no text of it
 * contains them. All that is reported, kept or compiled of rules comes from this; the received bytes lie in their
 * container as they are. A rule that is named after a token does not compile then, and is left out as any other that
 * does not. `noted`: what was removed when it was received.
 *
 * @throws FailureError `package-unreadable` where there are more of them than are noted
 */
export async function packageWithoutTokens(
  opened: OpenedPackage,
  { sha256, tokens, noted }: { sha256: string; tokens: readonly string[]; noted: readonly TokenPlaces[] },
): Promise<PackageWithoutTokens> {
  if (tokens.length === 0 && noted.length === 0) return { ...opened, tokens: [] };
  const cuts = new TokenCuts(sha256, tokens, noted);
  const [files, changedHashes] = await filesWithout(opened.files, cuts);
  const manifest = opened.manifest && manifestWithout(opened.manifest, changedHashes, cuts);
  const refused = opened.refused.map((each) => ({ ...each, file: cuts.text(each.file) }));
  return { ...opened, files, manifest, refused, tokens: cuts.made() };
}

/** With the new hashes of changed files by the old ones, which a manifest may list: it is about what came. */
async function filesWithout(files: readonly RuleFile[], cuts: TokenCuts): Promise<[RuleFile[], Map<string, string>]> {
  const changedHashes = new Map<string, string>();
  const clean: RuleFile[] = [];
  let sinceRest = 0;
  for (const { path, bytes } of files) {
    const left = bytes.length > atOnceBytes && !(await mayHoldToken(bytes, cuts)) ? bytes : bytesWithout(bytes, cuts);
    if (left !== bytes) changedHashes.set(sha256Of(bytes), sha256Of(left));
    clean.push({ path: cuts.text(path), bytes: left });
    sinceRest += bytes.length + fileCost;
    if (sinceRest < atOnceBytes) continue;
    sinceRest = 0;
    await nextTurn();
  }
  return [clean, changedHashes];
}

/** A file's path is looked through too, and there may be thousands of empty files. */
const fileCost = 8 * 1024;
const pieceBytes = 2 * 2 ** 20;

/** Of a large file, without keeping others waiting. A piece may begin and end within a character. */
async function mayHoldToken(bytes: Uint8Array, cuts: TokenCuts): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = Buffer.from(
      bytes.buffer,
      bytes.byteOffset + at,
      Math.min(pieceBytes + 4 * cuts.overlap, bytes.length - at),
    );
    if (cuts.mayCut(piece.toString('utf8')) || (!isUtf8(piece) && cuts.mayCut(piece.toString('latin1')))) return true;
    await nextTurn();
  }
  return false;
}

/** Bytes that are no text stay as they are around what is taken out. */
function bytesWithout(bytes: Uint8Array, cuts: TokenCuts): Uint8Array {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  const left = cuts.text(text, bytes);
  return left === text ? bytes : Buffer.from(left, encoding);
}

const manifestWithout = (
  { version, group, published, files }: PackageManifest,
  changedHashes: ReadonlyMap<string, string>,
  cuts: TokenCuts,
): PackageManifest => ({
  version: cuts.text(version),
  group: group === null ? null : cuts.text(group),
  published: published === null ? null : cuts.text(published),
  files: files.map(({ path, sha256, sizeBytes }) => ({
    path: cuts.text(path),
    sha256: changedHashes.get(sha256) ?? sha256,
    sizeBytes,
  })),
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Place = TokenPlaces['at'][number];

/** More of them are not written into rules by mistake, and all are kept. */
const placesAtMost = 10_000;
/** Escaped more than once, one character takes no more characters than this (redaction.ts). */
const longestFormOfUnit = 24;

/** Takes tokens out of the texts of one package: those that are known now, and those at the noted places. */
class TokenCuts {
  readonly #package: string;
  readonly #tokens: readonly string[];
  readonly #noted: ReadonlyMap<string, readonly Place[]>;
  readonly #made = new Map<string, Place[]>();
  #count = 0;

  constructor(packageSha256: string, tokens: readonly string[], noted: readonly TokenPlaces[]) {
    this.#package = packageSha256;
    this.#tokens = tokens;
    this.#noted = new Map(noted.map(({ sha256, at }) => [sha256, at]));
  }

  /** `bytes`: what the text is of, where these are not its UTF-8. @throws FailureError `package-unreadable` */
  text(text: string, bytes?: Uint8Array): string {
    const known = this.#noted.size === 0 ? [] : (this.#noted.get(sha256OfText(bytes ?? text)) ?? []);
    const found = this.#tokens.flatMap((token) => redactionFor(token).placesInData(text));
    if (known.length + found.length === 0) return text;
    const places = joined([...known, ...found]);
    this.#keep(sha256OfText(bytes ?? text), places);
    return redactedText(text, places);
  }

  /** Whether something may have to be taken out of a long text, judged by its pieces, which overlap by `overlap`. */
  mayCut(piece: string): boolean {
    return this.#noted.size > 0 || this.#tokens.some((token) => redactionFor(token).placesInData(piece).length > 0);
  }

  /** UTF-16 units that a token may take, in whatever form it is found. */
  get overlap(): number {
    return Math.max(0, ...this.#tokens.map(({ length }) => length)) * longestFormOfUnit;
  }

  /** All places of which something was taken. */
  made(): TokenPlaces[] {
    return [...this.#made].map(([sha256, at]) => ({ sha256, at }));
  }

  #keep(sha256: string, places: Place[]): void {
    this.#made.set(sha256, places);
    this.#count += places.length;
    if (this.#count > placesAtMost)
      fail({
        kind: 'package-unreadable',
        sha256: this.#package,
        text: 'It contains a token of this workspace too often.',
      });
  }
}

/** In order, those that touch each other as one. */
function joined(places: readonly Place[]): Place[] {
  const sorted = places.toSorted(([one], [other]) => one - other);
  const result: Place[] = [];
  for (const [from, length] of sorted) {
    const last = result.at(-1);
    if (last === undefined || from > last[0] + last[1]) result.push([from, length]);
    else last[1] = Math.max(last[1], from + length - last[0]);
  }
  return result;
}

const sha256OfText = (of: string | Uint8Array): string => createHash('sha256').update(of).digest('hex');
