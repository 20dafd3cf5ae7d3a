import { createHash, type Hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import { type TlpLevel, tlpLevels, tlpOf } from '../../../shared/domain/tag.ts';
import type { Database } from '../database/database.ts';
import { LibraryStore } from '../library/library-store.ts';
import { LibraryTlps } from '../library/library-tlps.ts';
import { databaseForAllTests } from '../testing/database-of-tests.fixture.ts';
import { recordWith } from '../testing/database.fixture.ts';
import { BundlePreview } from './bundle-preview.ts';
import { BundleStore, type SampleTakenIn, type TakenAs } from './bundle-store.ts';

let db: Database;
let library: LibraryStore;
let bundles: BundleStore;
databaseForAllTests((database) => {
  ({ db } = database);
  library = new LibraryStore(db, database.journal);
  bundles = new BundleStore(db, database.journal);
});

const take = (one: SampleTakenIn): TakenAs | undefined =>
  bundles.takeIn([one], { workspaceId: 'lab', fingerprint: 'f'.repeat(64), name: 'Ada', jobId: 1 })[0];
const digest = (kind: 'md5' | 'sha1' | 'sha256', of: string): string => hashOf(createHash(kind), of);
const hashOf = (hash: Hash, of: string): string => hash.update(of).digest('hex');

const rows = z.array(z.object({ id: z.number(), md5: z.string(), sha256: z.string().nullable(), tlp: z.number() }));
type Row = z.infer<typeof rows>[number];
const rowsWith = (...md5s: string[]): Row[] =>
  rows.parse(
    db.sql
      .prepare(
        'SELECT id, md5, sha256, ifnull(tlp, -1) AS tlp FROM sample WHERE md5 IN (SELECT value FROM json_each(?))',
      )
      .all(JSON.stringify(md5s)),
  );

const reported = (day: number, facts: Parameters<typeof recordWith>[0]): BundledRecord => ({
  readAt: `2026-01-0${day}T00:00:00.000Z`,
  record: recordWith(facts),
});
const sampleWith = (facts: Partial<BundledSample> & { md5: string }): BundledSample => ({
  sha256: null,
  sha1: null,
  sizeBytes: null,
  tags: [],
  tlp: null,
  note: null,
  ...facts,
});
const levelOf = (md5: string): TlpLevel | undefined => tlpLevels[rowsWith(md5)[0]?.tlp ?? -1];

test.each<[string, BundledRecord[], BundledRecord[], TlpLevel | null]>([
  ['an older record says it', [reported(5, { tags: ['tlp:clear'] })], [reported(1, { tags: ['tlp:red'] })], 'red'],
  [
    'an older record says it, and has a comment',
    [reported(5, { tags: ['tlp:clear'] })],
    [
      reported(1, {
        tags: ['tlp:red'],
        comments: [{ id: '1', parentId: null, author: null, content: 'c', created: null }],
      }),
    ],
    'red',
  ],
  ['no record says it', [reported(5, { tags: ['tlp:clear'] })], [reported(1, {})], 'red'],
  ['there is no record', [], [], 'red'],
  ['its own TLP was left out', [], [reported(1, { tags: ['tlp:red'] })], null],
])('a bundle makes a sample known only by its MD5 red: %s', (name, ours, theirs, tlp) => {
  const md5 = digest('md5', name);
  if (ours.length > 0) take({ sample: sampleWith({ md5 }), records: ours, stored: null });
  const preview = new BundlePreview(db.sql, ['lab']);
  const taken = { sample: sampleWith({ md5, tlp }), records: theirs, stored: null };
  preview.sample(taken.sample, theirs, false);
  expect(preview.changes.tlps).toEqual({ stricter: 1, same: 0 });
  expect([take(taken), levelOf(md5), take(taken)]).toEqual(['changed', 'red', 'same']);
});

/** Two MD5s, of which the first has two SHA-256s: what is said of them may be wrong, and may say little. */
const [md5Of, sha256Of] = [fc.constantFrom('m', 'm', 'n'), fc.constantFrom('x', 'y', null)];
const tlp = fc.constantFrom<(TlpLevel | null)[]>(null, 'clear', 'amber', 'red');
const recordOf = fc.record({
  day: fc.integer({ min: 1, max: 4 }),
  sha256: sha256Of,
  tlp,
  comments: fc.subarray(['a', 'b']),
});
const step = fc.record({
  md5: md5Of,
  sha256: sha256Of,
  tlp,
  tags: fc.subarray(['t', 'u']),
  note: fc.constantFrom('one', 'two', null),
  records: fc.array(recordOf, { maxLength: 2 }),
  hasBytes: fc.boolean(),
  team: tlp,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let worlds = 0;
/** Every run has samples of its own. */
function worldOf(): (one: Step, at: number) => SampleTakenIn {
  worlds += 1;
  const world = worlds;
  const named = <T extends 'md5' | 'sha256'>(kind: T, name: string): string => digest(kind, `${name} ${world}`);
  return ({ md5, sha256, records, hasBytes, ...own }, at) => {
    const hashes = { md5: named('md5', md5), sha256: sha256 === null ? null : named('sha256', sha256) };
    // The bytes of both are those of the first MD5.
    const stored =
      hasBytes && hashes.sha256 !== null && md5 === 'm'
        ? { ...hashes, sha256: hashes.sha256, sha1: digest('sha1', hashes.sha256), sizeBytes: 1 }
        : null;
    return {
      sample: sampleWith({
        ...hashes,
        tlp: own.tlp,
        tags: own.tags,
        note: own.note === null ? null : { text: own.note, changed: '' },
      }),
      records: records.map((one, index) =>
        reported(one.day, {
          name: `${at} ${index}`,
          sha256: one.sha256 === null ? null : named('sha256', one.sha256),
          tags: one.tlp === null ? [] : [`tlp:${one.tlp}`],
          comments: one.comments.map((content) => ({
            id: content,
            parentId: null,
            author: null,
            content,
            created: null,
          })),
          listsComments: true,
        }),
      ),
      stored,
    };
  };
}

const indexOf = (level: TlpLevel | null): number => (level === null ? -1 : tlpLevels.indexOf(level));
const reportedLevel = ({ sample, records }: SampleTakenIn): number =>
  Math.max(
    indexOf(sample.tlp),
    ...records
      .filter(({ record }) => sample.sha256 === null || record.sha256 === null || record.sha256 === sample.sha256)
      .map(({ record }) => indexOf(tlpOf(record.tags))),
  );

/** The row that is the sample, or the rows it may be. */
function itsRows(all: readonly Row[], { md5, sha256 }: BundledSample): Row[] {
  const alone = all.filter((row) => row.md5 === md5 && row.sha256 === null);
  const named = sha256 === null ? all.filter((row) => row.md5 === md5) : all.filter((row) => row.sha256 === sha256);
  return named.length > 0 ? named : alone;
}

const strictest = (found: readonly Row[]): number => Math.max(-1, ...found.map((row) => row.tlp));

/** What a bundle may change: row by row, and what the workspace it goes into has. */
function stateOf(taken: SampleTakenIn): {
  rows: Row[];
  tags: number;
  note: string | null;
  name: string | null;
  comments: number;
} {
  const { md5, sha256 } = taken.sample;
  const found = db.sql
    .prepare(
      `SELECT (SELECT count(*) FROM sample_tag WHERE sha256 = ?1) AS tags,
        (SELECT note FROM sample_own WHERE sha256 = ?1) AS note,
    (SELECT name FROM record WHERE workspace_id = 'lab' AND md5 = ?2) AS name,
      (SELECT json_array_length(body, '$.comments') FROM record WHERE workspace_id = 'lab' AND md5 = ?2) AS comments`,
    )
    .get(sha256, md5);
  const counted = z
    .object({
      tags: z.number(),
      note: z.string().nullable(),
      name: z.string().nullable(),
      comments: z
        .number()
        .nullable()
        .transform((count) => count ?? 0),
    })
    .parse(found);
  return {
    ...counted,
    rows: itsRows(
      rows.parse(
        db.sql
          .prepare('SELECT id, md5, sha256, ifnull(tlp, -1) AS tlp FROM sample WHERE md5 = ?1 OR sha256 = ?2')
          .all(md5, sha256),
      ),
      taken.sample,
    ),
  };
}

test('the preview counts match the changes of the import', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      const made = worldOf();
      for (const [at, one] of steps.entries()) {
        const taken = made(one, at);
        const preview = new BundlePreview(db.sql, ['lab']);
        preview.sample(taken.sample, taken.records, taken.stored !== null);
        const { samples, tags, notes, tlps } = preview.changes;
        const { records, comments } = preview.workspaces[0]?.changes ?? expect.fail('no workspace');
        const before = stateOf(taken);
        const said = indexOf(new LibraryTlps(db).strictest(taken.sample));
        const outcome = take(taken);
        const after = stateOf(taken);
        const isStricter =
          before.rows.length === 0
            ? after.rows.some((row) => row.tlp > said)
            : before.rows.some(
                (row) => (after.rows.find(({ id }) => id === row.id) ?? after.rows[0] ?? row).tlp > row.tlp,
              );
        expect({
          samples: { new: samples.new, same: samples.same, contradicting: samples.contradicting },
          tags: tags.new,
          notes: notes.new + notes.added,
          stricter: tlps.stricter,
          records: records.new + records.newer,
          comments: comments.new,
          left: records.contradicting,
        }).toEqual({
          samples: {
            new: Number(outcome !== 'refused' && before.rows.length === 0),
            same: Number(outcome !== 'refused' && before.rows.length > 0),
            contradicting: Number(outcome === 'refused'),
          },
          tags: after.tags - before.tags,
          notes: Number(before.note !== after.note),
          stricter: Number(isStricter),
          records: Number(before.name !== after.name),
          comments: after.comments - before.comments,
          left: Number(outcome === 'contradicted'),
        });
      }
    }),
  );
}, 60_000);

test('the strictest TLP of local data and bundle applies in any order, with any part missing', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), (steps) => {
      const made = worldOf();
      const [first, second] = [
        made({ ...oneStep, md5: 'm' }, 0).sample.md5,
        made({ ...oneStep, md5: 'n' }, 0).sample.md5,
      ];
      for (const [at, one] of steps.entries()) {
        const taken = made(one, at);
        const before = rowsWith(first, second);
        const outcome = take(taken);
        const after = rowsWith(first, second);
        for (const row of after)
          expect(row.tlp).toBeGreaterThanOrEqual(before.find(({ id }) => id === row.id)?.tlp ?? -1);
        if (outcome === 'refused') expect(after).toEqual(before);
        else {
          const alone = before.filter((row) => row.md5 === taken.sample.md5 && row.sha256 === null);
          const least =
            taken.sample.sha256 === null
              ? reportedLevel(taken)
              : Math.max(reportedLevel(taken), strictest([...itsRows(before, taken.sample), ...alone]));
          expect(itsRows(after, taken.sample).length).toBeGreaterThan(0);
          for (const row of itsRows(after, taken.sample)) expect(row.tlp).toBeGreaterThanOrEqual(least);
        }
        if (one.team !== null)
          library.noteRecord({
            workspaceId: 'team',
            md5: taken.sample.md5,
            record: recordWith({ sha256: taken.records[0]?.record.sha256 ?? null, tags: [`tlp:${one.team}`] }),
          });
      }
    }),
  );
}, 60_000);

const oneStep: Step = {
  md5: 'm',
  sha256: null,
  tlp: null,
  tags: [],
  note: null,
  records: [],
  hasBytes: false,
  team: null,
};
