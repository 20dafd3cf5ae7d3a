import {
  cpSync,
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
import { getuid, platform } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { longAfter } from '../../shared/testing/long-after.ts';
import { canMountDisks, smallDisk } from '../disk/small-disk.fixture.ts';
import { readBackupFile } from './backup-file.ts';
import { readBackupList } from './backup-list.ts';
import { holdBackup } from './backup-lock.ts';
import { type BackupFollower, makeBackup } from './backup-making.ts';
import { objectPath } from './backup-objects.ts';
import { takeBackupFolder } from './backup-place.ts';
import { restoreBackup } from './backup-restore.ts';
import { BackupStore } from './backup-store.ts';
import { verifyBackup } from './backup-verify.ts';
import { sampleIn } from './container.fixture.ts';
import { findDataDirectory } from './data-location.ts';
import { makeTestFolder, openTestDesk, type TestDesk, type TestFolder } from './desk.fixture.ts';
import { killedBackup } from './killed-backup.fixture.ts';
import { migrate, migrations } from './migrations.ts';

let folder: TestFolder;
let data: string;
let backup: string;
let target: string;
let desk: TestDesk;
beforeEach(() => {
  folder = makeTestFolder();
  [data, backup, target] = [join(folder.path, 'Vitrine'), join(folder.path, 'backup'), join(folder.path, 'restored')];
  desk = openTestDesk(data);
  for (const name of ['vault/ab', 'vault/packs', 'vault/incoming', 'lab', 'page', 'staging', 'logs', 'packages/team'])
    mkdirSync(join(data, name), { recursive: true, mode: 0o700 });
  put('vault/ab/sample', Buffer.alloc(3 * 1024 * 1024, 'sample'));
  put('vault/packs/one.pack', 'packed');
  put('vault/packs/two.part', 'not known yet');
  put('vault/incoming/half.part', 'half');
  put('staging/id.part', 'of a draft');
  put('packages/team/package', 'rules');
  put('tokens.sealed', '{}');
  put('logs/vitrine.log', 'log');
  put('page/Cookies', 'browser');
  note('first');
});
afterEach(() => {
  desk.db.close();
  folder.remove();
});

const put = (path: string, bytes: string | Buffer): void => writeFileSync(join(data, path), bytes);
const note = (hash: string): unknown =>
  desk.journal.append({ workspaceId: null, operation: 'look-up', hash, outcome: 'found' });
const deskId = (): string => new BackupStore(desk.db, desk.journal).deskId;

async function make(follower: Partial<BackupFollower> = {}): Promise<{ copied: number; files: number }> {
  const told = { copied: 0, files: 0 };
  const to = await takeBackupFolder(backup, { data, desk: deskId() });
  await makeBackup(
    { from: data, to, desk: deskId(), version: '1.0.0' },
    {
      planned: () => {},
      read: () => {},
      file: () => {},
      lost: () => {},
      whole: ({ copied, files }) => void Object.assign(told, { copied, files }),
      ...follower,
    },
  );
  return told;
}
const restore = (from = backup, to = target) => restoreBackup({ backup: from, target: to, onBegin: () => {} });

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof FailureError ? error.failure : error;
}

function filesIn(directory: string, except: RegExp): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    names
      .filter((name) => !except.test(name) && statSync(join(directory, name)).isFile())
      .map((name) => [name, readFileSync(join(directory, name)).toString('base64')]),
  );
}
const ofARun = /lock\.db|vitrine\.db|^logs|^page|^vault.incoming|two\.part/;

/** What the state in force has, by path. */
async function listed(): Promise<Map<string, string>> {
  const name = (await readBackupFile(backup))?.whole?.list.name ?? '';
  const found = new Map<string, string>();
  for await (const line of readBackupList(join(backup, name)))
    if (line !== null && 'path' in line) found.set(line.path, line.sha256);
  return found;
}

/** Opens what was restored. @returns the hashes of its journal, and whether that holds */
function journalOf(directory: string): { rows: unknown[]; broken: unknown } {
  const restored = openTestDesk(directory);
  try {
    const rows = restored.db.sql
      .prepare("SELECT hash FROM journal WHERE operation = 'look-up' ORDER BY number")
      .all()
      .map(({ hash }) => hash);
    return { rows, broken: restored.journal.verify().broken };
  } finally {
    restored.db.close();
  }
}

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

test('a second backup copies what is new alone, and what is gone here goes there', async () => {
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

test('bytes that went from the backup are copied anew, whatever its list says', async () => {
  await make();
  const path = objectPath(backup, (await listed()).get('vault/ab/sample') ?? '');
  truncateSync(path, 10);
  expect((await make()).copied).toBe(1);
  expect(statSync(path).size).toBe(3 * 1024 * 1024);
});

test('bytes that rotted are found when they are read, removed, and copied anew by the next backup', async () => {
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

test('a file removed during the copy has the database copied again, so that no row lacks its bytes', async () => {
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

test('data that arrives during the copy does no harm: a pack is copied up to what the database knows', async () => {
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
      desk = openTestDesk(data);
    },
  );

test('a folder inside the data, around it, with other files or another backup is refused and unchanged', async () => {
  const refused = async (chosen: string): Promise<unknown> =>
    refusal(takeBackupFolder(chosen, { data, desk: deskId() }));
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
  expect(await refusal(takeBackupFolder(backup, { data, desk: 'another' }))).toEqual({
    kind: 'backup-refused',
    path: backup,
    reason: 'other-desk',
  });
  expect(await refused(join(folder.path, 'not-mounted', 'backup'))).toMatchObject({
    kind: 'disk-failed',
    code: 'ENOENT',
  });
});

test.skipIf(platform === 'win32' || getuid?.() === 0)(
  'a folder that cannot be read is refused in its own words',
  async () => {
    mkdirSync(backup, { mode: 0o300 });
    expect(await refusal(make())).toEqual({ kind: 'backup-refused', path: backup, reason: 'unreadable' });
  },
);

test('a backup folder that is empty now, as that of a disk that is not mounted, is not begun anew', async () => {
  await make();
  rmSync(backup, { recursive: true });
  mkdirSync(backup);
  const order = { from: data, to: backup, desk: deskId(), version: '1.0.0' };
  const nobody = { planned: () => {}, read: () => {}, file: () => {}, lost: () => {}, whole: () => {} };
  expect(await refusal(makeBackup(order, nobody))).toEqual({
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

test('a vault that lost samples takes none from the backup until it is forgotten', async () => {
  const [own, packed, forgotten] = [sampleIn('own'), sampleIn('packed'), sampleIn('forgotten')];
  const row = desk.db.sql.prepare(
    "INSERT INTO sample (md5, sha256, in_vault, first_seen, last_seen) VALUES (?, ?, 1, '2030', '2030')",
  );
  for (const { sha256 } of [own, packed, forgotten]) row.run(sha256.slice(0, 32), sha256);
  const [pack, record, at] = [`${'0'.repeat(32)}.pack`, packed.container(), 16];
  desk.db.sql.prepare('INSERT INTO pack_place VALUES (?, ?, ?, ?)').run(packed.sha256, pack, at, record.length);
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
  desk.db.sql.prepare('UPDATE sample SET in_vault = 0 WHERE sha256 = ?').run(forgotten.sha256);
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

test('only one process writes to a backup, foreign files stay, and files that were cut off are removed', async () => {
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

test.skipIf(platform === 'win32')(
  'an empty folder that others could look into is for its owner only from now on',
  async () => {
    mkdirSync(backup, { mode: 0o755 });
    await make();
    expect(statSync(backup).mode & 0o077).toBe(0);
  },
);

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
  desk = openTestDesk(data);
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
