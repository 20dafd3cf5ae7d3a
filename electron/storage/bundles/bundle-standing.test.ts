import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BundledRecord } from '../../../shared/domain/bundle.ts';
import { isNumbered } from '../../../shared/domain/comment.ts';
import type { Comment } from '../../../shared/domain/sample.ts';
import { recordWith } from '../testing/database.fixture.ts';
import { isStricter, noteStanding, recordStanding } from './bundle-standing.ts';

const sample = { md5: 'a'.repeat(32), sha256: 'b'.repeat(64) };
const comment = (id: string, content = 'text'): Comment => ({
  id,
  parentId: null,
  author: 'x',
  content,
  created: null,
});
const reported = (day: number, name: string, comments: Comment[] = []): BundledRecord => ({
  readAt: `2026-01-0${day}T00:00:00.000Z`,
  record: recordWith({ name, comments }),
});
const contents = (record: BundledRecord | null | undefined): string[] =>
  (record?.record.comments ?? []).map(({ content }) => content);

test('merge keeps the newer record and the comments of both', () => {
  const [ours, theirs] = [
    reported(2, 'ours', [comment('1', 'both'), comment('2', 'ours')]),
    [reported(1, 'older', [comment('3', 'older')]), reported(3, 'theirs', [comment('1', 'both')])],
  ];
  const newer = recordStanding(ours, theirs, sample);
  expect(newer).toMatchObject({
    record: 'newer',
    comments: { new: 1, same: 1 },
    merged: { readAt: '2026-01-03T00:00:00.000Z', record: { name: 'theirs' } },
  });
  expect(contents(newer?.merged).toSorted()).toEqual(['both', 'older', 'ours']);
  const older = recordStanding(ours, theirs.slice(0, 1), sample);
  expect(older).toMatchObject({
    record: 'older',
    comments: { new: 1, same: 0 },
    merged: { readAt: ours.readAt, record: { name: 'ours' } },
  });
  expect(contents(older?.merged)).toEqual(['both', 'ours', 'older']);
  expect(recordStanding(null, theirs, sample)).toMatchObject({ record: 'new', merged: { record: { name: 'theirs' } } });
  expect(recordStanding(ours, [ours], sample)).toEqual({
    record: 'same',
    comments: { new: 0, same: 2 },
    merged: null,
    isOfOtherBytes: false,
  });
});

test('records of another sample add nothing to this one', () => {
  const other = (facts: object): BundledRecord => ({ readAt: '2026-01-01T00:00:00.000Z', record: recordWith(facts) });
  expect(recordStanding(null, [], sample)).toBeNull();
  expect(recordStanding(null, [other({ md5: 'c'.repeat(32) }), other({ sha256: 'd'.repeat(64) })], sample)).toBeNull();
  expect(recordStanding(null, [other({ sha256: 'd'.repeat(64) })], { ...sample, sha256: null })).toMatchObject({
    record: 'new',
  });
});

test('a time in the future counts as now, so its record is not the newest for ever', () => {
  const { merged } =
    recordStanding(null, [{ ...reported(1, 'theirs'), readAt: '9999-01-01T00:00:00.000Z' }], sample) ?? {};
  expect(Date.parse(merged?.readAt ?? '')).toBeLessThanOrEqual(Date.now());
});

test('a record dated ahead of this clock is not newer than the local one', () => {
  const ahead = { ...reported(1, 'theirs', [comment('1', 'theirs')]), readAt: '9999-01-01T00:00:00.000Z' };
  const standing = recordStanding(reported(2, 'ours'), [ahead], sample);
  expect(standing).toMatchObject({
    record: 'older',
    merged: { readAt: reported(2, '').readAt, record: { name: 'ours' } },
  });
  expect(recordStanding(reported(1, 'theirs'), [reported(3, 'theirs')], sample)).toMatchObject({
    record: 'same',
    merged: null,
  });
});

test('a local record read with a clock ahead is newer than none, and stays when theirs is ahead too', () => {
  const ahead = (name: string): BundledRecord => ({ ...reported(1, name), readAt: '9999-01-01T00:00:00.000Z' });
  expect(recordStanding(ahead('ours'), [reported(2, 'theirs')], sample)).toMatchObject({
    record: 'newer',
    merged: { readAt: reported(2, '').readAt, record: { name: 'theirs' } },
  });
  expect(
    recordStanding(ahead('ours'), [{ ...ahead('theirs'), readAt: '9999-01-02T00:00:00.000Z' }], sample),
  ).toMatchObject({ record: 'older', merged: null });
});

test('a bundle comment gets an id unused by any service, and so does its parent unless local', () => {
  const ours = reported(2, 'ours', [comment('1', 'both'), comment('2', 'ours')]);
  const theirs = reported(1, 'theirs', [
    comment('1', 'both'),
    comment('2', 'forged'),
    { ...comment('3', 'an answer'), parentId: '2' },
    { ...comment('4', 'another'), parentId: '1' },
    { ...comment('5', 'lost'), parentId: '9' },
  ]);
  const merged = recordStanding(ours, [theirs], sample)?.merged;
  const [both, mine, forged, answer, another, lost] = merged?.record.comments ?? [];
  expect([both, mine]).toEqual(ours.record.comments);
  expect([forged, answer, another, lost].map((one) => isNumbered(one?.id ?? '1'))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([answer?.parentId, another?.parentId, lost?.parentId]).toEqual([forged?.id, '1', null]);
  const further = recordStanding(null, [{ ...ours, record: merged?.record ?? ours.record }], sample)?.merged;
  expect(recordStanding(merged ?? null, [further ?? ours], sample)).toMatchObject({
    comments: { new: 0, same: 6 },
    merged: null,
  });
});

test('a newer record replaces neither the strictest local TLP nor fields it lacks', () => {
  const of = (day: number, facts: object): BundledRecord => ({
    readAt: reported(day, '').readAt,
    record: recordWith(facts),
  });
  const ours = of(1, {
    name: 'ours',
    threat: 'Emotet',
    tags: ['TLP:RED', 'ours'],
    sha1: 'c'.repeat(40),
    virusTotal: { state: 'found', score: '3/60', link: null },
  });
  expect(recordStanding(ours, [of(2, { mime: 'text/plain', tags: ['tlp:clear'] })], sample)).toMatchObject({
    record: 'newer',
    merged: {
      record: {
        name: 'ours',
        threat: 'Emotet',
        mime: 'text/plain',
        tags: ['tlp:clear', 'tlp:red'],
        sha1: 'c'.repeat(40),
        virusTotal: { score: '3/60' },
      },
    },
  });
  expect(recordStanding(ours, [of(2, { name: 'theirs' })], sample)?.merged?.record).toMatchObject({
    name: 'theirs',
    tags: ['TLP:RED', 'ours'],
  });
  expect(
    recordStanding(null, [of(2, { tags: ['tlp:green'] }), of(1, { tags: ['tlp:amber'] })], sample)?.merged?.record.tags,
  ).toEqual(['tlp:green', 'tlp:amber']);
});

test('a record of other bytes with the same MD5 does not replace the local one', () => {
  const other = 'e'.repeat(64);
  const theirs = [reported(3, 'theirs', [comment('1', 'theirs')])];
  const left = { merged: null, isOfOtherBytes: true, comments: { new: 0, same: 0 } };
  expect(
    recordStanding({ readAt: reported(1, '').readAt, record: recordWith({ sha256: other }) }, theirs, sample),
  ).toMatchObject(left);
  expect(recordStanding(reported(1, 'ours'), theirs, sample, [other])).toMatchObject(left);
  expect(recordStanding(null, theirs, sample, [other])).toMatchObject(left);
  expect(recordStanding(reported(1, 'ours'), theirs, sample, [sample.sha256])).toMatchObject({
    record: 'newer',
    isOfOtherBytes: false,
  });
});

test('importing a bundle again changes nothing, whatever it contains', () => {
  const one = fc.record({
    day: fc.integer({ min: 1, max: 9 }),
    ahead: fc.boolean(),
    tlp: fc.subarray(['tlp:red', 'tlp:amber', 'TLP:CLEAR', 'x']),
    comments: fc.array(fc.tuple(fc.constantFrom('1', '2', '3', 'comment', 'unnumbered-1'), fc.constantFrom('a', 'b')), {
      maxLength: 5,
    }),
  });
  const made = one.map(({ day, comments, ahead, tlp }) => {
    const { readAt, record } = reported(
      day,
      `day ${day}`,
      comments.map(([id, content]) => comment(id, content)),
    );
    return { readAt: ahead ? `9999-01-0${day}T00:00:00.000Z` : readAt, record: { ...record, tags: tlp } };
  });
  fc.assert(
    fc.property(fc.option(made), fc.array(made, { minLength: 1, maxLength: 4 }), (ours, theirs) => {
      const once = recordStanding(ours, theirs, sample)?.merged ?? ours;
      for (const kept of ours?.record.comments ?? []) expect(contents(once)).toContain(kept.content);
      const again = recordStanding(once, theirs, sample);
      expect([again?.merged, again?.comments.new]).toEqual([null, 0]);
    }),
  );
});

test('a bundle note is appended to the local note once', () => {
  expect([
    noteStanding('all of it', 'a'),
    noteStanding('one\n\nab', 'b'),
    noteStanding('one\n\ntwo\n\nthree', 'two\n\nthree'),
  ]).toEqual(['added', 'added', 'same']);
  expect([
    noteStanding(null, 'a'),
    noteStanding(' ', 'a'),
    noteStanding('b', 'a'),
    noteStanding('b\n\nFrom x:\n\na', ' a\n'),
  ]).toEqual(['new', 'new', 'added', 'same']);
});

test('only a stricter TLP counts as a change', () => {
  expect([
    isStricter('green', null),
    isStricter('green', 'green'),
    isStricter('red', 'amber+strict'),
    isStricter('clear', 'red'),
  ]).toEqual([true, false, true, false]);
});
