import { expect, test } from 'vitest';
import { noRows } from '../../../components/data-grid/row-selection.ts';
import { MemoryBridge } from '../../../test/memory-bridge.ts';
import { rowOf } from '../library-row.fixture.ts';
import { setTlp, tagSamples } from './change-samples.ts';
import { meantSamples } from './meant-samples.ts';
import { factsOf } from './sample-facts.fixture.ts';

const rows = [rowOf(1, { tags: ['family:emotet'] }), rowOf(2), rowOf(3, { sha256: null })];
const some = meantSamples({ terms: [], total: 9, selection: { kind: 'these', keys: new Set(rows.map(({ hash }) => hash)) }, current: null });
const all = meantSamples({ terms: [], total: 9000, selection: { kind: 'all-except', keys: new Set() }, current: null });
const host = (changed: number): MemoryBridge => new MemoryBridge({
  'library.facts': () => ({ samples: rows.map(factsOf), next: null }),
  'library.change': () => ({ changed, leftOut: 1 }),
});

test('taking back a tag leaves it where it was before', async () => {
  expect(await tagSamples(host(1), some, 'family:emotet', true)).toEqual({
    ok: true, value: { changed: 1, leftOut: 1, undo: [{ selection: { kind: 'named', hashes: [rowOf(2).hash] }, change: { add: [], remove: ['family:emotet'] } }] },
  });
});

test('a tag that was taken is given back to those alone that had it', async () => {
  const done = await tagSamples(host(1), some, 'family:emotet', false);
  expect(done.ok && done.value.undo).toEqual([{ selection: { kind: 'named', hashes: [rowOf(1).hash] }, change: { add: ['family:emotet'], remove: [] } }]);
});

test('of samples that nobody looked at before, a tag is taken back only where all of them got it', async () => {
  const hashes = Array.from({ length: 5001 }, (_, index) => rowOf(index).hash);
  const many = meantSamples({ terms: [], total: 9000, selection: { kind: 'these', keys: new Set(hashes) }, current: null });
  // Each call changes as many.
  const partly = await tagSamples(host(2500), many, 'seen', true);
  expect(partly.ok && partly.value.undo).toEqual([]);
  const wholly = await tagSamples(host(2500.5), many, 'seen', true);
  expect(wholly.ok && wholly.value.undo).toEqual(many.selections.map((selection) => ({ selection, change: { add: [], remove: ['seen'] } })));
});

test('a query that would find others by then takes nothing back', async () => {
  const done = await tagSamples(host(9000), all, 'seen', true);
  expect(done.ok && done.value.undo).toEqual([]);
});

test('the TLP goes back to what this desk said before, whoever else says another one', async () => {
  const row = rowOf(1);
  const bridge = new MemoryBridge({
    'library.sample': () => ({ row, note: null, records: [], tlps: [{ level: 'red', source: 'upload' }, { level: 'green', source: 'own' }] }),
    'library.change': () => ({ changed: 1, leftOut: 0 }),
  });
  const done = await setTlp(bridge, meantSamples({ terms: [], total: 9, selection: noRows, current: row }), 'amber');
  expect(done.ok && done.value.undo).toEqual([{ selection: { kind: 'named', hashes: [row.hash] }, change: { add: [], remove: [], tlp: 'green' } }]);
});
