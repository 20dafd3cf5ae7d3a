import { hash, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { committed, openedIn, sha256Of, small } from '../batch.fixture.ts';
import { encodeContainer } from '../container/container.ts';
import { collected } from '../eicar.fixture.ts';
import { scanPack } from './open-packs.ts';
import { encodeFrameInto, frameBytes } from './pack-frame.ts';
import type { PackPlace } from './pack-index.ts';

const pack = `${'0a'.repeat(16)}.pack`;

function recordOf(bytes: Uint8Array, isVoid = false): Buffer {
  const facts = {
    md5: hash('md5', bytes),
    sha1: hash('sha1', bytes),
    sha256: hash('sha256', bytes),
    sizeBytes: bytes.length,
  };
  const container = encodeContainer(bytes, facts);
  const frame = Buffer.alloc(frameBytes);
  encodeFrameInto(frame, { isVoid, length: container.length });
  return Buffer.concat([frame, container]);
}

async function placesOf(folder: string, bytes: Uint8Array): Promise<PackPlace[]> {
  await writeFile(join(folder, pack), bytes);
  const places: PackPlace[] = [];
  for await (const place of scanPack(join(folder, pack), pack)) places.push(place);
  return places;
}

test('a scan finds whole records across any damage between them, and no void ones', async () => {
  const folder = temporaryFolder();
  const piece = fc.oneof(
    fc.record({ kind: fc.constant('sound'), bytes: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ kind: fc.constant('void'), bytes: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ kind: fc.constant('junk'), bytes: fc.uint8Array({ maxLength: 60 }) }),
    fc.record({ kind: fc.constant('cut'), bytes: fc.uint8Array({ maxLength: 300 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const expected: PackPlace[] = [];
      let all = Buffer.alloc(0);
      for (const { kind, bytes } of pieces) {
        const record = recordOf(bytes, kind === 'void');
        if (kind === 'sound')
          expected.push({
            sha256: sha256Of(bytes),
            pack,
            at: all.length + frameBytes,
            length: record.length - frameBytes,
          });
        const cut = new Map([
          ['junk', Buffer.from(bytes)],
          ['cut', record.subarray(0, record.length - 20)],
        ]);
        all = Buffer.concat([all, cut.get(kind) ?? record]);
      }
      expect(await placesOf(folder, all)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

test('a pack of several megabytes is read to its end, including damage', async () => {
  const folder = temporaryFolder();
  const samples = Array.from({ length: 60 }, () => randomBytes(65_536));
  const bytes = Buffer.concat([randomBytes(1_500_000), ...samples.map((sample) => recordOf(sample))]);
  expect((await placesOf(folder, bytes)).map(({ sha256 }) => sha256)).toEqual(samples.map(sha256Of));
});

test('a lost index is rebuilt from the packs', async () => {
  const place = temporaryFolder();
  const before = await openedIn(place);
  const samples = Array.from({ length: 20 }, small);
  const [removed = ''] = samples.map(sha256Of);
  await committed(before.vault, samples);
  await before.vault.remove(removed);
  await before.vault.close();
  await rm(join(place, 'index.json'));
  const { vault, index } = await openedIn(place);
  expect(index.list('', 100)).toEqual(samples.slice(1).map(sha256Of).toSorted());
  expect(await collected(vault.read(sha256Of(samples[1] ?? randomBytes(1))))).toEqual(samples[1]);
  expect(JSON.parse(await readFile(join(place, 'index.json'), 'utf8'))).toHaveLength(19);
});
