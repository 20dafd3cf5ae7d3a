import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { FailureError } from '../../shared/failure.ts';
import { makeExportFolder, readWebArguments } from './web-start.ts';

const home = { HOME: '/home/a', XDG_DATA_HOME: '', APPDATA: '/home/a' };

test('the web program without options uses the usual port and data directory and opens a browser', () => {
  const read = readWebArguments([], home);
  expect(read).toMatchObject({
    kind: 'run',
    arguments: { port: 47117, data: { named: null, moveTo: null }, exportFolder: null, openBrowser: true },
  });
});

test('the web program makes given folders absolute', () => {
  const read = readWebArguments(['--data', 'd', '--exports', 'e', '--port', '0', '--no-open'], home);
  expect(read).toMatchObject({
    kind: 'run',
    arguments: { port: 0, data: { named: resolve('d') }, exportFolder: resolve('e'), openBrowser: false },
  });
  expect(readWebArguments(['--move-data-to', 'm'], home)).toMatchObject({
    kind: 'run',
    arguments: { data: { named: null, moveTo: resolve('m') } },
  });
  expect(readWebArguments(['--restore', 'r', '--backups', 'b'], home)).toMatchObject({
    kind: 'run',
    arguments: { data: { named: null, moveTo: null, restore: resolve('r') }, backupFolder: resolve('b') },
  });
});

test('the web program makes the watched folder absolute, and has none without the option', () => {
  expect(readWebArguments(['--watch', 'w'], home)).toMatchObject({
    kind: 'run',
    arguments: { watchFolder: resolve('w') },
  });
  expect(readWebArguments([], home)).toMatchObject({ kind: 'run', arguments: { watchFolder: null } });
});

test('the web program takes several folders in which the page may choose one', () => {
  expect(readWebArguments(['--folder', 'a', '--folder', '/srv/b'], home)).toMatchObject({
    kind: 'run',
    arguments: { folders: [resolve('a'), resolve('/srv/b')] },
  });
  expect(readWebArguments([], home)).toMatchObject({ kind: 'run', arguments: { folders: [] } });
});

test.each([
  ['--port', '70000'],
  ['--port', 'x'],
  ['--port', '-1'],
  ['--prot', '1'],
  ['stray'],
  ['--restore', 'r', '--move-data-to', 'm'],
])('the web program reports a wrong argument in a sentence: %s %s %s %s', (...args) => {
  expect(
    readWebArguments(
      args.filter((arg) => arg !== undefined),
      home,
    ),
  ).toMatchObject({ kind: 'wrong' });
});

test('the web program prints its help', () => {
  expect(readWebArguments(['--help'], home)).toEqual({ kind: 'help' });
});

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'vitrine-exports-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function sentenceOf(folder: string): Promise<string> {
  const error: unknown = await makeExportFolder(folder).catch((reason: unknown) => reason);
  if (!(error instanceof FailureError)) throw new Error(`no failure: ${String(error)}`);
  const { what, then } = sentenceFor(error.failure);
  return `${what}. ${then}`;
}

test('the web program creates a missing folder for exports, and leaves an existing one unchanged', async () => {
  await makeExportFolder(join(base, 'new'));
  await writeFile(join(base, 'new', 'kept'), '');
  await makeExportFolder(join(base, 'new'));
  expect([await readdir(base), await readdir(join(base, 'new'))]).toEqual([['new'], ['kept']]);
});

test('the web program reports a file in its place, or no parent folder, in a sentence', async () => {
  await writeFile(join(base, 'file'), '');
  await mkdir(join(base, 'folder'));
  await symlink(join(base, 'gone'), join(base, 'link'), 'junction');
  for (const place of ['file', join('file', 'below'), 'link'])
    expect(await sentenceOf(join(base, place))).toBe(
      `Cannot write to this folder. ${join(base, place)} is not a folder, or is inside a file. Choose another one.`,
    );
  expect(await sentenceOf(join(base, 'not', 'there'))).toBe(
    `Cannot write to this folder. ${join(base, 'not', 'there')} does not exist, or its parent folder does not. ` +
      'Create it, or choose another one.',
  );
});
