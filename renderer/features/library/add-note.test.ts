import { expect, test } from 'vitest';
import { mostNotedAtOnce } from '../../../shared/domain/library.ts';
import type { Failure, FailureKind } from '../../../shared/failure-kinds.ts';
import { fail, failed } from '../../../shared/failure.ts';
import { rowOf } from './library-row.fixture.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { actionTarget, mostNamed } from './action-target.ts';
import { addNote } from './add-note.ts';

const ticked = (numbers: readonly number[]) =>
  actionTarget({
    terms: [],
    total: 90_000,
    selection: { kind: 'these', keys: new Set(numbers.map((number) => rowOf(number).hash)) },
    current: null,
  });
const target = (count: number) => ticked([...Array(count).keys()]);

test('a note for as many samples as one call takes is one call', async () => {
  const bridge = new MemoryBridge({ 'library.change': () => ({ changed: 50, leftOut: 0 }) });
  const { selections, count } = target(mostNotedAtOnce);
  expect(await addNote(bridge, { selections, count }, 'seen')).toEqual({
    ok: true,
    value: { changed: 50, leftOut: 0 },
  });
  expect(bridge.inputsOf('library.change')).toEqual(
    selections.map((selection) => ({ selection, change: { add: [], remove: [], note: 'seen' } })),
  );
});

test('a retry is marked as one only when the outcome of the earlier call is unknown', async () => {
  let isAgain = false;
  const full: Failure = { kind: 'disk-full', path: 'data' };
  const failures: Failure[] = [
    full,
    { kind: 'host-gone' },
    full,
    { kind: 'host-reply-unreadable', operation: 'library.change' },
  ];
  const bridge = new MemoryBridge({
    'library.change': ({ again = false }) => {
      isAgain = again;
      const failure = failures.shift();
      return failure === undefined ? { changed: 1, leftOut: 0 } : fail(failure);
    },
  });
  // Each time by a dialog of its own, which may have been closed before.
  const asked = async (note: string): Promise<boolean> => {
    await addNote(bridge, target(1), note);
    return isAgain;
  };
  // Refused before anything was written; lost; refused as one that was lost; lost once more; done; and requested again.
  expect([
    await asked('seen'),
    await asked('seen'),
    await asked('seen'),
    await asked('seen'),
    await asked('seen'),
    await asked('seen'),
  ]).toEqual([false, false, true, true, true, false]);
  failures.push({ kind: 'host-gone' });
  expect([await asked('seen'), await asked('other')]).toEqual([false, false]);
  await addNote(bridge, target(2), 'seen');
  expect(isAgain).toBe(false);
  expect(await asked('seen')).toBe(true);
});

test('the same samples are the same call, in whatever order they were ticked', async () => {
  const asked: boolean[] = [];
  const bridge = new MemoryBridge({
    'library.change': ({ again = false }) =>
      asked.push(again) === 1 ? fail({ kind: 'host-gone' }) : { changed: 2, leftOut: 0 },
  });
  await addNote(bridge, ticked([1, 2]), 'seen');
  await addNote(bridge, ticked([2, 1]), 'seen');
  expect(asked).toEqual([false, true]);
});

test('a note for more is one job, started when complete; earlier failures are retried from the start', async () => {
  let refusals = 1;
  let drafts = 0;
  const bridge = new MemoryBridge({
    'library.draftChange': () => ({ job: ++drafts }),
    'library.addToChange': ({ selection }) =>
      selection.kind === 'named' && selection.hashes.length === 1 && refusals-- > 0
        ? fail({ kind: 'disk-full', path: 'data' })
        : {},
  });
  const { selections, count } = target(2 * mostNamed + 1);
  expect(await addNote(bridge, { selections, count }, 'seen')).toEqual({
    ok: false,
    failure: { kind: 'disk-full', path: 'data' },
  });
  expect(bridge.inputsOf('library.beginChange')).toEqual([]);
  expect(await addNote(bridge, { selections, count }, 'seen')).toEqual({
    ok: true,
    value: { changed: 0, leftOut: 0, job: 2 },
  });
  expect(bridge.inputsOf('library.addToChange')).toEqual(
    [1, 2].flatMap((job) => selections.map((selection) => ({ job, selection }))),
  );
  expect([bridge.inputsOf('library.beginChange'), bridge.inputsOf('library.change')]).toEqual([[{ job: 2 }], []]);
});

test('a job with an unknown start is started again on retry, and replaced only when it is missing', async () => {
  const lost: FailureKind[] = ['host-gone', 'host-gone', 'job-missing'];
  let drafts = 0;
  const bridge = new MemoryBridge({
    'library.draftChange': () => ({ job: ++drafts }),
    'library.beginChange': ({ job }) => {
      const kind = lost.shift();
      return kind === undefined ? {} : fail(kind === 'job-missing' ? { kind, id: job } : { kind: 'host-gone' });
    },
  });
  const { selections, count } = target(mostNotedAtOnce + 1);
  const add = async (note = 'seen') => addNote(bridge, { selections, count }, note);
  expect([await add(), await add()]).toEqual([failed({ kind: 'host-gone' }), failed({ kind: 'host-gone' })]);
  expect(bridge.inputsOf('library.beginChange')).toEqual([{ job: 1 }, { job: 1 }]);
  expect(await add()).toMatchObject({ ok: true, value: { job: 2 } });
  // A note that was added is added once more only when the person requests it again.
  expect([await add(), await add('other')]).toMatchObject([
    { ok: true, value: { job: 3 } },
    { ok: true, value: { job: 4 } },
  ]);
});

test('another text is another note, even when the outcome of the earlier one is unknown', async () => {
  let [drafts, refusals] = [0, 1];
  const bridge = new MemoryBridge({
    'library.draftChange': () => ({ job: ++drafts }),
    'library.beginChange': () => (refusals-- > 0 ? fail({ kind: 'host-gone' }) : {}),
  });
  const { selections, count } = target(mostNotedAtOnce + 1);
  await addNote(bridge, { selections, count }, 'seen');
  expect(await addNote(bridge, { selections, count }, 'seen again')).toMatchObject({ ok: true, value: { job: 2 } });
});
