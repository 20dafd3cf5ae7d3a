import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { decodeContainer, encodeContainer } from '../container/container.ts';
import { scanPack } from './open-packs.ts';
import { encodeFrameInto, frameBytes } from './pack-frame.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-pack-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

function recordOf(bytes: Uint8Array, isVoid: boolean): Buffer {
  const container = encodeContainer(bytes, {
    md5: hash('md5', bytes),
    sha1: hash('sha1', bytes),
    sha256: hash('sha256', bytes),
    sizeBytes: bytes.length,
  });
  const frame = Buffer.alloc(frameBytes);
  encodeFrameInto(frame, { isVoid, length: container.length });
  return Buffer.concat([frame, container]);
}

const packOf = (records: readonly (readonly [Uint8Array, boolean])[]): Buffer =>
  Buffer.concat(records.map(([bytes, isVoid]) => recordOf(bytes, isVoid)));

export const target = fuzzTarget({
  name: 'pack',
  reads: 'a pack of small samples without its index',
  holds: 'ascending places in the pack that never overlap, each a complete container; it ends for any damage',
  form: bytesForm,
  seeds: [
    packOf([
      [Buffer.from('one'), false],
      [Buffer.from('two'), true],
      [Buffer.alloc(500, 'three'), false],
    ]),
    packOf([[Buffer.alloc(0), false]]),
  ],
  made: fc.array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.boolean()), { maxLength: 4 }).map(packOf),
  async attack(bytes) {
    const path = join(folder, 'a.pack');
    writeFileSync(path, bytes);
    let end = 0;
    for await (const { at, length, sha256 } of scanPack(path, 'a.pack')) {
      mustHold(at >= end + frameBytes && at + length <= bytes.length, 'two places overlap, or one lies outside');
      mustHold(
        decodeContainer(Buffer.from(bytes.subarray(at, at + length)), sha256).facts.sha256 === sha256,
        'it is no whole container',
      );
      end = at + length;
    }
  },
});
