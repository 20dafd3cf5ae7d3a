import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { BundlePart } from '../../archive/bundle/bundle-opening.ts';
import { recordOf, sampleOf } from '../../archive/bundle/bundle.fixture.ts';
import { giveOut } from './bundle-delivery.ts';
import type { FromReader } from './bundle-workers.ts';

type Given = Parameters<typeof giveOut>;
const order: Given[1] = {
  stagedId: 'a',
  source: { kind: 'container', path: '/a' },
  name: 'theirs',
  passphrase: '',
  database: '',
  workspaceIds: ['lab'],
  taking: null,
};

const digest = Buffer.alloc(32);

function giving(parts: BundlePart[], port: MessagePort): { reported: FromReader[]; over: Promise<void> } {
  const reported: FromReader[] = [];
  const reading = {
    readBytes: 0,
    parts: async function* () {
      yield* parts;
    },
  };
  const over = giveOut(
    reading,
    order,
    { borders: digest, skip: 0 },
    {
      preview: { isHeld: () => false, haveRules: () => false },
      shown: () => {},
      report: (message) => void reported.push(message),
      port,
    },
  );
  return { reported, over };
}

async function given(parts: BundlePart[]): Promise<FromReader[]> {
  const { port1, port2 } = new MessageChannel();
  const { reported, over } = giving(parts, port2);
  await over.finally(() => port1.close());
  return reported;
}

test('bundle delivery joins single bytes in their order', async () => {
  const bytes = randomBytes(200_000);
  const pieces = Array.from(bytes, (_, at): BundlePart => ({ kind: 'piece', bytes: bytes.subarray(at, at + 1) }));
  const sample = { ...sampleOf(bytes), sizeBytes: 5 * 2 ** 20 };
  const reported = await given([
    { kind: 'sample', sample, records: [], hasBytes: true, recordBytes: 100 },
    ...pieces,
    { kind: 'bytes-end', isWhole: true },
  ]);
  const sent = reported.flatMap((one) => (one.kind === 'piece' ? [one.bytes] : []));
  expect(sent.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 200_000 - 3 * 65_536]);
  expect(Buffer.concat(sent)).toEqual(bytes);
  expect(reported.map(({ kind }) => kind).slice(-3)).toEqual(['end-pieces', 'read', 'taken']);
});

test('progress counts bytes as stored in the file for any content, and the smallest item counts, too', async () => {
  const sample = sampleOf(randomBytes(1));
  const reported = await given(
    [20_000, 10].map((recordBytes) => ({
      kind: 'sample',
      sample,
      records: [recordOf('2026-01-01T00:00:00.000Z')],
      hasBytes: false,
      recordBytes,
    })),
  );
  expect(reported.flatMap((one) => (one.kind === 'sample' ? [one.sentBytes] : []))).toEqual([64 * 20_000, 4096]);
});

test('bundle delivery sends nothing after costly samples before they are imported', async () => {
  const { port1, port2 } = new MessageChannel();
  const large: BundlePart = {
    kind: 'sample',
    sample: sampleOf(randomBytes(1)),
    records: [],
    hasBytes: false,
    recordBytes: 300_000,
  };
  const { reported, over } = giving([large, { kind: 'border', digest }, large], port2);
  const handle = async (kind: 'sample' | 'border'): Promise<void> => {
    const handled = reported.find((one) => one.kind === kind);
    const taken = once(port2, 'message');
    port1.postMessage({
      handledBytes:
        handled !== undefined && 'sentBytes' in handled ? handled.sentBytes : expect.fail('it was not told'),
    });
    await taken;
    await nextTurn();
  };
  await nextTurn();
  expect(reported.map(({ kind }) => kind)).toEqual(['sample']);
  await handle('sample');
  expect(reported.map(({ kind }) => kind)).toEqual(['sample', 'border']);
  await handle('border');
  expect(reported.map(({ kind }) => kind)).toEqual(['sample', 'border', 'sample', 'read', 'taken']);
  await over;
  port1.close();
});
