import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'vite';

/**
 * The scripts that a built page loads before it draws anything: those it names, and what they import. Paths below the
 * page's folder.
 */
export function firstLoad(page: string): string[] {
  const found = new Set<string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const specifier of staticImports(join(page, path))) follow(join('assets', specifier));
  };
  for (const [, path = ''] of readFileSync(join(page, 'index.html'), 'utf8').matchAll(
    /<script [^>]*src="\.\/([^"]+)"/g,
  ))
    follow(path);
  return [...found];
}

/** What they weigh on their way, in bytes, each compressed by itself. */
export function gzippedBytes(page: string, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(page, path))).length, 0);
}

function staticImports(path: string): string[] {
  return parseSync(path, readFileSync(path, 'utf8')).module.staticImports.map(
    ({ moduleRequest }) => moduleRequest.value,
  );
}
