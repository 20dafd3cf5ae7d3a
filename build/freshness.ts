import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { out, root } from './paths.ts';

/** What a build is made of and makes. Sources are globs below the project's top. */
export interface Built {
  name: string;
  sources: readonly string[];
  /** A file that is there when the build was done. */
  result: string;
  /** What else it is made of, such as a path that is written into it. */
  besides?: string;
}

/** Whether the build must be done again: its result is missing, or a source has another time or size than then. */
export function isStale(built: Built, tree: string = root): boolean {
  const stamp = stampPath(built);
  return !existsSync(built.result) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint(built, tree);
}

/** To be called with the fingerprint taken before the build, so that an edit during it is not missed. */
export function markFresh(built: Built, print: string): void {
  mkdirSync(dirname(stampPath(built)), { recursive: true });
  writeFileSync(stampPath(built), print);
}

export function fingerprint({ sources, besides = '' }: Built, tree: string = root): string {
  const hash = createHash('sha256').update(besides);
  for (const path of globSync([...sources], { cwd: tree })
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .toSorted()) {
    const { size, mtimeMs } = statSync(join(tree, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function stampPath({ name }: Built): string {
  return join(out, 'stamps', name);
}
