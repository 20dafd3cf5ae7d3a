import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MuteDraft } from '../../../shared/domain/mute.ts';
import { FailureError } from '../../../shared/failure.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import type { TestDatabase } from '../testing/database.fixture.ts';
import { MuteStore } from './mute-store.ts';

let database: TestDatabase;
let store: MuteStore;
const reopen = databaseForEachTest((opened) => {
  database = opened;
  store = new MuteStore(database.db, database.journal);
});

const sample = 'a'.repeat(64);
const expires = '2031-01-01T00:00:00.000Z';
const draft = (rule: string, facts: Partial<MuteDraft> = {}): MuteDraft => ({
  workspaceId: 'lab',
  rule,
  sample: null,
  reason: 'noise',
  expires: null,
  ...facts,
});
const rules = (workspaceId = 'lab'): string[] => store.list(workspaceId).map(({ rule }) => rule);
const missing = new FailureError({ kind: 'mute-missing', id: 99 });

test('mutes are listed newest first, each in its workspace, also after the database is reopened', () => {
  const first = store.add(draft('One', { sample, expires }), 'print');
  store.add(draft('Two'), null);
  store.add(draft('One', { workspaceId: 'w-1' }), null);
  reopen();
  expect([rules(), rules('w-1')]).toEqual([['Two', 'One'], ['One']]);
  expect(store.get(first.id)).toEqual({
    ...draft('One', { sample, expires }),
    id: first.id,
    created: first.created,
    print: 'print',
  });
  expect(new Date(first.created).toISOString()).toBe(first.created);
});

test('a rule has one mute for all samples and one per sample, and a repeated mute replaces its details', () => {
  const [all, inOne] = [store.add(draft('Rule'), 'old'), store.add(draft('Rule', { sample }), 'old')];
  const other = store.add(draft('rule'), null);
  expect(new Set([all.id, inOne.id, other.id]).size).toBe(3);
  expect(store.add(draft('Rule', { reason: 'known', expires }), 'new')).toEqual({
    ...all,
    reason: 'known',
    expires,
    print: 'new',
  });
  expect(store.add(draft('Rule', { sample, reason: 'theirs' }), 'old')).toEqual({ ...inOne, reason: 'theirs' });
  expect(store.list('lab')).toHaveLength(3);
  expect(store.get(other.id)).toEqual(other);
});

test('a change keeps fields it does not name, and an end date can be removed', () => {
  const mute = store.add(draft('Rule', { expires }), 'print');
  expect(store.change(mute.id, {})).toEqual(mute);
  expect(store.change(mute.id, { reason: 'other' })).toEqual({ ...mute, reason: 'other' });
  expect(store.change(mute.id, { expires: null })).toEqual({ ...mute, reason: 'other', expires: null });
  expect(store.confirm(mute.id, 'new print')).toEqual({ ...mute, reason: 'other', expires: null, print: 'new print' });
  expect(store.confirm(mute.id, null).print).toBeNull();
});

test('each change has a journal row, in the history of its sample when it concerns one', () => {
  const one = store.add(draft('One', { sample, expires }), 'print');
  store.add(draft('One', { sample, reason: 'known' }), 'print');
  store.change(one.id, { expires });
  store.confirm(one.id, 'new print');
  store.remove(one.id);
  store.add(draft('Two', { workspaceId: 'w-1' }), null);
  expect(() => store.remove(99)).toThrow(missing);
  const row = { operation: 'mute', workspaceId: 'lab', hash: sample };
  const known = { rule: 'One', reason: 'known' };
  expect(database.journal.forHash([sample], 9).toReversed()).toMatchObject([
    { ...row, outcome: 'added', detail: { rule: 'One', reason: 'noise', expires } },
    { ...row, outcome: 'changed', detail: { ...known, expires: null } },
    { ...row, outcome: 'changed', detail: { ...known, expires } },
    { ...row, outcome: 'confirmed', detail: { ...known, expires } },
    { ...row, outcome: 'removed', detail: { ...known, expires } },
  ]);
  expect(database.journal.verify()).toMatchObject({ rows: 6, broken: null });
});

test('a step is undone only where the mute is unchanged since', () => {
  const first = store.add(draft('Rule', { sample, expires }), 'print');
  const second = store.add(draft('Rule', { sample, reason: 'known' }), 'new print');
  const changed = new FailureError({ kind: 'mute-changed' });
  expect(() => store.takeBack({ before: null, after: first })).toThrow(changed);
  store.takeBack({ before: first, after: second });
  expect(store.list('lab')).toEqual([first]);
  store.remove(first.id);
  expect(() => store.takeBack({ before: first, after: second })).toThrow(changed);
  store.add(draft('Rule'), null);
  store.takeBack({ before: first, after: null });
  expect(store.get(first.id)).toEqual(first);
  expect(() => store.takeBack({ before: first, after: null })).toThrow(changed);
  store.takeBack({ before: null, after: first });
  expect(store.get(first.id)).toBeNull();
  expect(
    database.journal
      .forHash([sample], 9)
      .toReversed()
      .map(({ outcome }) => outcome),
  ).toEqual(['added', 'changed', 'changed', 'removed', 'added', 'removed']);
});

test('an unknown mute is missing, and its number is never reused', () => {
  const { id } = store.add(draft('Rule'), null);
  store.remove(id);
  expect([store.get(id), rules()]).toEqual([null, []]);
  expect(() => store.remove(99)).toThrow(missing);
  expect(() => store.change(99, { reason: 'x' })).toThrow(missing);
  expect(() => store.confirm(99, null)).toThrow(missing);
  expect(store.add(draft('Rule'), null).id).toBeGreaterThan(id);
});

test('any rule name and reason is kept as given', () => {
  const unit = fc
    .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map((point) => String.fromCodePoint(point));
  const text = fc.string({ unit, minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(text, text, (rule, reason) => {
      const { id } = store.add(draft(rule, { reason }), null);
      expect(store.list('lab').find((mute) => mute.id === id)).toMatchObject({ rule, reason });
    }),
    { numRuns: 60 },
  );
});
