import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { platform } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesIn, fillData, journalOf, listedIn, makeBackupOf, ofARun, refusal } from '../testing/backup.fixture.ts';
import { sampleIn } from '../testing/container.fixture.ts';
import { makeTestFolder, openTestDatabase, type TestDatabase, type TestFolder } from '../testing/database.fixture.ts';
import { holdBackup, takeBackupFolder } from './backup-folder.ts';
import { type BackupFollower, makeBackup } from './backup-making.ts';
import { objectPath } from './backup-objects.ts';
import { restoreBackup, verifyBackup } from './backup-restore.ts';
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

test('a second backup copies only new data and drops data removed here', async () => {
  await make();
  const before = await listed();
  put('vault/ab/other', 'other');
  rmSync(join(data, 'vault/ab/sample'));
  put('vault/packs/one.pack', 'packed, and more');
  note('second');
  expect(await make()).toEqual({ files: 6, copied: 3 });
  const after = await listed();
  expect([...after.keys()].toSorted()).toEqual([
    'packages/team/package',
    'staging/id.part',
    'tokens.sealed',
    'vault/ab/other',
    'vault/packs/one.pack',
    'vitrine.db',
  ]);
  for (const path of ['vault/ab/sample', 'vault/packs/one.pack', 'vitrine.db'])
    expect(existsSync(objectPath(backup, before.get(path) ?? ''))).toBe(false);
  expect(readdirSync(backup).filter((name) => name.endsWith('jsonl'))).toHaveLength(1);
  await restore();
  expect(filesIn(target, /lock\.db|vitrine\.db/)).toEqual(filesIn(data, ofARun));
});

test('bytes missing from the backup are copied again, whatever its list contains', async () => {
  await make();
  const path = objectPath(backup, (await listed()).get('vault/ab/sample') ?? '');
  truncateSync(path, 10);
  expect((await make()).copied).toBe(1);
  expect(statSync(path).size).toBe(3 * 1024 * 1024);
});

test('corrupted backup bytes are detected on read, removed, and copied again by the next backup', async () => {
  await make();
  const [rotten, seen] = ['vault/ab/sample', 'packages/team/package'];
  for (const path of [rotten, seen])
    writeFileSync(objectPath(backup, (await listed()).get(path) ?? ''), Buffer.alloc(statSync(join(data, path)).size));
  utimesSync(join(data, seen), 1, 1);
  expect((await make()).copied).toBe(1);
  const verify = () => verifyBackup({ backup, onBegin: () => {}, onBytes: () => {} });
  expect(await verify()).toEqual({ folder: backup, files: 6, damaged: 1, named: [rotten] });
  expect((await make()).copied).toBe(1);
  expect(await verify()).toMatchObject({ damaged: 0 });
});

test('a file removed during the copy makes the database be copied again, so no row lacks its bytes', async () => {
  let hasGone = false;
  const gone = (): void => {
    if (hasGone) return;
    hasGone = true;
    rmSync(join(data, 'staging/id.part'));
    note('it went');
  };
  await make({ file: gone });
  await restore();
  expect([existsSync(join(target, 'staging/id.part')), journalOf(target).rows]).toEqual([false, ['first', 'it went']]);
});

test('data added during the copy does no harm: a pack is copied up to its size in the database', async () => {
  await make({
    file: () => put('vault/packs/one.pack', `${readFileSync(join(data, 'vault/packs/one.pack'), 'utf8')}!`),
  });
  await restore();
  expect(readFileSync(join(target, 'vault/packs/one.pack'), 'utf8')).toMatch(/^packed!?$/);
  expect(journalOf(target)).toEqual({ rows: ['first'], broken: null });
});

test('an interrupted backup leaves the previous one complete, and the next run continues it', async () => {
  await make();
  put('vault/ab/new', 'new');
  put('vault/packs/one.pack', 'packed, and more');
  let files = 0;
  const stop = new Error('stopped');
  const stopping = make({
    file: () => {
      files += 1;
      if (files === 5) throw stop;
    },
  });
  await expect(stopping).rejects.toBe(stop);
  await restore();
  expect(readFileSync(join(target, 'vault/packs/one.pack'), 'utf8')).toBe('packed');
  const again = await make();
  expect(again.copied).toBeLessThan(4);
  expect(readdirSync(join(backup, 'files')).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
  rmSync(target, { recursive: true });
  await restore();
  expect(filesIn(target, /lock\.db|vitrine\.db/)).toEqual(filesIn(data, ofARun));
});

test('a folder inside or around the data, with other files or another backup, is refused unchanged', async () => {
  const refused = async (chosen: string): Promise<unknown> =>
    refusal(takeBackupFolder(chosen, { data, installation: installationId() }));
  mkdirSync(join(folder.path, 'mine'));
  writeFileSync(join(folder.path, 'mine', 'mine.txt'), 'mine');
  expect(await refused(join(data, 'backup'))).toEqual({
    kind: 'backup-refused',
    path: join(data, 'backup'),
    reason: 'inside',
  });
  expect(await refused(data)).toMatchObject({ reason: 'inside' });
  expect(await refused(folder.path)).toMatchObject({ reason: 'around' });
  expect(await refused(join(folder.path, 'mine'))).toMatchObject({ reason: 'not-empty' });
  expect(readdirSync(join(folder.path, 'mine'))).toEqual(['mine.txt']);
  await make();
  expect(await refusal(takeBackupFolder(backup, { data, installation: 'another' }))).toEqual({
    kind: 'backup-refused',
    path: backup,
    reason: 'other-desk',
  });
  expect(await refused(join(folder.path, 'not-mounted', 'backup'))).toMatchObject({
    kind: 'disk-failed',
    code: 'ENOENT',
  });
});

test('the description of a backup has the field names that every release reads', async () => {
  await make();
  expect(JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8'))).toEqual({
    format: 1,
    desk: installationId(),
    whole: {
      made: expect.any(String),
      version: '1.0.0',
      schema: expect.any(Number),
      list: { name: expect.any(String), sha256: expect.any(String) },
      files: expect.any(Number),
      bytes: expect.any(Number),
    },
  });
});

test('a backup folder found empty, as on an unmounted disk, is not started over', async () => {
  await make();
  rmSync(backup, { recursive: true });
  mkdirSync(backup);
  const order = { from: data, to: backup, installation: installationId(), version: '1.0.0' };
  const noOne = { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} };
  expect(await refusal(makeBackup(order, noOne))).toEqual({
    kind: 'backup-refused',
    path: backup,
    reason: 'no-backup',
  });
  expect(readdirSync(backup)).toEqual([]);
});

test('a link among the data is refused and named', async () => {
  symlinkSync(folder.path, join(data, 'vault', 'big'), 'junction');
  expect(await refusal(make())).toEqual({ kind: 'backup-refused', path: join(data, 'vault', 'big'), reason: 'link' });
});

test('a vault that lost samples removes none from the backup until they are forgotten', async () => {
  const [own, packed, forgotten] = [sampleIn('own'), sampleIn('packed'), sampleIn('forgotten')];
  const row = database.db.sql.prepare(
    "INSERT INTO sample (md5, sha256, in_vault, first_seen, last_seen) VALUES (?, ?, 1, '2030', '2030')",
  );
  for (const { sha256 } of [own, packed, forgotten]) row.run(sha256.slice(0, 32), sha256);
  const [pack, record, at] = [`${'0'.repeat(32)}.pack`, packed.container(), 16];
  database.db.sql.prepare('INSERT INTO pack_place VALUES (?, ?, ?, ?)').run(packed.sha256, pack, at, record.length);
  put(join('vault', 'packs', pack), Buffer.concat([Buffer.alloc(at), record]));
  const files = new Map(
    [own, forgotten].map(({ sha256, container }) => [join('vault', sha256.slice(0, 2), sha256), container()]),
  );
  for (const [path, container] of files) {
    mkdirSync(join(data, dirname(path)), { recursive: true });
    put(path, container);
  }
  await make();
  rmSync(join(data, 'vault'), { recursive: true });
  mkdirSync(join(data, 'vault'));
  database.db.sql.prepare('UPDATE sample SET in_vault = 0 WHERE sha256 = ?').run(forgotten.sha256);
  for (let times = 0; times < 2; times++) {
    const kept: string[] = [];
    await make({ lost: ({ kind, sha256 }) => void kept.push(`${kind} ${sha256}`) });
    expect(kept.toSorted()).toEqual([own, packed].map(({ sha256 }) => `backup-kept ${sha256}`).toSorted());
  }
  await restore();
  const [ownPath = '', forgottenPath = ''] = files.keys();
  expect(readFileSync(join(target, ownPath))).toEqual(files.get(ownPath));
  expect(readFileSync(join(target, 'vault', 'packs', pack)).subarray(at)).toEqual(record);
  expect(existsSync(join(target, forgottenPath))).toBe(false);
});

test('one process at a time writes a backup, keeps foreign files and removes truncated ones', async () => {
  await make();
  const held = holdBackup(backup);
  expect(await refusal(make())).toEqual({ kind: 'storage-busy' });
  held.release();
  mkdirSync(join(backup, 'files', 'mine'));
  writeFileSync(join(backup, 'files', 'mine', 'mine.txt'), 'mine');
  writeFileSync(join(backup, 'backup.json.00.unfinished'), 'cut off');
  await make();
  expect(readdirSync(join(backup, 'files', 'mine'))).toEqual(['mine.txt']);
  expect(existsSync(join(backup, 'backup.json.00.unfinished'))).toBe(false);
});

test.skipIf(platform === 'win32')('an empty folder readable by others becomes private to its owner', async () => {
  mkdirSync(backup, { mode: 0o755 });
  await make();
  expect(statSync(backup).mode & 0o077).toBe(0);
});
