import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../shared/testing/fuzz-target.ts';
import { bytesForm, choiceForm, pairForm } from '../../shared/testing/input-forms.ts';
import { bytesFrame, FrameReader, FrameTooLongError, jsonFrame } from './local-socket-frames.ts';

const limitBytes = 2000;
const chunkSizes = [1, 3, 64] as const;
const frames = [
  jsonFrame('hello', { key: 'k', version: '1' }),
  jsonFrame('ask', { id: 1, kind: 'call', name: 'x', input: null }),
  bytesFrame(7, Buffer.from('piece')),
  bytesFrame(0, Buffer.alloc(0)),
];

export const target = fuzzTarget({
  name: 'socket-frames',
  reads: 'the socket between a command and Vitrine',
  holds: 'the same frames for any chunk boundaries, none over the limit, no byte lost',
  form: pairForm(bytesForm, choiceForm(chunkSizes)),
  seeds: [
    [Buffer.concat(frames), 3],
    [frames[2] ?? Buffer.alloc(0), 1],
  ],
  made: fc.tuple(
    fc
      .array(fc.oneof(fc.constantFrom(...frames), fc.uint8Array({ maxLength: 30 })), { maxLength: 6 })
      .map((parts) => Buffer.concat(parts)),
    fc.constantFrom(...chunkSizes),
  ),
  attack([bytes, chunkBytes]) {
    const whole = framesOf(bytes, bytes.length + 1);
    mustHold(
      JSON.stringify(whole) === JSON.stringify(framesOf(bytes, chunkBytes)),
      'it depends on how the bytes are cut',
    );
    const read = whole.frames.reduce((sum, [, payload]) => sum + 5 + payload.length / 2, 0);
    mustHold(whole.isTooLong || bytes.length - read < 5 + limitBytes, 'a frame that is whole was not given');
  },
});

function framesOf(
  bytes: Uint8Array,
  chunkBytes: number,
): { frames: (readonly [number, string])[]; isTooLong: boolean } {
  const reader = new FrameReader(limitBytes);
  const read: (readonly [number, string])[] = [];
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      reader.push(Buffer.from(bytes.subarray(at, at + chunkBytes)));
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        mustHold(frame.payload.length <= limitBytes, 'a frame is over the limit');
        read.push([frame.kind, frame.payload.toString('hex')]);
      }
    }
    return { frames: read, isTooLong: false };
  } catch (error) {
    if (error instanceof FrameTooLongError) return { frames: read, isTooLong: true };
    throw error;
  }
}
