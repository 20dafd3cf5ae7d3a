import { expect, test } from 'vitest';
import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { fail } from '../../../shared/failure.ts';
import { noRows } from '../../components/data-grid/row-selection.ts';
import { rowOf } from './library-row.fixture.ts';
import { factsOf } from './sample-facts.fixture.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { actionTarget } from './action-target.ts';
import { addNote } from './add-note.ts';
import { noChange, setTlp, tagSamples } from './change-samples.ts';

const rows = [rowOf(1, { tags: ['family:emotet'] }), rowOf(2), rowOf(3, { sha256: null })];
const some = actionTarget({
  terms: [],
  total: 9,
  selection: { kind: 'these', keys: new Set(rows.map(({ hash }) => hash)) },
  current: null,
});
const all = actionTarget({ terms: [], total: 9000, selection: { kind: 'all-except', keys: new Set() }, current: null });
const host = (changed: number): MemoryBridge =>
  new MemoryBridge({
    'library.facts': () => ({ samples: rows.map(factsOf), next: null }),
    'library.change': () => ({ changed, leftOut: 1 }),
  });

test('undo of an added tag leaves it where it was before', async () => {
  expect(await tagSamples(host(1), some, 'family:emotet', true)).toEqual({
    ok: true,
    value: {
      changed: 1,
      leftOut: 1,
      undo: [{ selection: { kind: 'named', hashes: [rowOf(2).hash] }, change: { add: [], remove: ['family:emotet'] } }],
    },
  });
});

test('undo of a removed tag returns it only to the samples that had it', async () => {
  const done = await tagSamples(host(1), some, 'family:emotet', false);
  expect(done.ok && done.value.undo).toEqual([
    { selection: { kind: 'named', hashes: [rowOf(1).hash] }, change: { add: ['family:emotet'], remove: [] } },
  ]);
});

test('undo of a tag on samples that were not read before works only when all of them got it', async () => {
  const hashes = Array.from({ length: 5001 }, (_, index) => rowOf(index).hash);
  const many = actionTarget({
    terms: [],
    total: 9000,
    selection: { kind: 'these', keys: new Set(hashes) },
    current: null,
  });
  // Each call changes as many.
  const partly = await tagSamples(host(2500), many, 'seen', true);
  expect(partly.ok && partly.value.undo).toEqual([]);
  const wholly = await tagSamples(host(2500.5), many, 'seen', true);
  expect(wholly.ok && wholly.value.undo).toEqual(
    many.selections.map((selection) => ({ selection, change: { add: [], remove: ['seen'] } })),
  );
});

test('undo is not offered for a query that would match other samples by then', async () => {
  const done = await tagSamples(host(9000), all, 'seen', true);
  expect(done.ok && done.value.undo).toEqual([]);
});

/** A host with samples that have these local TLP levels. */
function hostSaying(levels: readonly (TlpLevel | null)[]): MemoryBridge {
  const samples = levels.map((ownTlp, index) => ({ ...factsOf(rowOf(index, { tlp: 'red' })), ownTlp }));
  return new MemoryBridge({
    'library.facts': ({ after, limit }) => ({
      samples: samples.slice(after, after + limit),
      next: after + limit < samples.length ? after + limit : null,
    }),
    'library.change': () => ({ changed: samples.length, leftOut: 0 }),
  });
}
const targetRows = (count: number) =>
  actionTarget({
    terms: [],
    total: 9000,
    selection: { kind: 'these', keys: new Set(Array.from({ length: count }, (_, index) => rowOf(index).hash)) },
    current: null,
  });
/** From the one that was set, amber. */
const backTo = (tlp: TlpLevel | null, rowsBack: readonly number[]) => ({
  selection: { kind: 'named', hashes: rowsBack.map((row) => rowOf(row).hash) },
  change: { add: [], remove: [], tlp, whereTlp: 'amber' },
});

test('undo restores the earlier local TLP, whatever other sources have set', async () => {
  const done = await setTlp(
    hostSaying(['green']),
    actionTarget({ terms: [], total: 9, selection: noRows, current: rowOf(0) }),
    'amber',
  );
  expect(done.ok && done.value.undo).toEqual([backTo('green', [0])]);
});

test('undo restores the own TLP of thousands, one call per level, and skips those that had the new one', async () => {
  const levels = Array.from({ length: 3000 }, (_, index): TlpLevel | null =>
    index === 0 ? 'amber' : index % 2 === 0 ? 'green' : null,
  );
  const done = await setTlp(hostSaying(levels), targetRows(3000), 'amber');
  const [odd, even] = [1, 2].map((first) =>
    Array.from({ length: first === 1 ? 1500 : 1499 }, (_, index) => first + 2 * index),
  );
  expect(done.ok && done.value.undo).toEqual([backTo(null, odd ?? []), backTo('green', even ?? [])]);
});

test('a TLP of more samples than are read before has no undo', async () => {
  const bridge = hostSaying([null]);
  const done = await setTlp(bridge, targetRows(5001), 'amber');
  expect(done.ok && done.value.undo).toEqual([]);
  expect(bridge.inputsOf('library.facts')).toEqual([]);
});

test('the TLP stays as set when its earlier value cannot be read', async () => {
  const bridge = new MemoryBridge({ 'library.facts': () => fail({ kind: 'host-gone' }) });
  expect(await setTlp(bridge, targetRows(2), 'amber')).toEqual({ ok: false, failure: { kind: 'host-gone' } });
  expect(bridge.inputsOf('library.change')).toEqual([]);
});

test('changes run one after the other, each on the result of the one before', async () => {
  const first = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  const bridge = new MemoryBridge({
    'library.facts': async () => {
      asked.push('read');
      if (asked.length === 1) await first.promise;
      return { samples: [], next: null };
    },
    'library.change': ({ change }) => {
      asked.push(change);
      return { changed: 1, leftOut: 0 };
    },
  });
  const given = tagSamples(bridge, some, 'seen', true);
  const taken = tagSamples(bridge, some, 'seen', false);
  const set = setTlp(bridge, some, 'green');
  const noted = addNote(bridge, some, 'seen');
  first.resolve();
  await Promise.all([given, taken, set, noted]);
  expect(asked).toEqual([
    'read',
    { add: ['seen'], remove: [] },
    'read',
    { add: [], remove: ['seen'] },
    'read',
    { ...noChange, tlp: 'green' },
    { ...noChange, note: 'seen' },
  ]);
});
