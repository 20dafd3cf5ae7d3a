import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { atOnceBytes } from './package-bytes.ts';

/** Whether a manifest tells of other files than there are. Files that are no rules are not looked at. */
export async function contradicts({ files: told }: PackageManifest, files: readonly RuleFile[]): Promise<boolean> {
  const found = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const toldPaths = new Set(told.map(({ path }) => path));
  if (files.some(({ path }) => !toldPaths.has(path))) return true;
  const hashes = await hashesOf(found);
  return told.some(({ path, sha256 }) => (hashes.get(path) ?? sha256) !== sha256);
}

/** SHA-256 by path. */
async function hashesOf(files: ReadonlyMap<string, Uint8Array>): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  let sinceRest = 0;
  for (const [path, bytes] of files) {
    const sum = createHash('sha256');
    for (let at = 0; at < bytes.length; at += atOnceBytes) {
      const piece = bytes.subarray(at, at + atOnceBytes);
      sum.update(piece);
      sinceRest += piece.length;
      if (sinceRest < atOnceBytes) continue;
      sinceRest = 0;
      await breathe();
    }
    hashes.set(path, sum.digest('hex'));
  }
  return hashes;
}
