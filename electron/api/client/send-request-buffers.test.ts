import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { errorOf } from '../failure-of.fixture.ts';
import { whenBusy } from '../../base/property.fixture.ts';
import { createAlternatingBuffers } from './send-request.ts';

const mebibyte = 1024 * 1024;
const piece = fc
  .tuple(fc.constantFrom(0, 1, 1000, 65_536, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte), fc.nat({ max: 255 }))
  .map(([length, value]) => Buffer.alloc(length, value));

it(
  'the sender writes pieces of any size once, in order, in large sequential writes',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const whole = Buffer.concat(pieces);
        const sent: Buffer[] = [];
        let onTheirWay = 0;
        const buffers = createAlternatingBuffers(whole.length + 1, async (bytes) => {
          onTheirWay += 1;
          expect(onTheirWay).toBe(1);
          await new Promise(setImmediate);
          // Read only now: a buffer that was filled again too early would show.
          sent.push(Buffer.from(bytes));
          onTheirWay -= 1;
        });
        for (const bytes of pieces) await buffers.add(bytes);
        await buffers.flush();
        expect(onTheirWay).toBe(0);
        expect(Buffer.concat(sent).equals(whole)).toBe(true);
        expect(sent).toHaveLength(Math.ceil(whole.length / Math.min(mebibyte, whole.length + 1)));
      }),
    );
  },
  whenBusy,
);

it('the sender reports a failed write at the next write or at the end', async () => {
  const lost = new Error('lost');
  const early = createAlternatingBuffers(10 * mebibyte, () => Promise.reject(lost));
  expect(await errorOf(() => early.add(Buffer.alloc(10 * mebibyte)))).toBe(lost);
  const late = createAlternatingBuffers(100, () => Promise.reject(lost));
  await late.add(Buffer.alloc(10));
  expect(await errorOf(() => late.flush())).toBe(lost);
});
