import { randomBytes } from 'node:crypto';
import { threadCpuUsage } from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BundledRecord } from '../../../shared/domain/bundled.ts';
import { RecordBounds } from '../../archive/bundle/bundle-bounds.ts';
import { recordOf, sampleOf, sealedBundle } from '../../archive/bundle/bundle.fixture.ts';
import { type BundleDesk, fileOf, openBundleDesk, workspaceId } from './bundle-desk.fixture.ts';

let ours: BundleDesk;
beforeEach(async () => {
  ours = await openBundleDesk();
});
afterEach(() => ours.close());

const time = '2026-01-01T00:00:00.000Z';
const recordWith = (facts: object): BundledRecord => ({ readAt: time, record: { ...recordOf(time).record, comments: [], ...facts } });
const comments = (count: number, characters: number, at: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${at}-${index}`, parentId: null, author: null, content: `${at}-${index} `.padEnd(characters, 'é'), created: null }));

/** Records of a sample that have as much as they may have together, each of their own kind. */
const largest: [string, BundledRecord[]][] = [
  ['values', [recordWith({ unknown: { wide: Array.from({ length: 39_800 }, (_, at) => at) } })]],
  ['characters', [recordWith({ unknown: { long: ['é'.repeat(500_000)] } })]],
  ['comments', Array.from({ length: 10 }, (_, at) => recordWith({ comments: comments(100, 260, at) }))],
  ['short comments', Array.from({ length: 20 }, (_, at) => recordWith({ comments: comments(50, 10, at) }))],
];

/** In milliseconds of this thread alone, so that what else the machine does counts for nothing. @returns what the longest turn of the event loop took until now; asked once, it stops */
function watchTurns(): () => number {
  const spent = (): number => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  };
  let [last, longest] = [spent(), 0];
  const turn = (): void => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  return () => {
    clearImmediate(next);
    return longest;
  };
}

test.each(largest)('a bundle of samples with the most %s is taken in by turns', { timeout: 60_000 }, async (_, records) => {
  const bounds = new RecordBounds();
  expect(records.map((one) => bounds.take(one))).not.toContain(false);
  const tags = Array.from({ length: 1000 }, (_unused, at) => `tag-${at}`);
  const samples = Array.from({ length: 8 }, () => ({ sample: { ...sampleOf(randomBytes(10)), tags, note: { text: 'é'.repeat(100_000), changed: '' } }, bytes: null, records }));
  await ours.looked(await fileOf(ours, await sealedBundle({ samples, options: { chunkBytes: 2 ** 20 } })));
  const longest = watchTurns();
  expect(await ours.ended(ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId).id)).toMatchObject({ counts: { done: samples.length } });
  expect(longest()).toBeLessThan(50);
});
