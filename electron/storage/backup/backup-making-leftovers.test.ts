import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fail, FailureError } from '../../../shared/failure.ts';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import * as folderCopy from '../directory/folder-copy.ts';
import { sampleIn } from '../testing/container.fixture.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { readBackupFile, takeBackupFolder } from './backup-folder.ts';
import { readBackupList } from './backup-list.ts';
import { type BackupFollower, makeBackup } from './backup-making.ts';
import { restoreBackup } from './backup-restore.ts';
import * as restoreNote from './database-copy.ts';

vi.mock(import('../directory/folder-copy.ts'), { spy: true });
vi.mock(import('./database-copy.ts'), { spy: true });

let folder: TestFolder;
let data: string;
let backup: string;
let target: string;
let database: TestDatabase;
beforeEach(() => {
  folder = makeTestFolder();
  [data, backup, target] = [join(folder.path, 'Vitrine'), join(folder.path, 'backup'), join(folder.path, 'restored')];
  database = openTestDatabase(data);
  for (const sha256 of [sound, unreadable])
    mkdirSync(dirname(join(data, inVault(sha256))), { recursive: true, mode: 0o700 });
});
afterEach(() => {
  vi.mocked(folderCopy.openToCopy).mockReset();
  vi.mocked(restoreNote.leaveRestoreNote).mockReset();
  database.db.close();
  folder.remove();
});

const samples = { sound: sampleIn('sound'), unreadable: sampleIn('unreadable') };
const [sound, unreadable] = [samples.sound.sha256, samples.unreadable.sha256];
const inVault = (sha256: string): string => join('vault', sha256.slice(0, 2), sha256);
const put = (path: string, bytes: string | Buffer): void => writeFileSync(join(data, path), bytes);
const know = (sha256: string): void =>
  void database.db.sql
    .prepare("INSERT INTO sample (md5, sha256, in_vault, first_seen, last_seen) VALUES (?, ?, 1, '2030', '2030')")
    .run(sha256.slice(0, 32), sha256);

async function make(
  follower: Partial<BackupFollower> = {},
): Promise<{ copied: number; files: number; missed: number; lost: string[] }> {
  const reported = { copied: 0, files: 0, missed: 0, lost: new Array<string>() };
  const to = await takeBackupFolder(backup, { data, installation: 'desk' });
  await makeBackup(
    { from: data, to, installation: 'desk', version: '1.0.0' },
    {
      planned: () => {},
      read: () => {},
      file: () => {},
      lost: ({ kind, sha256 }) => void reported.lost.push(`${kind} ${sha256}`),
      whole: ({ copied, files, missed }) => void Object.assign(reported, { copied, files, missed }),
      ...follower,
    },
  );
  return reported;
}

/** How the disk fails at one file: when it is opened, or when its first byte is read. */
function harm(path: string, how: 'opened' | 'read'): void {
  const openToCopy = vi.mocked(folderCopy.openToCopy).getMockImplementation();
  vi.mocked(folderCopy.openToCopy).mockImplementation(async (root, name, rules) => {
    if (name !== path) return openToCopy === undefined ? open(join(root, name), 'r') : openToCopy(root, name, rules);
    return how === 'read' ? open(data, 'r') : fail({ kind: 'disk-failed', path: join(root, name), code: 'EACCES' });
  });
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

test.each(['opened', 'read'] as const)(
  'a backup names a sample that cannot be %s and is in no backup, and contains all else',
  async (how) => {
    for (const { sha256, container } of [samples.sound, samples.unreadable]) {
      know(sha256);
      put(inVault(sha256), container());
    }
    harm(inVault(unreadable), how);
    for (let times = 0; times < 2; times++)
      expect(await make()).toMatchObject({ files: 2, missed: 1, lost: [`backup-missed ${unreadable}`] });
    await restoreBackup({ backup, target, onBegin: () => {} });
    expect([existsSync(join(target, inVault(sound))), existsSync(join(target, inVault(unreadable)))]).toEqual([
      true,
      false,
    ]);
  },
);

test.each(['opened', 'read'] as const)(
  'a backup keeps its copy of a sample that can no longer be %s, even a seemingly changed one',
  async (how) => {
    know(unreadable);
    put(inVault(unreadable), samples.unreadable.container());
    await make();
    put(inVault(unreadable), samples.unreadable.container());
    utimesSync(join(data, inVault(unreadable)), 1, 1);
    harm(inVault(unreadable), how);
    for (let times = 0; times < 2; times++)
      expect(await make()).toMatchObject({ files: 2, missed: 0, lost: [`backup-kept ${unreadable}`] });
    await restoreBackup({ backup, target, onBegin: () => {} });
    expect(existsSync(join(target, inVault(unreadable)))).toBe(true);
  },
);

test('an unreadable file that is no sample aborts the backup', async () => {
  put('tokens.sealed', '{}');
  harm('tokens.sealed', 'opened');
  expect(await refusal(make())).toEqual({ kind: 'disk-failed', path: join(data, 'tokens.sealed'), code: 'EACCES' });
});

test('a restore killed while its database was open starts over', async () => {
  put('tokens.sealed', '{}');
  await make();
  const killed = `${target}-killed`;
  vi.mocked(restoreNote.leaveRestoreNote).mockImplementationOnce((path) => {
    const sql = new DatabaseSync(path);
    sql.exec("INSERT INTO setting (name, value) VALUES ('half', '')");
    cpSync(target, killed, { recursive: true });
    sql.close();
  });
  await restoreBackup({ backup, target, onBegin: () => {} });
  // In the middle of a change that SQLite had to begin with a journal, that would lie there, too.
  writeFileSync(join(killed, 'vitrine.db-journal'), '');
  const names = readdirSync(killed)
    .filter((name) => name.startsWith('vitrine.db') || name.startsWith('move.'))
    .toSorted();
  expect(names).toEqual(['move.unfinished', 'vitrine.db', 'vitrine.db-journal', 'vitrine.db-shm', 'vitrine.db-wal']);
  await restoreBackup({ backup, target: killed, onBegin: () => {} });
  expect(readdirSync(killed).toSorted()).toEqual(readdirSync(target).toSorted());
});

const mebibyte = 1024 * 1024;

test.skipIf(!canMountDisks)('bytes of an interrupted run that no list names free space for the next run', async () => {
  backup = join(smallDisk('8m'), 'backup');
  put(inVault(sound), Buffer.alloc(2 * mebibyte, 'sound'));
  await make();
  put(inVault(unreadable), Buffer.alloc(3 * mebibyte, 'cut off'));
  const stop = new Error('stopped');
  let files = 0;
  await expect(
    make({
      file: () => {
        files += 1;
        if (files === 3) throw stop;
      },
    }),
  ).rejects.toBe(stop);
  put(inVault(unreadable), Buffer.alloc(4 * mebibyte, 'another'));
  expect((await make()).files).toBe(3);
  await restoreBackup({ backup, target, onBegin: () => {} });
  expect([sound, unreadable].map((sha256) => existsSync(join(target, inVault(sha256))))).toEqual([true, true]);
});

test.skipIf(!canMountDisks)(
  'cleanup for space removes nothing when the current list differs from the written one',
  async () => {
    backup = join(smallDisk('8m'), 'backup');
    put(inVault(sound), Buffer.alloc(4 * mebibyte, 'sound'));
    await make();
    const list = join(backup, (await readBackupFile(backup))?.whole?.list.name ?? '');
    truncateSync(list, 10);
    put(inVault(unreadable), Buffer.alloc(5 * mebibyte, 'another'));
    rmSync(join(data, inVault(sound)));
    const before = readdirSync(join(backup, 'files'), { recursive: true });
    expect(await refusal(make())).toMatchObject({ kind: 'disk-full' });
    expect(readdirSync(join(backup, 'files'), { recursive: true })).toEqual(before);
  },
);

test('an endless list line is skipped without being held in memory, and later lines are read', async () => {
  const list = join(folder.path, 'list.jsonl');
  const entry = { path: 'vault/x', sizeBytes: 1, changedMs: null, sha256: 'a'.repeat(64) };
  writeFileSync(
    list,
    `${JSON.stringify(entry)}\n${JSON.stringify({ folder: 'lab', more: 'y'.repeat(9 * mebibyte) })}\n` +
      JSON.stringify({ folder: 'vault' }),
  );
  const lines: unknown[] = [];
  for await (const line of readBackupList(list)) lines.push(line);
  expect(lines).toEqual([{ ...entry, path: join('vault', 'x') }, null, { folder: 'vault' }]);
});
