import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { getuid, platform } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { canMountDisks, smallDisk } from '../../base/small-disk.fixture.ts';
import { findDataDirectory } from '../directory/data-location.ts';
import { migrate, migrations } from '../migrations/migrations.ts';
import { filesIn, fillData, journalOf, listedIn, makeBackupOf, ofARun, refusal } from '../testing/backup.fixture.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { killedBackup } from '../testing/killed-backup.fixture.ts';
import { readBackupFile, takeBackupFolder } from './backup-folder.ts';
import { type BackupFollower, makeBackup } from './backup-making.ts';
import { objectPath } from './backup-objects.ts';
import { restoreBackup } from './backup-restore.ts';
import { BackupStore } from './backup-store.ts';

let folder: TestFolder;
let data: string;
let backup: string;
let target: string;
let desk: TestDatabase;
beforeEach(() => {
  folder = makeTestFolder();
  [data, backup, target] = [join(folder.path, 'Vitrine'), join(folder.path, 'backup'), join(folder.path, 'restored')];
  desk = openTestDatabase(data);
  fillData(data);
  note('first');
});
afterEach(() => {
  desk.db.close();
  folder.remove();
});

const note = (hash: string): unknown =>
  desk.journal.append({ workspaceId: null, operation: 'look-up', hash, outcome: 'found' });
const deskId = (): string => new BackupStore(desk.db, desk.journal).deskId;

const put = (path: string, bytes: string | Buffer): void => writeFileSync(join(data, path), bytes);
const make = (follower?: Partial<BackupFollower>) => makeBackupOf({ data, backup, desk: deskId() }, follower);
const listed = () => listedIn(backup);
const restore = (from = backup, to = target) => restoreBackup({ backup: from, target: to, onBegin: () => {} });

test('open data is restored completely, except what a run keeps for itself, and its journal is intact', async () => {
  const { files, copied } = await make();
  expect([files, copied]).toEqual([6, 6]);
  note('after the backup');
  expect(await restore()).toMatchObject({ directory: target, files: 6 });
  expect(filesIn(target, /lock\.db|vitrine\.db/)).toEqual(filesIn(data, ofARun));
  expect(findDataDirectory({ named: target, usual: data })).toBe(target);
  expect(statSync(target).mode & 0o077).toBe(0);
  expect(journalOf(target)).toEqual({ rows: ['first'], broken: null });
});

for (const { tags, cases } of longAfter(1, [[[3, 9]], [[1, 6, 13, 18]]]))
  test.each(cases)(
    'killed at whichever change on the disk, the earlier backup can be restored, or the new one: %j',
    { tags, timeout: 30_000 },
    async (moments) => {
      await make();
      desk.db.close();
      put('vault/ab/new', Buffer.alloc(700_000, 'new'));
      put('vault/packs/one.pack', 'packed, and more');
      const killed: boolean[] = [];
      for (const times of moments) {
        killed.push(await killedBackup(times, { from: data, to: backup }));
        await restore();
        expect(['packed', 'packed, and more']).toContain(readFileSync(join(target, 'vault/packs/one.pack'), 'utf8'));
        expect(journalOf(target).broken).toBeNull();
        rmSync(target, { recursive: true });
        utimesSync(join(data, 'vault/ab/new'), times, times);
      }
      expect(killed).toContain(true);
      desk = openTestDatabase(data);
    },
  );

test.skipIf(platform === 'win32' || getuid?.() === 0)(
  'a folder that cannot be read is refused in its own words',
  async () => {
    mkdirSync(backup, { mode: 0o300 });
    expect(await refusal(make())).toEqual({ kind: 'backup-refused', path: backup, reason: 'unreadable' });
  },
);

test.skipIf(!canMountDisks)(
  'a disk that is too small says so before anything is copied, and the earlier backup is whole',
  async () => {
    backup = join(smallDisk('8m'), 'backup');
    await make();
    put('vault/ab/large', Buffer.alloc(9 * 1024 * 1024, 'large'));
    const before = filesIn(backup, /nothing/);
    expect(await refusal(make())).toMatchObject({ kind: 'disk-full' });
    expect(filesIn(backup, /nothing/)).toEqual(before);
    await restore();
    expect(existsSync(join(target, 'vault/ab/sample'))).toBe(true);
  },
);

test.each([
  ['altered', (path: string) => writeFileSync(path, Buffer.alloc(3 * 1024 * 1024, 'altered'))],
  ['cut off', (path: string) => truncateSync(path, 1000)],
  ['missing', (path: string) => rmSync(path)],
])('a file of the backup that is %s is named, and nothing is left of the restore', async (_how, harm) => {
  await make();
  harm(objectPath(backup, (await listed()).get('vault/ab/sample') ?? ''));
  expect(await refusal(restore())).toEqual({
    kind: 'backup-damaged',
    path: backup,
    files: [join('vault', 'ab', 'sample')],
    count: 1,
  });
  expect(readdirSync(target)).toEqual(['lock.db']);
});

test('a list that was changed, and a folder that is no backup or none that came to its end, are refused', async () => {
  expect(await refusal(restore())).toEqual({ kind: 'backup-refused', path: backup, reason: 'no-backup' });
  await takeBackupFolder(backup, { data, desk: deskId() });
  expect(await refusal(restore())).toMatchObject({ reason: 'unfinished' });
  await make();
  const name = (await readBackupFile(backup))?.whole?.list.name ?? '';
  const list = readFileSync(join(backup, name), 'utf8');
  writeFileSync(join(backup, name), list.replace('vault/ab/sample', 'vault/ab/simple'));
  expect(await refusal(restore())).toEqual({ kind: 'backup-damaged', path: backup, files: [name], count: 1 });
  writeFileSync(join(backup, 'backup.json'), '{');
  expect(await refusal(restore())).toEqual({ kind: 'backup-damaged', path: backup, files: ['backup.json'], count: 1 });
  expect(existsSync(target)).toBe(false);
});

test('nothing is restored over data, nor into the backup', async () => {
  await make();
  const before = filesIn(data, /nothing/);
  expect(await refusal(restore(backup, data))).toEqual({ kind: 'backup-refused', path: data, reason: 'not-for-data' });
  expect(filesIn(data, /nothing/)).toEqual(before);
  expect(await refusal(restore(backup, join(backup, 'new')))).toMatchObject({
    kind: 'backup-refused',
    reason: 'not-for-data',
  });
});

test('a restore that was cut off is opened by nobody, and the next one begins anew', async () => {
  await make();
  let read = 0;
  const cutOff = restoreBackup({
    backup,
    target,
    onBegin: () => {},
    onBytes: (bytes) => {
      read += bytes;
      if (read > 1024 ** 2) cpSync(target, `${target}-killed`, { recursive: true });
    },
  });
  await cutOff;
  expect(await refusal((async () => findDataDirectory({ named: `${target}-killed`, usual: data }))())).toEqual({
    kind: 'data-unfinished',
    path: `${target}-killed`,
  });
  await restore(backup, `${target}-killed`);
  expect(journalOf(`${target}-killed`)).toEqual({ rows: ['first'], broken: null });
});

test('a backup of a newer program is refused before anything is copied', async () => {
  await make();
  const path = join(backup, 'backup.json');
  const file = readFileSync(path, 'utf8');
  writeFileSync(path, file.replace(`"schema": ${migrations.length}`, `"schema": ${migrations.length + 1}`));
  expect(await refusal(restore())).toEqual({
    kind: 'data-newer',
    path: backup,
    found: migrations.length + 1,
    supported: migrations.length,
  });
  writeFileSync(path, file.replace('"format": 1', '"format": 2'));
  expect(await refusal(restore())).toEqual({ kind: 'data-newer', path: backup, found: 2, supported: 1 });
  expect(existsSync(target)).toBe(false);
});

test.each([1, 2, 3, 4, 5, 6, 7])('a backup of version %i is brought up to date when it is opened', async (version) => {
  desk.db.close();
  rmSync(join(data, 'vitrine.db'));
  const sql = new DatabaseSync(join(data, 'vitrine.db'));
  migrate(sql, migrations.slice(0, version));
  const order = {
    from: data,
    to: await takeBackupFolder(backup, { data, desk: 'old' }),
    desk: 'old',
    version: '1.0.0',
  };
  await makeBackup(order, { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} });
  sql.close();
  expect((await readBackupFile(backup))?.whole?.schema).toBe(version);
  await restore();
  expect(journalOf(target)).toEqual({ rows: [], broken: null });
  desk = openTestDatabase(data);
});

test('who puts a backup back by hand has no job that goes on', async () => {
  const insert = desk.db.sql.prepare(
    "INSERT INTO job (task, state, created, throughput, notices) VALUES (?, ?, '2030-01-01T00:00:00.000Z', '{}', '[]')",
  );
  insert.run('{"kind":"upload"}', 'running');
  insert.run('{"kind":"backup","folder":"/x"}', 'running');
  await make();
  const path = objectPath(backup, (await listed()).get('vitrine.db') ?? '');
  expect(statSync(path).mode & 0o777).toBe(platform === 'win32' ? 0o666 : 0o600);
  const sql = new DatabaseSync(path, { readOnly: true });
  expect(
    sql
      .prepare('SELECT state FROM job ORDER BY id')
      .all()
      .map(({ state }) => state),
  ).toEqual(['paused', 'cancelled']);
  sql.close();
});

test('where it came from is told once it is opened', async () => {
  await make();
  const { made } = await restore();
  const sql = new DatabaseSync(join(target, 'vitrine.db'));
  const { value } = sql.prepare("SELECT value FROM setting WHERE name = 'restored-from'").get() ?? {};
  expect(JSON.parse(String(value))).toEqual({ folder: backup, made, restored: expect.stringMatching(/Z$/) });
  sql.close();
});

test('jobs that were under way are paused where they are restored, and a backup is not gone on with', async () => {
  const insert = desk.db.sql.prepare(
    "INSERT INTO job (task, state, created, throughput, notices) VALUES (?, ?, '2030-01-01T00:00:00.000Z', '{}', '[]')",
  );
  insert.run('{"kind":"upload"}', 'running');
  insert.run('{"kind":"backup","folder":"/x"}', 'running');
  insert.run('{"kind":"hunt"}', 'done');
  await make();
  await restore();
  const sql = new DatabaseSync(join(target, 'vitrine.db'));
  expect(
    sql
      .prepare('SELECT state FROM job ORDER BY id')
      .all()
      .map(({ state }) => state),
  ).toEqual(['paused', 'cancelled', 'done']);
  sql.close();
});
