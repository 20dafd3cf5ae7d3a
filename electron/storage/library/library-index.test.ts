import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { sampleRecord } from '../../../shared/domain/sample.ts';
import { tlpLevels, tlpOf } from '../../../shared/domain/tag.ts';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
} from '../../../shared/domain/workspace.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { readJson } from '../database/stored-json.ts';
import { SqliteJobStore } from '../jobs/job-store.ts';
import { ScanStore } from '../scans/scan-store.ts';
import { WorkspaceStore } from '../settings/workspace-store.ts';
import {
  makeTestFolder,
  openTestDatabase,
  recordWith,
  type TestDatabase,
  type TestFolder,
} from '../testing/database.fixture.ts';
import { beginScan, noteOf, resultOf, scanFile, scanHashesOf, sha256Of } from '../testing/scan.fixture.ts';
import { addReady, change, remove } from '../testing/upload.fixture.ts';
import { UploadStore } from '../uploads/upload-store.ts';
import { LibraryStore } from './library-store.ts';

let folder: TestFolder;
let database: TestDatabase;
let library: LibraryStore;
let scans: ScanStore;
let jobs: SqliteJobStore;
let comments: CommentStore;
let uploads: UploadStore;
let workspaces: WorkspaceStore;
beforeEach(() => {
  // Each record has its own time: only the time shows which is the latest.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-01T00:00:00.000Z') });
  folder = makeTestFolder();
  database = openTestDatabase(folder.path);
  library = new LibraryStore(database.db, database.journal);
  [scans, jobs, uploads] = [new ScanStore(database.db), new SqliteJobStore(database.db), new UploadStore(database.db)];
  [comments, workspaces] = [
    new CommentStore(database.db, database.journal),
    new WorkspaceStore(database.db, database.journal),
  ];
});
afterEach(() => {
  vi.useRealTimers();
  database.db.close();
  folder.remove();
});

const shownLine = z.object({
  md5: z.string(),
  sha256: z.string().nullable(),
  name: z.string().nullable(),
  type: z.string().nullable(),
  tags: z.string(),
  tlp: z.number().nullable(),
  threat: z.string().nullable(),
  severity: z.number().nullable(),
  hits: z.number(),
  comments: z.number(),
  note: z.number(),
});
type Line = z.infer<typeof shownLine>;
const lines = (): Line[] =>
  database.db
    .query(
      shownLine,
      'SELECT md5, sha256, name, type, tags, tlp, threat, severity, hits, comments, has_note AS note FROM sample',
    )
    .all();

const text = z.string().nullable();
const all = <Row>(table: string, row: z.ZodType<Row>): Row[] => database.db.query(row, `SELECT * FROM ${table}`).all();
const said = (table: string) => all(table, z.object({ sha256: text, tlp: text }));
const levelOf = (tlp: string | null): number[] => (tlp === null ? [] : [tlpLevels.findIndex((level) => level === tlp)]);

/** What a line is by what the other tables say, read from end to end. */
function afresh({ md5, sha256 }: Line): Line {
  const is = <Row extends { sha256: string | null }>(row: Row): boolean => sha256 !== null && row.sha256 === sha256;
  const records = all('record', z.object({ md5: z.string(), sha256: text, read_at: z.string(), body: z.string() }))
    .filter((row) => row.md5 === md5 && (sha256 === null || row.sha256 === null || row.sha256 === sha256))
    .toSorted((one, other) => other.read_at.localeCompare(one.read_at))
    .map(({ body }) => sampleRecord.parse(readJson(body)));
  const last = (fact: 'name' | 'mime' | 'threat'): string | null =>
    records.map((record) => record[fact]).find((value) => value !== null) ?? null;
  const own = all('sample_own', z.object({ sha256: text, tlp: text, note: text })).filter(is);
  const ownTags = all('sample_tag', z.object({ sha256: z.string(), tag: z.string() }))
    .filter(is)
    .map(({ tag }) => tag);
  const theirs = records
    .flatMap(({ tags }) => tags.flatMap((tag) => tag.split(',')))
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== '' && !tag.startsWith('tlp:'));
  const levels = [...own, ...[...said('upload_file'), ...said('scan_file')].filter(is)].flatMap(({ tlp }) =>
    levelOf(tlp),
  );
  const look = all('sample_look', z.object({ sha256: z.string(), type: text })).find(is)?.type ?? null;
  const samples = all('hit_sample', z.object({ id: z.number(), sha256: z.string() }))
    .filter(is)
    .map(({ id }) => id);
  const rules = all('sample_hit', z.object({ sample_id: z.number(), rule_id: z.number() }))
    .filter((hit) => samples.includes(hit.sample_id))
    .map((hit) => hit.rule_id);
  const names = all('hit_rule', z.object({ id: z.number(), rule: z.string() }))
    .filter(({ id }) => rules.includes(id))
    .map(({ rule }) => rule);
  return {
    md5,
    sha256,
    name: last('name'),
    type: look ?? last('mime'),
    threat: last('threat'),
    severity: ['other', 'unwanted', 'bad'].reduce<number | null>(
      (most, level, number) => (records.some(({ criticity }) => criticity === level) ? number : most),
      null,
    ),
    tags: [...new Set([...ownTags, ...theirs])].toSorted().reduce((line, tag) => `${line}${tag},`, ','),
    tlp: [...levels, ...levelOf(tlpOf(records.flatMap(({ tags }) => tags)))].reduce<number | null>(
      (most, level) => Math.max(most ?? 0, level),
      null,
    ),
    hits: new Set(names).size,
    comments: all('comment', z.object({ md5: z.string() })).filter((one) => one.md5 === md5).length,
    note: Number(own.some(({ note }) => note !== null)),
  };
}

const team = {
  id: 'w-1',
  name: 'Team',
  repository: null,
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' as const },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
};
const bytesNumber = fc.constantFrom(1, 2, 3);
const level = fc.option(fc.constantFrom(...tlpLevels));
const anyWorkspace = fc.constantFrom('lab', 'w-1');
const rules = fc.subarray(['A', 'B', 'C']);
const tags = fc.subarray(['apt', 'Case:7', 'a,b , ', 'TLP:Amber', ' tlp:white', 'tlp:none']);
const own = fc.subarray(['apt', 'case:7', 'mine']);
/** Bytes 1 and 2 have one MD5. */
const hashesOf = (bytes: number) => ({ ...scanHashesOf(bytes), md5: md5Of(bytes) });
const md5Of = (bytes: number): string => scanHashesOf(Math.max(2, bytes)).md5;

const given = <Facts extends object>(
  facts: { [Key in keyof Facts]: fc.Arbitrary<Facts[Key]> },
  take: (facts: Facts) => unknown,
): fc.Arbitrary<() => unknown> => fc.record<Facts>(facts).map((one) => () => take(one));
const ofBytes = (bytes: number) => ({
  workspaceId: 'lab',
  md5: md5Of(bytes),
  sha256: sha256Of(bytes),
  hashes: hashesOf(bytes),
  sizeBytes: bytes,
  outcome: 'done',
});
const listed = fc.array(fc.constantFrom('one', 'two', 'three'), { maxLength: 2 });

const services = [
  given(
    {
      bytes: bytesNumber,
      workspaceId: anyWorkspace,
      names: fc.boolean(),
      tags,
      name: fc.option(fc.constantFrom('x.exe', 'y.exe')),
      severity: fc.option(fc.constantFrom('bad', 'unwanted', 'other')),
      listed,
    },
    ({ bytes, names, listed: contents, ...facts }) =>
      library.recordLookup({
        workspaceId: facts.workspaceId,
        md5: md5Of(bytes),
        outcome: 'found',
        record: recordWith({
          sha256: names ? sha256Of(bytes) : null,
          name: facts.name,
          tags: facts.tags,
          threat: facts.name && `Threat of ${facts.name}`,
          criticity: facts.severity,
          mime: facts.tags[0] ?? null,
          listsComments: true,
          comments: contents.map((content, index) => ({
            id: `${index}`,
            parentId: null,
            author: null,
            content,
            created: null,
          })),
        }),
      }),
  ),
  given(
    { bytes: bytesNumber, way: fc.constantFrom('recordDownloads', 'recordUploads', 'recordScans') },
    ({ bytes, way }) => library[way]([ofBytes(bytes)]),
  ),
  given({ bytes: bytesNumber, workspaceId: anyWorkspace, text: fc.constantFrom('one', 'mine') }, (one) =>
    comments.begin(one.workspaceId, md5Of(one.bytes), { text: one.text, parentId: null }),
  ),
  given({ id: fc.integer({ min: 1, max: 3 }), state: fc.constantFrom('sent', 'failed') }, ({ id, state }) =>
    comments.settle(id, { state, remoteId: '1' }),
  ),
  given({ id: fc.integer({ min: 1, max: 3 }) }, ({ id }) => comments.discard(id)),
  given({ workspaceId: anyWorkspace }, (one) => comments.forgetWorkspace(one.workspaceId)),
];
const scanning = [
  given(
    {
      bytes: bytesNumber,
      kind: fc.constantFrom('scan', 'hunt'),
      side: fc.constantFrom('local', 'service'),
      rules,
      team: fc.boolean(),
    },
    (one) => {
      const job = beginScan(jobs, one.kind, 3);
      if (one.team) database.db.command("UPDATE job SET workspace_id = 'w-1' WHERE id = ?").run(job);
      scans.record(job, [noteOf(one.bytes, resultOf(one.side, one.rules))]);
    },
  ),
  given({ rules, workspaceId: anyWorkspace }, (one) => [
    ...scans.loseRulesInSteps(beginScan(jobs, 'hunt', 3), one.workspaceId, one.rules),
  ]),
  given({ bytes: bytesNumber, tlp: level }, ({ bytes, tlp }) =>
    scans.addFiles(beginScan(jobs, 'scan', 3), [scanFile(bytes, { tlp, hashes: hashesOf(bytes) })]),
  ),
  given({ id: fc.integer({ min: 1, max: 5 }) }, ({ id }) => {
    jobs.hide(id);
    while (jobs.removeHidden(99));
  }),
];
const uploading = [
  given({ bytes: bytesNumber, tlp: level }, ({ bytes, tlp }) =>
    addReady(uploads, bytes, { hashes: hashesOf(bytes), tlp }),
  ),
  given({ id: fc.integer({ min: 1, max: 3 }), tlp: level }, ({ id, tlp }) =>
    change(uploads, { kind: 'files', ids: [id] }, { tlp }),
  ),
  given({ id: fc.integer({ min: 1, max: 3 }) }, ({ id }) => remove(uploads, { kind: 'files', ids: [id] })),
];
const person = [
  given(
    {
      bytes: bytesNumber,
      add: own,
      remove: own,
      tlp: fc.option(level, { nil: undefined }),
      note: fc.constantFrom('', 'a note'),
    },
    ({ bytes, add, remove: gone, tlp, note }) =>
      library.changeSamples([sha256Of(bytes), md5Of(bytes)], {
        add,
        remove: gone,
        note,
        ...(tlp !== undefined && { tlp }),
      }),
  ),
  given({ bytes: bytesNumber, note: fc.constantFrom('', 'another') }, ({ bytes, note }) =>
    library.setNote(sha256Of(bytes), note),
  ),
  given({ bytes: bytesNumber, type: fc.option(fc.constant('pe')) }, ({ bytes, type }) =>
    library.keepPreviews([{ sha256: sha256Of(bytes), type, strip: null }]),
  ),
  given({ bytes: bytesNumber, byMd5: fc.boolean(), what: fc.constantFrom('bytes', 'all') }, ({ bytes, byMd5, what }) =>
    library.forget([byMd5 ? md5Of(bytes) : sha256Of(bytes)], what),
  ),
  given({ forgetLibrary: fc.boolean() }, (options) => {
    if (workspaces.get(team.id) === null) workspaces.add(team);
    workspaces.remove(team.id, options);
  }),
];

/** Everything is said of bytes 1 and 3 already, by both workspaces: else few steps would find anything to take away. */
function stock(): void {
  for (const bytes of [1, 3]) {
    for (const workspaceId of ['lab', 'w-1']) {
      vi.advanceTimersByTime(1000);
      const comment = { id: '9', parentId: null, author: null, content: 'first', created: null };
      const record = recordWith({
        name: `${workspaceId}.exe`,
        threat: workspaceId,
        mime: workspaceId,
        tags: ['theirs', workspaceId, 'tlp:white'],
        comments: [comment],
        listsComments: true,
      });
      library.noteRecord({ workspaceId, md5: md5Of(bytes), record });
      const job = beginScan(jobs, 'hunt', 3);
      database.db.command('UPDATE job SET workspace_id = ? WHERE id = ?').run(workspaceId, job);
      scans.record(job, [noteOf(bytes, resultOf('local', ['A', workspaceId]))]);
      scans.addFiles(job, [scanFile(bytes, { tlp: 'green', hashes: hashesOf(bytes) })]);
    }
    library.recordUploads([ofBytes(bytes)]);
    addReady(uploads, bytes, { hashes: hashesOf(bytes), tlp: 'clear' });
  }
  library.recordDownloads([ofBytes(3)]);
}

test('each index row matches the other tables after any sequence of changes', () => {
  const tables = [
    'sample',
    'record',
    'comment',
    'own_comment',
    'hit_sample',
    'hit_rule',
    'sample_hit',
    'sample_own',
    'sample_tag',
    'sample_look',
    'upload_file',
    'scan_file',
    'job',
  ];
  fc.assert(
    fc.property(fc.array(fc.oneof(...services, ...scanning, ...uploading, ...person), { maxLength: 8 }), (steps) => {
      for (const table of tables) database.db.command(`DELETE FROM ${table}`).run();
      database.db.sql.exec('DELETE FROM sqlite_sequence');
      stock();
      expect(lines()).toEqual(lines().map(afresh));
      for (const take of steps) {
        vi.advanceTimersByTime(1000);
        take();
      }
      expect(lines()).toEqual(lines().map(afresh));
    }),
  );
});
