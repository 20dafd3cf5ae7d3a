import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { BundledRecord } from '../../../shared/domain/bundle.ts';
import { recordOf, sampleOf, sealedBundle } from '../../archive/bundle/bundle.fixture.ts';
import { RecordBounds } from '../../archive/bundle/sealed-chunks.ts';
import { Inbox } from './bundle-workers.ts';
import { createTestBundles, fileOf, type TestBundles, workspaceId } from './bundles.fixture.ts';

let ours: TestBundles;
beforeEach(async () => {
  ours = await createTestBundles();
});
afterEach(() => ours.close());

const time = '2026-01-01T00:00:00.000Z';
const recordWith = (facts: object): BundledRecord => ({
  readAt: time,
  record: { ...recordOf(time).record, comments: [], ...facts },
});
const comments = (count: number, characters: number, at: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${at}-${index}`,
    parentId: null,
    author: null,
    content: `${at}-${index} `.padEnd(characters, 'é'),
    created: null,
  }));

/** Records of a sample that have as much as they may have together, each of their own kind. */
const largest: [string, BundledRecord[]][] = [
  ['values', [recordWith({ unknown: { wide: Array.from({ length: 39_800 }, (_, at) => at) } })]],
  ['characters', [recordWith({ unknown: { long: ['é'.repeat(500_000)] } })]],
  ['comments', Array.from({ length: 10 }, (_, at) => recordWith({ comments: comments(100, 260, at) }))],
  ['short comments', Array.from({ length: 20 }, (_, at) => recordWith({ comments: comments(50, 10, at) }))],
];

type Did = 'told' | 'turn' | 'taken';

/**
 * @returns what this thread did with samples until now, in its order: one is reported by the reader, which deserializes
 * it here, or some are taken into the library; and the turns of its event loop between, each row of them as one
 */
function watchThread({ stores }: TestBundles): () => Did[] {
  const pushed = vi.spyOn(Inbox.prototype, 'push');
  const takeIn = vi.spyOn(stores.bundles, 'takeIn');
  const turn = vi.fn<() => void>(() => void (next = setImmediate(turn)));
  let next = setImmediate(turn);
  onTestFinished(() => {
    clearImmediate(next);
    vi.restoreAllMocks();
  });
  return () => {
    const isSample = (at: number): boolean => fromReader.safeParse(pushed.mock.calls[at]?.[0]).data?.kind === 'sample';
    const reported = pushed.mock.invocationCallOrder.filter((_, at) => isSample(at));
    const all: [Did, number[]][] = [
      ['told', reported],
      ['turn', turn.mock.invocationCallOrder],
      ['taken', takeIn.mock.invocationCallOrder.filter((_, at) => takeIn.mock.calls[at]?.[0].length !== 0)],
    ];
    const did = all
      .flatMap(([what, orders]) => orders.map((order) => ({ what, order })))
      .toSorted((one, other) => one.order - other.order);
    return did.flatMap(({ what }, at) => (what === 'turn' && (at === 0 || did[at - 1]?.what === 'turn') ? [] : [what]));
  };
}
const fromReader = z.object({ kind: z.string() });

const [first = expect.fail('there is none'), ...others] = largest;
test.each([first])('a bundle of samples with the most %s is imported in turns', { timeout: 60_000 }, expectTurns);
test.each(others)(
  'a bundle of samples with the most %s is imported in turns',
  { timeout: 60_000, tags: ['long'] },
  expectTurns,
);

async function expectTurns(_: string, records: BundledRecord[]): Promise<void> {
  const bounds = new RecordBounds();
  expect(records.map((one) => bounds.take(one))).not.toContain(false);
  const tags = Array.from({ length: 1000 }, (_unused, at) => `tag-${at}`);
  const samples = Array.from({ length: 4 }, () => ({
    sample: { ...sampleOf(randomBytes(10)), tags, note: { text: 'é'.repeat(100_000), changed: '' } },
    bytes: null,
    records,
  }));
  await ours.looked(await fileOf(ours, await sealedBundle({ samples, options: { chunkBytes: 2 ** 20 } })));
  const did = watchThread(ours);
  const takeIn = vi.mocked(ours.stores.bundles.takeIn);
  expect(await ours.ended(ours.bundles.import(ours.bundles.opening?.id ?? '', workspaceId).id)).toMatchObject({
    counts: { done: samples.length },
  });
  // Behind the last border there is nothing.
  expect(takeIn.mock.calls.map(([taken]) => taken.length)).toEqual([...samples.map(() => 1), 0]);
  expect(did().join(' ')).toMatch(/^(?:turn )?told turn taken(?: (?:turn )?told turn taken){3}(?: turn)?$/);
}
