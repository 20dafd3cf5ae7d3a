import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { LibraryStore } from '../library/library-store.ts';
import { makeTestFolder, openTestDatabase, recordWith, type TestFolder } from '../testing/database.fixture.ts';
import { scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { migrate, migrations, versionOf } from './migrations.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const shownRow = z.object({
  name: z.string().nullable(),
  type: z.string().nullable(),
  tags: z.string(),
  tlp: z.number().nullable(),
  threat: z.string().nullable(),
  severity: z.number().nullable(),
  hits: z.number(),
  comments: z.number(),
  note: z.number(),
  damage: z.string().nullable(),
});
const nothing = {
  name: null,
  type: null,
  tags: ',',
  tlp: null,
  threat: null,
  severity: null,
  hits: 0,
  comments: 0,
  note: 0,
  damage: null,
};
const timeOf = (day: number): string => `2030-01-0${day}T00:00:00.000Z`;

/** A database of version 5 whose samples 1 to 6 `fill` may say more of. */
function stocked(fill: (sql: DatabaseSync) => void): void {
  const sql = new DatabaseSync(join(folder.path, 'vitrine.db'), { enableForeignKeyConstraints: true });
  migrate(sql, migrations.slice(0, 5));
  const insert = sql.prepare('INSERT INTO sample (md5, sha256, first_seen, last_seen) VALUES (?, ?, ?, ?)');
  for (const number of [1, 2, 3, 4, 5, 6]) insert.run(scanHashesOf(number).md5, sha256Of(number), timeOf(1), timeOf(1));
  fill(sql);
  sql.close();
}

const reported = (
  sql: DatabaseSync,
  workspace: string,
  number: number,
  day: number,
  facts: Partial<SampleRecord>,
): unknown =>
  sql
    .prepare('INSERT INTO record (workspace_id, md5, sha256, name, read_at, body) VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      workspace,
      scanHashesOf(number).md5,
      facts.sha256 ?? null,
      facts.name ?? null,
      timeOf(day),
      JSON.stringify(recordWith(facts)),
    );

/** What the columns of each sample say after the migration, by its number. */
function shown(): Record<number, unknown> {
  const { db, journal } = openTestDatabase(folder.path);
  expect(versionOf(db.sql)).toBe(migrations.length);
  const one = db.query(
    shownRow,
    `SELECT name, type, tags, tlp, threat, severity, hits, comments, has_note AS note, damage
      FROM sample WHERE sha256 = ?`,
  );
  const rows: Record<number, unknown> = {};
  for (const number of [1, 2, 3, 4, 5, 6]) rows[number] = one.get(sha256Of(number));
  expect(new LibraryStore(db, journal).find(sha256Of(1))).toMatchObject({
    md5: scanHashesOf(1).md5,
    firstSeen: timeOf(1),
  });
  db.close();
  return rows;
}

test('rows of version 5 show the data of the latest records', () => {
  stocked((sql) => {
    reported(sql, 'lab', 1, 2, {
      name: 'old.exe',
      threat: 'Old',
      mime: 'text/plain',
      tags: ['tlp:amber', 'b', 'same'],
    });
    reported(sql, 'w-1', 1, 3, { name: 'new.exe', mime: 'application/pdf', tags: [' TLP:white ', 'a', 'same'] });
    reported(sql, 'lab', 2, 2, { sha256: sha256Of(9), name: 'of another.exe', tags: ['tlp:red', 'theirs'] });
  });
  expect(shown()).toMatchObject({
    1: { ...nothing, name: 'new.exe', type: 'application/pdf', threat: 'Old', tags: ',a,b,same,', tlp: 2 },
    2: nothing,
    3: nothing,
  });
});

test('a row of an older version gets the worst severity of its records', () => {
  stocked((sql) => {
    reported(sql, 'lab', 1, 3, { criticity: 'other' });
    reported(sql, 'w-1', 1, 2, { criticity: 'unwanted' });
    reported(sql, 'lab', 2, 2, { criticity: 'bad', sha256: sha256Of(2) });
    reported(sql, 'lab', 3, 2, { criticity: 'bad', sha256: sha256Of(9) });
    reported(sql, 'lab', 4, 2, {});
    sql
      .prepare("INSERT INTO record (workspace_id, md5, read_at, body) VALUES ('w-1', ?, ?, 'unreadable')")
      .run(scanHashesOf(5).md5, timeOf(1));
  });
  const severities = Object.values(shown()).map((row) => shownRow.parse(row).severity);
  expect(severities).toEqual([1, 2, null, null, null, null]);
});

test('tags and TLPs are read in their current state when the row is rebuilt', () => {
  const tags = ['\u00a0TLP:RED\u00a0', '\ttlp:amber\n', ' TLP:Green,É', 'one, Two ,,', 'ÉTÉ', 'x'.repeat(101)];
  stocked((sql) => {
    for (const [index, one] of tags.entries()) reported(sql, 'lab', index + 1, 2, { tags: [one, 'x'] });
  });
  const migrated = shown();
  expect([1, 2, 3, 4, 5, 6].map((number) => migrated[number])).toMatchObject([
    { tlp: 4 },
    { tlp: 2 },
    { tlp: null, tags: ',x,é,' },
    { tags: ',one,two,x,' },
    { tags: ',x,été,' },
    { tags: ',x,' },
  ]);
  const { db, journal } = openTestDatabase(folder.path);
  const library = new LibraryStore(db, journal);
  for (const [index, one] of tags.entries())
    library.noteRecord({
      workspaceId: 'lab',
      md5: scanHashesOf(index + 1).md5,
      record: recordWith({ tags: [one, 'x'] }),
    });
  db.close();
  expect(shown()).toEqual(migrated);
});

test('rebuilt rows contain own tags, every TLP, rules and comments of all workspaces', () => {
  stocked((sql) => {
    sql.prepare("INSERT INTO sample_tag VALUES (?, 'case:7'), (?, 'apt')").run(sha256Of(1), sha256Of(1));
    sql
      .prepare(
        `INSERT INTO scan_file (job_id, position, md5, sha1, sha256, size_bytes, tlp)
          VALUES (1, 1, '', '', ?, 1, 'green'), (1, 2, '', '', ?, 1, 'of tomorrow')`,
      )
      .run(sha256Of(2), sha256Of(3));
    sql
      .prepare(
        `INSERT INTO upload_file (workspace_id, name, path, size_bytes, sha256, state, is_ticked, tags, tlp)
          VALUES ('lab', '', '', 1, ?, 'ready', 1, '[]', 'amber+strict')`,
      )
      .run(sha256Of(2));
    sql.prepare("INSERT INTO hit_sample VALUES (1, 'lab', ?), (2, 'w-1', ?)").run(sha256Of(4), sha256Of(4));
    sql.exec("INSERT INTO hit_rule VALUES (1, 'lab', 'A'), (2, 'lab', 'B'), (3, 'w-1', 'A')");
    const hit = sql.prepare(
      `INSERT INTO sample_hit (sample_id, side, rule_id, first_seen, last_seen, matches, job_id, position)
        VALUES (?, ?, ?, '', '', 1, 1, 1)`,
    );
    for (const [sample, side, rule] of [
      [1, 'local', 1],
      [1, 'service', 1],
      [1, 'local', 2],
      [2, 'local', 3],
    ] as const)
      hit.run(sample, side, rule);
    sql
      .prepare(
        `INSERT INTO comment (workspace_id, md5, id, content, sort_time)
          VALUES ('lab', ?1, '1', '', ''), ('w-1', ?1, '1', '', '')`,
      )
      .run(scanHashesOf(5).md5);
  });
  expect(shown()).toMatchObject({
    1: { ...nothing, tags: ',apt,case:7,' },
    2: { ...nothing, tlp: 3 },
    3: { ...nothing, tlp: 4 },
    4: { ...nothing, hits: 2 },
    5: { ...nothing, comments: 2 },
    6: nothing,
  });
});

test('unreadable data adds nothing and stops nothing', () => {
  stocked((sql) => {
    const bodies = [
      '',
      '{',
      '[]',
      '{"tags":{"0":7},"threat":[1],"mime":7}',
      '{"tags":"tlp:of tomorrow"}',
      '{"tags":[7,null,["tlp:red"]]}',
    ];
    const tags = ['', '{', '7', '{"a":7}', '[7,null,"","a,b",["c"]]', '[]'];
    for (const [index, body] of bodies.entries()) {
      reported(sql, 'lab', index + 1, 2, { name: 'x' });
      sql
        .prepare('UPDATE record SET body = ?, tags = ? WHERE md5 = ?')
        .run(body, tags[index] ?? '', scanHashesOf(index + 1).md5);
    }
  });
  const plain = { ...nothing, name: 'x' };
  expect(shown()).toMatchObject({ 1: plain, 2: plain, 3: plain, 4: plain, 5: plain, 6: plain });
});
