import { hash } from 'node:crypto';
import type { PackageManifest } from '../../../shared/domain/package-manifest.ts';
import type { RuleFile } from '../../rules/rule-file.ts';

/** Whether a manifest tells of other files than there are. Files that are no rules are not looked at. */
export function contradicts({ files: told }: PackageManifest, files: readonly RuleFile[]): boolean {
  const found = new Map(files.map(({ path, bytes }) => [path, bytes]));
  const toldPaths = new Set(told.map(({ path }) => path));
  if (files.some(({ path }) => !toldPaths.has(path))) return true;
  return told.some(({ path, sha256 }) => {
    const bytes = found.get(path);
    return bytes !== undefined && hash('sha256', bytes) !== sha256;
  });
}
