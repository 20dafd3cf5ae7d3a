import { expect, test } from 'vitest';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { fail } from '../../../shared/failure.ts';
import { noRows } from '../../components/data-grid/row-selection.ts';
import { rowOf } from './library-row.fixture.ts';
import { factsOf } from './sample-facts.fixture.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { actionTarget, readFacts } from './action-target.ts';

const listed = { terms: [], total: 20_000, selection: noRows, current: null };
const hashes = (count: number): string[] => Array.from({ length: count }, (_, index) => rowOf(index).hash);

test('actionTarget is the ticked samples, else the current row, else nothing', () => {
  expect(actionTarget(listed)).toMatchObject({ count: 0, selections: [] });
  const current = rowOf(1);
  expect(actionTarget({ ...listed, current })).toMatchObject({
    count: 1,
    ticked: 0,
    selections: [{ kind: 'named', hashes: [current.hash] }],
  });
  const selection = { kind: 'these', keys: new Set(hashes(2)) } as const;
  expect(actionTarget({ ...listed, current, selection })).toMatchObject({
    count: 2,
    ticked: 2,
    selections: [{ kind: 'named', hashes: hashes(2) }],
  });
});

test('actionTarget names all but some by their query', () => {
  const selection = { kind: 'all-except', keys: new Set(hashes(1)) } as const;
  expect(actionTarget({ ...listed, selection })).toMatchObject({
    count: 19_999,
    selections: [{ kind: 'query', terms: [], except: hashes(1) }],
  });
});

test('actionTarget splits more names than one call takes into several selections', () => {
  const { selections } = actionTarget({ ...listed, selection: { kind: 'these', keys: new Set(hashes(5001)) } });
  expect(selections.map((selection) => selection.kind === 'named' && selection.hashes.length)).toEqual([5000, 1]);
});

/** A host that returns the given number of samples, two a page. */
function hostOf(all: readonly SampleFacts[]): MemoryBridge {
  return new MemoryBridge({
    'library.facts': ({ after }) => ({
      samples: all.slice(after, after + 2),
      next: after + 2 < all.length ? after + 2 : null,
    }),
  });
}

test('samples are read to the end, or up to the requested number', async () => {
  const all = [1, 2, 3, 4, 5].map((number) => factsOf(rowOf(number)));
  const target = actionTarget({ ...listed, current: rowOf(1) });
  const read = await readFacts(hostOf(all), target, 10);
  expect(read.ok && read.value.length).toBe(5);
  const bridge = hostOf(all);
  await readFacts(bridge, target, 1);
  expect(bridge.inputsOf('library.facts')).toHaveLength(1);
});

test('samples that cannot be read to the end give no list', async () => {
  const bridge = new MemoryBridge({
    'library.facts': ({ after }) =>
      after === 0 ? { samples: [factsOf(rowOf(1))], next: 7 } : fail({ kind: 'host-gone' }),
  });
  expect(await readFacts(bridge, actionTarget({ ...listed, current: rowOf(1) }), 10)).toEqual({
    ok: false,
    failure: { kind: 'host-gone' },
  });
});
