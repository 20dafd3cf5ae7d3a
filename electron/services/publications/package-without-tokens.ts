import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { redactionFor } from '../../api/redaction.ts';
import type { OpenedPackage } from './opened-package.ts';
import { atOnceBytes } from './package-bytes.ts';

type Redact = (text: string) => string;

/**
 * A package as it is used here: a token of its workspace, which a server may have written anywhere into it, stands in no text of it.
 * All that is told, kept or compiled of rules is of what this gives; the bytes that came lie in their container as they are. A rule that
 * is named after a token does not compile then, and is left out as any other that does not.
 */
export async function packageWithoutTokens(opened: OpenedPackage, tokens: readonly string[]): Promise<OpenedPackage> {
  if (tokens.length === 0) return opened;
  const redact: Redact = (text) => tokens.reduce((left, token) => redactionFor(token).data(left), text);
  const [files, told] = await filesWithout(opened.files, redact);
  return { files, manifest: opened.manifest && manifestWithout(opened.manifest, told, redact), refused: opened.refused.map((each) => ({ ...each, file: redact(each.file) })) };
}

/** With the hashes that a manifest may tell of those that are others now: it is about what came. */
async function filesWithout(files: readonly RuleFile[], redact: Redact): Promise<[RuleFile[], Map<string, string>]> {
  const told = new Map<string, string>();
  const clean: RuleFile[] = [];
  let sinceRest = 0;
  for (const { path, bytes } of files) {
    const left = bytesWithout(bytes, redact);
    if (left !== bytes) told.set(sha256Of(bytes), sha256Of(left));
    clean.push({ path: redact(path), bytes: left });
    sinceRest += bytes.length;
    if (sinceRest < atOnceBytes) continue;
    sinceRest = 0;
    await breathe();
  }
  return [clean, told];
}

/** Bytes that are no text stay as they are around what is taken out. */
function bytesWithout(bytes: Uint8Array, redact: Redact): Uint8Array {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
  const left = redact(text);
  return left === text ? bytes : Buffer.from(left, encoding);
}

const manifestWithout = ({ version, group, published, files }: PackageManifest, told: ReadonlyMap<string, string>, redact: Redact): PackageManifest => ({
  version: redact(version),
  group: group === null ? null : redact(group),
  published: published === null ? null : redact(published),
  files: files.map(({ path, sha256, sizeBytes }) => ({ path: redact(path), sha256: told.get(sha256) ?? sha256, sizeBytes })),
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
