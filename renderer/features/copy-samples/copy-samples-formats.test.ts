import { afterEach, expect, test, vi } from 'vitest';
import { reportedSample } from '../../../shared/domain/sample-table.ts';
import { copiedSamples, joinedInStints, mostTableRows } from './copy-samples.tsx';

afterEach(() => void vi.restoreAllMocks());

const md5Of = (at: number): string => at.toString(16).padStart(32, '0');

test('hashes are one per line, and a single one has no line end to act as Enter', async () => {
  const [one, two] = [reportedSample({ md5: md5Of(1) }), reportedSample({ md5: md5Of(2) })];
  expect(await copiedSamples([one, two], 'md5')).toEqual({ words: `${md5Of(1)}\n${md5Of(2)}\n`, news: 'Copied 2 MD5' });
  expect(await copiedSamples([one, reportedSample({})], 'hashes')).toEqual({
    words: md5Of(1),
    news: 'Copied 1 hash (1 sample has none)',
  });
  expect((await copiedSamples([one], 'defanged'))?.words.endsWith('\n')).toBe(true);
});

test('copying has nothing to copy when no sample has the requested value', async () => {
  expect(await copiedSamples([reportedSample({ md5: md5Of(1) })], 'sha256')).toBeNull();
  expect(await copiedSamples([reportedSample({ name: 'a' })], 'yara')).toBeNull();
  expect(await copiedSamples([], 'csv')).toBeNull();
});

test('building the longest table yields to the page repeatedly', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let turns = 0;
  let isDone = false;
  const takeTurns = (): void => {
    turns += 1;
    if (!isDone) setTimeout(takeTurns);
  };
  function* slowly(): Generator<string, void> {
    for (let piece = 0; piece < 20; piece += 1) {
      now += 5;
      yield `${piece},`;
    }
  }
  setTimeout(takeTurns);
  expect((await joinedInStints(slowly())).split(',')).toHaveLength(21);
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(8);
});

test('a table of the maximum length is copied whole', async () => {
  const samples = Array.from({ length: mostTableRows }, (_, at) => reportedSample({ md5: md5Of(at) }));
  const made = await copiedSamples(samples, 'json-lines');
  expect(made?.news).toBe('Copied 20,000 samples as JSON Lines');
  expect(made?.words.split('\n')).toHaveLength(mostTableRows + 1);
});
