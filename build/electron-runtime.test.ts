import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchElectron, findElectron } from './electron-runtime.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-electron-package-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const download =
  "const { mkdirSync, writeFileSync } = require('node:fs');\nmkdirSync(`${__dirname}/dist`, { recursive: true });\n";

test('a package without a downloaded runtime has no runtime', () => {
  expect(findElectron(folder, {})).toBeNull();
  writeFileSync(join(folder, 'path.txt'), 'electron');
  expect(findElectron(folder, {})).toBeNull();
});

test('the runtime is in the folder that the package names', () => {
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'path.txt'), 'electron');
  writeFileSync(join(folder, 'dist', 'electron'), '');
  expect(findElectron(folder, {})).toBe(join(folder, 'dist', 'electron'));
  expect(findElectron(folder, { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' })).toBeNull();
});

test('the runtime is in the folder of the environment variable, even when none was downloaded', () => {
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere', 'electron'), '');
  expect(findElectron(folder, { ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'elsewhere') })).toBe(
    join(folder, 'elsewhere', 'electron'),
  );
});

test('a successful download provides the runtime', async () => {
  writeFileSync(
    join(folder, 'install.js'),
    `${download}writeFileSync(__dirname + '/dist/electron', '');\nwriteFileSync(__dirname + '/path.txt', 'electron');`,
  );
  chmodSync(folder, 0o755);
  expect(await fetchElectron(20_000, folder)).toEqual({ ok: true, path: join(folder, 'dist', 'electron') });
});

test('a failed download reports its reason in one line', async () => {
  writeFileSync(
    join(folder, 'install.js'),
    "console.error('Error: getaddrinfo ENOTFOUND github.com\\n    at somewhere');\nprocess.exit(1);",
  );
  expect(await fetchElectron(20_000, folder)).toEqual({ ok: false, reason: 'Error: getaddrinfo ENOTFOUND github.com' });
});

test('a stalled download is aborted', async () => {
  writeFileSync(join(folder, 'install.js'), 'setInterval(() => undefined, 1000);');
  expect(await fetchElectron(100, folder)).toEqual({ ok: false, reason: 'no data arrived for 0.1 seconds' });
});
