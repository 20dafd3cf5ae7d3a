import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { createTestLibrary, found, named, termsOf, type TestLibrary, testLimits } from './library.fixture.ts';

/** One for all tests, because its threads take a moment to start: each keeps samples under a tag of its own. */
let setup: TestLibrary;
beforeAll(async () => {
  setup = await createTestLibrary();
});
afterAll(() => setup.close());

const many = testLimits.change + 1;
const manyToForget = testLimits.forget + 1;
const nothing = { add: [], remove: [] };

test('a change of up to the limit is a call, and one more sample is a job', async () => {
  const [last = ''] = setup.know('border', many);
  const selection = { kind: 'query', terms: termsOf('tag:border'), except: [last] } as const;
  expect(
    await setup.library.change({ selection: { ...selection, except: [last] }, change: { add: ['few'], remove: [] } }),
  ).toEqual({ changed: testLimits.change, leftOut: 0 });
  const { job, ...counts } = await setup.library.change({
    selection: found('tag:border'),
    change: { add: ['few'], remove: [], tlp: 'red', note: 'said once' },
  });
  expect(counts).toEqual({ changed: 0, leftOut: 0 });
  expect(await setup.ended(job)).toMatchObject({
    state: 'done',
    items: many,
    counts: { done: many, waiting: 0 },
    task: { kind: 'library-change', what: 'change', add: ['few'], remove: [], tlp: 'red', addsNote: true },
  });
  expect(await setup.total('tag:few tlp:red note:once')).toBe(many);
});

test('a job changes what was found at confirmation, and no sample found only later', async () => {
  const [one = ''] = setup.know('then', many);
  const { job } = await setup.library.change({
    selection: found('tag:then'),
    change: { add: ['meant'], remove: ['then'] },
  });
  const [later = ''] = setup.know('then', 1);
  setup.stores.library.tagSamples([one], [], ['then']);
  expect(await setup.ended(job)).toMatchObject({
    state: 'done',
    counts: { done: many, 'already-here': 0, unknown: 0 },
  });
  expect([await setup.listed('tag:then'), await setup.total('tag:meant')]).toEqual([[later], many]);
});

test('a job skips samples whose TLP has changed by then', async () => {
  const [stricter = ''] = setup.know('spared', many);
  setup.stores.library.changeSamples([stricter], { ...nothing, tlp: 'red' });
  const { job } = await setup.library.change({
    selection: found('tag:spared'),
    change: { ...nothing, tlp: 'green', whereTlp: null },
  });
  expect(await setup.ended(job)).toMatchObject({ state: 'done', counts: { done: many - 1, 'already-here': 1 } });
  expect(await setup.listed('tag:spared tlp:red')).toEqual([stricter]);
});

test('samples already as required, and samples without a SHA-256, are counted apart', async () => {
  const known = setup.know('apart', many);
  const md5 = 'a'.repeat(32);
  setup.stores.library.recordLookup({
    workspaceId: 'lab',
    md5,
    record: recordWith({ md5, tags: ['apart'] }),
    outcome: 'found',
  });
  setup.stores.library.tagSamples(known.slice(0, 10), ['held'], []);
  const { job } = await setup.library.change({ selection: found('tag:apart'), change: { add: ['held'], remove: [] } });
  expect(await setup.ended(job)).toMatchObject({
    state: 'done',
    counts: { done: many - 10, 'already-here': 10, unknown: 1 },
  });
});

test('a cancelled job keeps what is done, counts it, and the rest can be resumed', async () => {
  setup.know('cut', 3 * many);
  const { job = 0 } = await setup.library.change({
    selection: found('tag:cut'),
    change: { ...nothing, note: 'once each' },
  });
  await vi.waitFor(() => expect(setup.jobs.get(job).counts.done).toBeGreaterThan(0), { interval: 0 });
  setup.jobs.cancel(job);
  const { state, counts, items } = await setup.ended(job);
  expect([state, items, counts.done + counts.cancelled]).toEqual(['cancelled', 3 * many, 3 * many]);
  expect([counts.done, counts.cancelled]).toEqual([
    await setup.total('tag:cut note:once'),
    await setup.total('tag:cut -note:once'),
  ]);
  setup.jobs.retry(job, ['cancelled']);
  expect(await setup.ended(job)).toMatchObject({ state: 'done', counts: { done: 3 * many, cancelled: 0 } });
  for (const hash of await setup.listed('tag:cut')) expect(setup.library.sample(hash).note?.text).toBe('once each');
});

test('query results over the limit are forgotten by a job, bytes included', async () => {
  const kept = await setup.keep('gone', 12);
  setup.know('gone', manyToForget);
  const { job, forgotten } = await setup.library.forget(await setup.allOf('tag:gone'));
  expect(forgotten).toBe(0);
  expect(await setup.ended(job)).toMatchObject({ state: 'done', counts: { done: manyToForget + 12 } });
  expect(await setup.total('tag:gone')).toBe(0);
  for (const sha256 of kept) expect(await setup.vault.has(sha256)).toBe(false);
});

test('nothing is forgotten, and there is no job, when the query finds more than was confirmed', async () => {
  setup.know('more', manyToForget - 1);
  const asked = await setup.allOf('tag:more');
  setup.know('more', 1);
  const before = setup.jobs.list().length;
  await expect(setup.library.forget(asked)).rejects.toThrow(
    expect.objectContaining({
      failure: { kind: 'selection-changed', expected: manyToForget - 1, found: manyToForget },
    }),
  );
  expect([await setup.total('tag:more'), setup.jobs.list().length]).toEqual([manyToForget, before]);
});

test('nothing is forgotten when the query finds as many samples as confirmed, but other ones', async () => {
  const [untagged = ''] = setup.know('other', manyToForget);
  const asked = await setup.allOf('tag:other');
  setup.stores.library.tagSamples([untagged], [], ['other']);
  setup.know('other', 1);
  const before = setup.jobs.list().length;
  await expect(setup.library.forget(asked)).rejects.toThrow(
    expect.objectContaining({ failure: { kind: 'selection-changed', expected: manyToForget, found: manyToForget } }),
  );
  expect([await setup.total('tag:other'), setup.jobs.list().length]).toEqual([manyToForget, before]);
});

test('a job that forgets pauses during a clean-up, and resumes after it', async () => {
  setup.know('busy', manyToForget);
  const { job = 0 } = await setup.library.forget(await setup.allOf('tag:busy'));
  setup.jobs.pause(job);
  const { counts } = await setup.ended(job);
  setup.cleaning.is = true;
  setup.jobs.resume(job);
  expect(await setup.ended(job)).toMatchObject({ state: 'paused', failure: { kind: 'storage-busy' }, counts });
  setup.cleaning.is = false;
  setup.jobs.resume(job);
  expect(await setup.ended(job)).toMatchObject({ state: 'done', counts: { done: manyToForget } });
});

test('named samples are forgotten by a call', async () => {
  const known = setup.know('named', manyToForget);
  expect(await setup.library.forget({ selection: named(...known), what: 'all', expected: null })).toEqual({
    forgotten: manyToForget,
  });
});

test('a note for more samples than one step takes is a job, also when they are named', async () => {
  const known = setup.know('step', testLimits.note + 1);
  const few = await setup.library.change({
    selection: named(...known.slice(1)),
    change: { ...nothing, note: 'a step' },
  });
  expect(few).toEqual({ changed: testLimits.note, leftOut: 0 });
  const { job, ...counts } = await setup.library.change({
    selection: named(...known),
    change: { ...nothing, note: 'one more' },
  });
  expect(counts).toEqual({ changed: 0, leftOut: 0 });
  expect(await setup.ended(job)).toMatchObject({ state: 'done', items: known.length, counts: { done: known.length } });
  expect(await setup.total('tag:step note:more')).toBe(known.length);
});

test('a note that fails at one of few samples is added to none, and once to each when retried', async () => {
  const known = setup.know('at-once', testLimits.note);
  const again = { selection: named(...known), change: { ...nothing, note: 'once each' } };
  await setup.unwritable(known[30] ?? '', () => expect(setup.library.change(again)).rejects.toThrow());
  expect(await setup.total('tag:at-once note:once')).toBe(0);
  expect(await setup.library.change(again)).toEqual({ changed: testLimits.note, leftOut: 0 });
  for (const hash of known) expect(setup.library.sample(hash).note?.text).toBe('once each');
});

test('samples named in several calls are one job, which changes none before it is begun', async () => {
  const known = setup.know('parts', 3 * many);
  const { job } = setup.library.draftChange({ change: { ...nothing, note: 'once each' } });
  for (const at of [0, many, 2 * many])
    await setup.library.addToChange({ job, selection: named(...known.slice(at, at + many)) });
  expect([await setup.total('tag:parts note:once'), setup.jobs.list().some(({ id }) => id === job)]).toEqual([
    0,
    false,
  ]);
  setup.library.beginChange({ job });
  expect(await setup.ended(job)).toMatchObject({
    state: 'done',
    items: 3 * many,
    counts: { done: 3 * many },
    task: { what: 'change', addsNote: true },
  });
  for (const hash of known) expect(setup.library.sample(hash).note?.text).toBe('once each');
});

test('a begun job is unaffected by further requests to begin it', async () => {
  const known = setup.know('twice', 2);
  const { job } = setup.library.draftChange({ change: { ...nothing, note: 'once each' } });
  await setup.library.addToChange({ job, selection: named(...known) });
  setup.library.beginChange({ job });
  setup.library.beginChange({ job });
  await setup.ended(job);
  setup.library.beginChange({ job });
  expect(await setup.ended(job)).toMatchObject({ state: 'done', counts: { done: 2 } });
  for (const hash of known) expect(setup.library.sample(hash).note?.text).toBe('once each');
});

test('a begun job accepts no more samples, and a change that needs confirmation is not built in parts', async () => {
  const known = setup.know('begun', 1);
  const { job } = setup.library.draftChange({ change: { ...nothing, note: 'x' } });
  setup.library.beginChange({ job });
  await expect(setup.library.addToChange({ job, selection: named(...known) })).rejects.toMatchObject({
    failure: { kind: 'job-state' },
  });
  const forgetting = setup.jobs.create({ kind: 'library-change', what: 'all', ...nothing, addsNote: false }, null);
  expect(() => setup.library.beginChange({ job: forgetting })).toThrow(
    expect.objectContaining({ failure: { kind: 'job-missing', id: forgetting } }),
  );
  expect(setup.library.sample(known[0] ?? '').note).toBe(null);
});

const program = fileURLToPath(new URL('./killed-change.fixture.ts', import.meta.url));

for (const { tags, cases } of longAfter(1, ['tried again', 'begun']))
  test.each(cases)(
    'a program killed during a note that was %s resumes where it was: each note exists once',
    { tags },
    async (how) => {
      const data = temporaryFolder();
      const [, signal] = await once(spawn(execPath, [program, data, how], { stdio: 'inherit' }), 'exit');
      expect(signal).toBe('SIGKILL');
      const again = await createTestLibrary(data);
      expect(again.jobs.get(1)).toMatchObject({ state: 'running', items: many, counts: { done: expect.any(Number) } });
      expect(await again.ended(1)).toMatchObject({ state: 'done', counts: { done: many, 'already-here': 0 } });
      expect(await again.total('note:once')).toBe(many);
      for (const hash of await again.listed('tag:killed'))
        expect(again.library.sample(hash).note?.text).toBe('once each');
      await again.close();
    },
  );
