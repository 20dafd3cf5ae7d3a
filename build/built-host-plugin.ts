import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { root } from './paths.ts';

/** Either quote matches: Vite has rewritten the code before it comes here. */
const program = /new URL\(['"]([./]*(?:cli|lab|scanner|web))\.ts['"], import\.meta\.url\)/g;
const thread = /beside: import\.meta\.url/g;
/** It makes the place of its programs out of its own. */
const platform = 'electron/platform/node-platform.ts';

/**
 * Tests start threads and programs of the host from its build: hundreds of each, which take half as long to load again
 * from the sources.
 */
export function builtHost(built: string): Plugin {
  return {
    name: 'built-host',
    transform: (code, id) => startedFrom(built, relative(root, id).split(sep).join('/'), code),
  };
}

/**
 * A source that starts what was built. `built`: a folder laid out as the sources are; `path`: of the source. What tests
 * bring themselves is in no build.
 */
export function startedFrom(built: string, path: string, code: string): string | null {
  if (!path.startsWith('electron/')) return null;
  const place = JSON.stringify(pathToFileURL(join(built, path.replace(/\.ts$/, '.js'))).href);
  if (path === platform) return code.replaceAll('import.meta.url', place);
  const programs = code.replace(program, `new URL('$1.js', ${place})`);
  return /\.(test|fixture)\.ts$/.test(path) ? programs : programs.replace(thread, `beside: ${place}`);
}
