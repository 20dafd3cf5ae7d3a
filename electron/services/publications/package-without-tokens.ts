import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import type { TokenPlaces } from '../../storage/token-places.ts';
import { atOnceBytes, type OpenedPackage } from './opened-package.ts';
import { TokenCuts } from './token-cuts.ts';

/** A package as it is used here, and what was taken out of it. */
export interface CleanPackage extends OpenedPackage {
  tokens: TokenPlaces[];
}

/**
 * A package without the tokens of its workspace, which a server may have written anywhere into it: they stand in no
 * text of it. All that is told, kept or compiled of rules is of what this gives; the bytes that came lie in their
 * container as they are. A rule that is named after a token does not compile then, and is left out as any other that
 * does not. `noted`: what was taken out when it was received.
 * @throws FailureError `package-unreadable` where there are more of them than are noted
 */
export async function packageWithoutTokens(
  opened: OpenedPackage,
  { sha256, tokens, noted }: { sha256: string; tokens: readonly string[]; noted: readonly TokenPlaces[] },
): Promise<CleanPackage> {
  if (tokens.length === 0 && noted.length === 0) return { ...opened, tokens: [] };
  const cuts = new TokenCuts(sha256, tokens, noted);
  const [files, told] = await filesWithout(opened.files, cuts);
  const manifest = opened.manifest && manifestWithout(opened.manifest, told, cuts);
  const refused = opened.refused.map((each) => ({ ...each, file: cuts.text(each.file) }));
  return { ...opened, files, manifest, refused, tokens: cuts.made() };
}

/** With the hashes that a manifest may tell of those that are others now: it is about what came. */
async function filesWithout(files: readonly RuleFile[], cuts: TokenCuts): Promise<[RuleFile[], Map<string, string>]> {
  const told = new Map<string, string>();
  const clean: RuleFile[] = [];
  let sinceRest = 0;
  for (const { path, bytes } of files) {
    const left = bytes.length > atOnceBytes && !(await mayHoldToken(bytes, cuts)) ? bytes : bytesWithout(bytes, cuts);
    if (left !== bytes) told.set(sha256Of(bytes), sha256Of(left));
    clean.push({ path: cuts.text(path), bytes: left });
    sinceRest += bytes.length + fileCost;
    if (sinceRest < atOnceBytes) continue;
    sinceRest = 0;
    await breathe();
  }
  return [clean, told];
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
    await breathe();
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
  told: ReadonlyMap<string, string>,
  cuts: TokenCuts,
): PackageManifest => ({
  version: cuts.text(version),
  group: group === null ? null : cuts.text(group),
  published: published === null ? null : cuts.text(published),
  files: files.map(({ path, sha256, sizeBytes }) => ({
    path: cuts.text(path),
    sha256: told.get(sha256) ?? sha256,
    sizeBytes,
  })),
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
