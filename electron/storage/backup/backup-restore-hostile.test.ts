import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { digestOf } from '../directory/folder-copy.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { readBackupFile, takeBackupFolder } from './backup-folder.ts';
import { readBackupList } from './backup-list.ts';
import { makeBackup } from './backup-making.ts';
import { objectPath } from './backup-objects.ts';
import { restoreBackup } from './backup-restore.ts';

let folder: TestFolder;
let data: string;
let backup: string;
let target: string;
let database: TestDatabase;
beforeEach(() => {
  folder = makeTestFolder();
  [data, backup, target] = [join(folder.path, 'Vitrine'), join(folder.path, 'backup'), join(folder.path, 'restored')];
  database = openTestDatabase(data);
  mkdirSync(join(data, 'vault', 'ab'), { recursive: true, mode: 0o700 });
  put('vault/ab/sample', 'sample');
  put('tokens.sealed', '{}');
});
afterEach(() => {
  database.db.close();
  folder.remove();
});

const put = (path: string, bytes: string): void => writeFileSync(join(data, path), bytes);
const restore = () => restoreBackup({ backup, target, onBegin: () => {} });

async function make(): Promise<void> {
  const order = {
    from: data,
    to: await takeBackupFolder(backup, { data, installation: 'desk' }),
    installation: 'desk',
    version: '1.0.0',
  };
  await makeBackup(order, { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} });
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

/** What the state in force has, by path. */
async function listed(): Promise<Map<string, string>> {
  const name = (await readBackupFile(backup))?.whole?.list.name ?? '';
  const found = new Map<string, string>();
  for await (const line of readBackupList(join(backup, name)))
    if (line !== null && 'path' in line) found.set(line.path, line.sha256);
  return found;
}

test('restore counts all damaged files, names twenty, and includes a grown file, a link and a pipe', async () => {
  for (let at = 0; at < 25; at++) put(`vault/ab/many-${at}`, `many ${at}`);
  await make();
  const paths = [...(await listed())]
    .filter(([path]) => path.startsWith('vault'))
    .map(([, sha256]) => objectPath(backup, sha256));
  const [grown = '', linked = '', piped = '', ...others] = paths;
  writeFileSync(grown, Buffer.alloc(4096));
  rmSync(linked);
  symlinkSync(join(data, 'tokens.sealed'), linked);
  rmSync(piped);
  if (platform !== 'win32') execFileSync('mkfifo', [piped]);
  for (const path of others) rmSync(path);
  const failure = await refusal(restore());
  expect(failure).toMatchObject({ kind: 'backup-damaged', path: backup, count: 26 });
  expect(failure).toHaveProperty('files.length', 20);
  expect(readdirSync(target)).toEqual(['lock.db']);
});

test.each([
  'desk.key',
  'desk.sock',
  'Lock.DB',
  'moved-from.jsonl',
  'move.unfinished',
  'vitrine.db-wal',
  'page/Cookies',
  'vault/x\0',
  `vault/${'x'.repeat(256)}`,
  '../out',
  '/out',
])('restore refuses a foreign list that contains %j', async (path) => {
  await make();
  const file = readFileSync(join(backup, 'backup.json'), 'utf8');
  const { name, sha256 } = (await readBackupFile(backup))?.whole?.list ?? { name: '', sha256: '' };
  appendFileSync(
    join(backup, name),
    `${JSON.stringify({ path, sizeBytes: 2, changedMs: 0, sha256: (await listed()).get('tokens.sealed') })}\n`,
  );
  writeFileSync(join(backup, 'backup.json'), file.replace(sha256, await digestOf(join(backup, name))));
  expect(await refusal(restore())).toEqual({ kind: 'backup-damaged', path: backup, files: [name], count: 1 });
});

test('restore refuses a backup marker that is too long, a link or without a time', async () => {
  await make();
  const path = join(backup, 'backup.json');
  const file = readFileSync(path, 'utf8');
  const damaged = { kind: 'backup-damaged', path: backup, files: ['backup.json'], count: 1 };
  writeFileSync(path, `${file}${' '.repeat(70_000)}`);
  expect(await refusal(restore())).toEqual(damaged);
  writeFileSync(path, file.replace(/"made": "[^"]*"/, String.raw`"made": "\u001b[2J"`));
  expect(await refusal(restore())).toEqual(damaged);
  writeFileSync(join(folder.path, 'other.json'), file);
  rmSync(path);
  symlinkSync(join(folder.path, 'other.json'), path);
  expect(await refusal(restore())).toEqual(damaged);
});

test('the second of two restores into one folder is refused, and the first completes', async () => {
  await make();
  const seconds: Promise<unknown>[] = [];
  await restoreBackup({
    backup,
    target,
    onBegin: () => {},
    onBytes: () => {
      if (seconds.length === 0) seconds.push(refusal(restore()));
    },
  });
  expect(await Promise.all(seconds)).toEqual([{ kind: 'data-in-use', path: target }]);
  expect(readFileSync(join(target, 'vault', 'ab', 'sample'), 'utf8')).toBe('sample');
});

test('the first backup after a restore copies only its database', async () => {
  await make();
  await restore();
  let copied: number | null = null;
  await makeBackup(
    { from: target, to: backup, installation: 'desk', version: '1.0.0' },
    {
      planned: () => {},
      read: () => {},
      file: () => {},
      lost: () => {},
      whole: (made) => {
        copied = made.copied;
      },
    },
  );
  expect(copied).toBeLessThanOrEqual(1);
  expect((await listed()).size).toBe(3);
});
