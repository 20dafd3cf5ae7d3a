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
let database: TestDatabase;
beforeEach(() => {
  folder = makeTestFolder();
  [data, backup, target] = [join(folder.path, 'Vitrine'), join(folder.path, 'backup'), join(folder.path, 'restored')];
  database = openTestDatabase(data);
  fillData(data);
  note('first');
});
afterEach(() => {
  database.db.close();
  folder.remove();
});

const note = (hash: string): unknown =>
  database.journal.append({ workspaceId: null, operation: 'look-up', hash, outcome: 'found' });
const installationId = (): string => new BackupStore(database.db, database.journal).installationId;

const put = (path: string, bytes: string | Buffer): void => writeFileSync(join(data, path), bytes);
const make = (follower?: Partial<BackupFollower>) =>
  makeBackupOf({ data, backup, installation: installationId() }, follower);
const listed = () => listedIn(backup);
const restore = (from = backup, to = target) => restoreBackup({ backup: from, target: to, onBegin: () => {} });

test('restore recovers open data completely, except per-run files, with an intact journal', async () => {
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
    'a backup killed at any disk change leaves the earlier or the new backup restorable: %j',
    { tags, timeout: 30_000 },
    async (moments) => {
      await make();
      database.db.close();
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
      database = openTestDatabase(data);
    },
  );

test.skipIf(platform === 'win32' || getuid?.() === 0)(
  'a folder that cannot be read is refused with its own message',
  async () => {
    mkdirSync(backup, { mode: 0o300 });
    expect(await refusal(make())).toEqual({ kind: 'backup-refused', path: backup, reason: 'unreadable' });
  },
);

test.skipIf(!canMountDisks)(
  'a disk that is too small is reported before copying, and the earlier backup stays intact',
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
])('restore names a backup file that is %s and leaves nothing behind', async (_how, harm) => {
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

test('restore refuses a modified list, a folder that is no backup, and an incomplete backup', async () => {
  expect(await refusal(restore())).toEqual({ kind: 'backup-refused', path: backup, reason: 'no-backup' });
  await takeBackupFolder(backup, { data, installation: installationId() });
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

test('restore refuses to write over data or into the backup', async () => {
  await make();
  const before = filesIn(data, /nothing/);
  expect(await refusal(restore(backup, data))).toEqual({ kind: 'backup-refused', path: data, reason: 'not-for-data' });
  expect(filesIn(data, /nothing/)).toEqual(before);
  expect(await refusal(restore(backup, join(backup, 'new')))).toMatchObject({
    kind: 'backup-refused',
    reason: 'not-for-data',
  });
});

test('an interrupted restore cannot be opened, and the next one starts over', async () => {
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

test('restore refuses a backup of a newer program before anything is copied', async () => {
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

test.each([1, 2, 3, 4, 5, 6, 7])('a backup of version %i is migrated when it is opened', async (version) => {
  database.db.close();
  rmSync(join(data, 'vitrine.db'));
  const sql = new DatabaseSync(join(data, 'vitrine.db'));
  migrate(sql, migrations.slice(0, version));
  const order = {
    from: data,
    to: await takeBackupFolder(backup, { data, installation: 'old' }),
    installation: 'old',
    version: '1.0.0',
  };
  await makeBackup(order, { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} });
  sql.close();
  expect((await readBackupFile(backup))?.whole?.schema).toBe(version);
  await restore();
  expect(journalOf(target)).toEqual({ rows: [], broken: null });
  database = openTestDatabase(data);
});

test('a backup copied back by hand resumes no job', async () => {
  const insert = database.db.sql.prepare(
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

test('restored data reports its source once it is opened', async () => {
  await make();
  const { made } = await restore();
  const sql = new DatabaseSync(join(target, 'vitrine.db'));
  const { value } = sql.prepare("SELECT value FROM setting WHERE name = 'restored-from'").get() ?? {};
  expect(JSON.parse(String(value))).toEqual({ folder: backup, made, restored: expect.stringMatching(/Z$/) });
  sql.close();
});

test('a restore pauses jobs that were running and does not continue a backup', async () => {
  const insert = database.db.sql.prepare(
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
