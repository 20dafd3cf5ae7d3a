import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { expect, test } from 'vitest';
import { failed } from '../../shared/failure.ts';
import { systemPath } from '../base/name-bytes.ts';
import { temporaryFolder } from '../base/temporary-folder.fixture.ts';
import { stagedFile } from './client.ts';
import { givenFiles } from './given-files.ts';

const terminal = { complain: (): void => {} };

test('given files are the named ones and all below folders, sorted by name, without links below folders', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'in/deep'), { recursive: true });
  for (const name of ['in/b', 'in/a', 'in/deep/c', 'alone']) await writeFile(join(folder, name), name);
  await symlink('a', join(folder, 'in/link'));
  const { files, leftOut } = await givenFiles(terminal, [join(folder, 'in'), join(folder, 'alone')]);
  const found = files.map(({ path, folder: inside }) => [path.slice(folder.length + 1), inside]);
  expect(found).toEqual([
    ['in/a', 'in'],
    ['in/b', 'in'],
    ['in/deep/c', 'in/deep'],
    ['alone', ''],
  ]);
  expect(leftOut).toEqual([join(folder, 'in/link')]);
});

test.skipIf(platform !== 'linux')(
  'a name that is not UTF-8 is accepted once, as an argument or below a folder, and shown by its bytes',
  async () => {
    const folder = temporaryFolder();
    const at = (hex: string): Buffer => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(hex, 'hex')]);
    await mkdir(at('90bf8b818f91'));
    await writeFile(at('90bf8b818f912f61e92e657865'), 'one');
    await writeFile(at('90bf8b818f912f61ea2e657865'), 'two');
    const typed = join(folder, '\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd', 'a\ufffd.exe');
    for (const args of [[typed, typed], [folder]]) {
      const { files } = await givenFiles(terminal, args);
      const bytes = files.map(({ path }) => Buffer.from(systemPath(path)).toString('latin1').slice(-6));
      expect([files.length, bytes]).toEqual([2, ['aé.exe', 'aê.exe']]);
      expect(files[0]?.shown).toBe(`${folder}/\\x90\\xbf\\x8b\\x81\\x8f\\x91/a\\xe9.exe`);
    }
    expect((await givenFiles(terminal, [folder])).files[0]?.folder).toMatch(/請求書$/);
  },
);

test('a file that disappears while it is passed to the host is reported by the typed name', async () => {
  const client = { stageFile: async () => failed({ kind: 'staged-file-missing' as const, id: 'x' }) };
  expect(await stagedFile(client, { path: '/folder/gone', shown: 'folder/gone' })).toMatchObject({
    failure: { kind: 'file-gone', name: 'folder/gone' },
  });
});
