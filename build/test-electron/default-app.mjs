import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * What Electron's own default app does for `electron [-r MODULE] FOLDER`: the runtime of the tests comes without one.
 * It lies in `resources/default_app.asar` of that runtime, whose name is Vitrine's then.
 */
/** @type {string[]} */
const preloaded = [];
let folder = '.';
for (let at = 1; at < process.argv.length; at += 1) {
  const text = process.argv[at] ?? '';
  if (text === '-r' || text === '--require') preloaded.push(process.argv[(at += 1)] ?? '');
  else if (!text.startsWith('-')) {
    folder = text;
    break;
  }
}
folder = resolve(folder);
// Before the modules: Playwright's takes its own arguments away.
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
for (const path of preloaded) createRequire(import.meta.url)(path);
/** @type {unknown} */
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const main =
  typeof manifest === 'object' && manifest !== null && 'main' in manifest ? String(manifest.main) : 'index.js';
await import(pathToFileURL(join(folder, main)).href);
