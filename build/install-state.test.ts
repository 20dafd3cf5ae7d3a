import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installState } from './install-state.mjs';

let tree: string;
beforeEach(() => (tree = mkdtempSync(join(tmpdir(), 'vitrine-install-'))));
afterEach(() => rmSync(tree, { recursive: true, force: true }));

type Packages = Record<string, { version: string; optional?: boolean }>;
function lock(pinned: Packages, installed: Packages | null): void {
  writeFileSync(join(tree, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...pinned } }));
  mkdirSync(join(tree, 'node_modules'));
  if (installed !== null)
    writeFileSync(join(tree, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
}

test('the installation is ready when the pinned packages are installed', () => {
  lock({ 'node_modules/a': { version: '1.0.0' } }, { 'node_modules/a': { version: '1.0.0' } });
  expect(installState(tree)).toEqual({ ready: true });
});

test('the installation is ready without a package for another system', () => {
  lock(
    { 'node_modules/a': { version: '1.0.0' }, 'node_modules/mac': { version: '1.0.0', optional: true } },
    { 'node_modules/a': { version: '1.0.0' } },
  );
  expect(installState(tree)).toEqual({ ready: true });
});

test.each<[string, Packages, Packages | null, string]>([
  ['nothing installed', { 'node_modules/a': { version: '1.0.0' } }, null, 'not installed'],
  [
    'an older version',
    { 'node_modules/a': { version: '1.1.0' } },
    { 'node_modules/a': { version: '1.0.0' } },
    'node_modules/a',
  ],
  [
    'a missing package',
    { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0' } },
    { 'node_modules/a': { version: '1.0.0' } },
    'node_modules/b',
  ],
])('the installation check reports %s', (_what, pinned, installed, words) => {
  lock(pinned, installed);
  expect(installState(tree)).toEqual({ ready: false, reason: expect.stringContaining(words) });
});

test('the installation check treats a damaged installation record as missing', () => {
  lock({ 'node_modules/a': { version: '1.0.0' } }, {});
  writeFileSync(join(tree, 'node_modules', '.package-lock.json'), '{"packages":');
  expect(installState(tree)).toEqual({ ready: false, reason: 'The packages are not installed.' });
});
