import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BundledRecord } from '../../shared/domain/bundled.ts';
import type { Comment } from '../../shared/domain/sample.ts';
import { isStricter, noteStanding, recordStanding } from './bundle-standing.ts';
import { recordWith } from './desk.fixture.ts';

const sample = { md5: 'a'.repeat(32), sha256: 'b'.repeat(64) };
const comment = (id: string, content = 'text'): Comment => ({ id, parentId: null, author: 'x', content, created: null });
const told = (day: number, name: string, comments: Comment[] = []): BundledRecord => ({ readAt: `2026-01-0${day}T00:00:00.000Z`, record: recordWith({ name, comments }) });
const contents = (record: BundledRecord | null | undefined): string[] => (record?.record.comments ?? []).map(({ content }) => content);

test('the newer record is kept, and the comments of both', () => {
  const [ours, theirs] = [told(2, 'ours', [comment('1', 'both'), comment('2', 'ours')]), [told(1, 'older', [comment('3', 'older')]), told(3, 'theirs', [comment('1', 'both')])]];
  const newer = recordStanding(ours, theirs, sample);
  expect(newer).toMatchObject({ record: 'newer', comments: { new: 1, same: 1 }, merged: { readAt: '2026-01-03T00:00:00.000Z', record: { name: 'theirs' } } });
  expect(contents(newer?.merged).toSorted()).toEqual(['both', 'older', 'ours']);
  const older = recordStanding(ours, theirs.slice(0, 1), sample);
  expect(older).toMatchObject({ record: 'older', comments: { new: 1, same: 0 }, merged: { readAt: ours.readAt, record: { name: 'ours' } } });
  expect(contents(older?.merged)).toEqual(['both', 'ours', 'older']);
  expect(recordStanding(null, theirs, sample)).toMatchObject({ record: 'new', merged: { record: { name: 'theirs' } } });
  expect(recordStanding(ours, [ours], sample)).toEqual({ record: 'same', comments: { new: 0, same: 2 }, merged: null });
});

test('records of another sample say nothing of this one', () => {
  const other = (facts: object): BundledRecord => ({ readAt: '2026-01-01T00:00:00.000Z', record: recordWith(facts) });
  expect(recordStanding(null, [], sample)).toBeNull();
  expect(recordStanding(null, [other({ md5: 'c'.repeat(32) }), other({ sha256: 'd'.repeat(64) })], sample)).toBeNull();
  expect(recordStanding(null, [other({ sha256: 'd'.repeat(64) })], { ...sample, sha256: null })).toMatchObject({ record: 'new' });
});

test('a time that has not come yet counts as now: its record is not the newest for ever', () => {
  const { merged } = recordStanding(null, [{ ...told(1, 'theirs'), readAt: '9999-01-01T00:00:00.000Z' }], sample) ?? {};
  expect(Date.parse(merged?.readAt ?? '')).toBeLessThanOrEqual(Date.now());
});

test('whatever is taken in, taking it in once more changes nothing', () => {
  const one = fc.record({ day: fc.integer({ min: 1, max: 9 }), comments: fc.array(fc.tuple(fc.constantFrom('1', '2', '3', 'comment', 'unnumbered-1'), fc.constantFrom('a', 'b')), { maxLength: 5 }) });
  const made = one.map(({ day, comments }) => told(day, `day ${day}`, comments.map(([id, content]) => comment(id, content))));
  fc.assert(fc.property(fc.option(made), fc.array(made, { minLength: 1, maxLength: 4 }), (ours, theirs) => {
    const once = recordStanding(ours, theirs, sample)?.merged ?? ours;
    for (const kept of ours?.record.comments ?? []) expect(contents(once)).toContain(kept.content);
    const again = recordStanding(once, theirs, sample);
    expect([again?.merged, again?.comments.new]).toEqual([null, 0]);
  }));
});

test('a note is put below ours once', () => {
  expect([noteStanding(null, 'a'), noteStanding(' ', 'a'), noteStanding('b', 'a'), noteStanding('b\n\nFrom x:\n\na', ' a\n')]).toEqual(['new', 'new', 'added', 'same']);
});

test('only a stricter TLP is another', () => {
  expect([isStricter('green', null), isStricter('green', 'green'), isStricter('red', 'amber+strict'), isStricter('clear', 'red')]).toEqual([true, false, true, false]);
});
