import { crc32, deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FailureError } from '../../../shared/failure.ts';
import { collected, endOf, inChunks, type RawEntry, rawZip, u16, u32 } from '../raw-zip.fixture.ts';
import { failureOf, madeBy, madeByPython, readParts } from '../zip-making.fixture.ts';
import { archiveName, files, hostile, namesInto, noise, parts, read, text } from './zip-stream.fixture.ts';
import { readZipStream } from './zip-stream.ts';

const contents = Object.entries(files).map(([name, bytes]) => ({ name, content: bytes.toString('latin1') }));
const sorted = <T extends { name: string }>(all: T[]): T[] => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const deflated = 'zip -qr out.zip text noise empty folder';
const archives: Record<string, () => Promise<Buffer>> = {
  'deflated by zip': () => madeBy(deflated, files),
  'stored by zip': () => madeBy('zip -q0r out.zip text noise empty folder', files),
  'with sizes that follow, by zip': () => madeBy('zip -qfdr out.zip text noise folder', files),
  'written to a pipe by zip': () => madeBy('zip -qr - text noise folder | cat > out.zip', files),
  'zip64 by zip': () => madeBy('zip -qfzr out.zip text noise empty folder', files),
  'zip64 written to a pipe by zip': () => madeBy('zip -qfzr - text noise folder | cat > out.zip', files),
  'made by 7z': () => madeBy('7z a -bso0 -tzip out.zip text noise empty folder', files),
  'made by Python': () =>
    madeByPython(
      "z = zipfile.ZipFile('out.zip', 'w', 8)\n" +
        "for n in ['text', 'noise', 'empty', 'folder/', 'folder/inner']: z.write(n)\nz.close()",
      files,
    ),
  'written to a pipe by Python': () =>
    madeByPython(
      'class P(io.RawIOBase):\n  def writable(self): return True\n  def write(self, b): return f.write(b)\n' +
        "f = open('out.zip', 'wb')\nz = zipfile.ZipFile(P(), 'w', 8)\n" +
        "for n in ['text', 'noise', 'empty', 'folder/', 'folder/inner']: z.write(n)\nz.close()",
      files,
    ),
};

describe.each(Object.entries(archives))('an archive %s', (_, made) => {
  test('returns every file, whole or streamed, and stops before the bytes behind its end', async () => {
    const zip = await made();
    // An empty file whose sizes follow is stored, and its end not to be found.
    const expected = sorted(contents).filter(({ name }) => name !== 'empty' || zip.includes('empty'));
    for (const wholeBytes of [0, 6, 10_000, 2 ** 23]) expect(sorted(await read(zip, { wholeBytes }))).toEqual(expected);
    expect(sorted(await read(Buffer.concat([zip, Buffer.from('{}')])))).toEqual(expected);
  });

  test('that is cut off near any record returns the parts before the cut and reports the cut', async () => {
    const zip = await made();
    const cuts = [...recordsOf(zip)].flatMap((at) => [
      at - 13,
      at - 4,
      at - 1,
      at,
      at + 1,
      at + 3,
      at + 4,
      at + 21,
      at + 29,
      at + 31,
    ]);
    for (const cut of new Set(cuts.filter((at) => at >= 0 && at < zip.length))) {
      const got: string[] = [];
      const failure = await failureOf(namesInto(got, parts(zip.subarray(0, cut))));
      expect(failure).toEqual({ kind: 'archive-truncated', name: archiveName, receivedBytes: cut });
      expect(got.length).toBeLessThanOrEqual(contents.length);
    }
  });
});

/** Where anything that looks like a record begins. */
function* recordsOf(zip: Buffer): Generator<number, void, void> {
  for (let at = zip.indexOf('PK'); at >= 0; at = zip.indexOf('PK', at + 1)) if ((zip[at + 2] ?? 9) < 9) yield at;
  yield zip.length;
}

test('the parts are the same for any division of the bytes into chunks', async () => {
  const zips = [await madeBy(deflated, files), await madeBy('zip -qfdr out.zip text folder', files), rawZip(hostile)];
  const expected = await Promise.all(zips.map((zip) => read(zip)));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(zips.length - 1),
      fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0, 4000, 2 ** 23),
      async (which, sizes, wholeBytes) => {
        expect(await read(zips[which] ?? Buffer.alloc(0), { wholeBytes }, ...sizes)).toEqual(expected[which]);
      },
    ),
    { numRuns: 40 },
  );
  expect(await read(zips[1] ?? Buffer.alloc(0), {}, 1)).toEqual(expected[1]);
});

test('an unknown method is refused by its name, and the others are read, whatever their names are', async () => {
  const failures = await read(rawZip(hostile));
  expect(failures).toEqual([
    ...['/etc/x', '../x', 'good', 'AUX'].map((name) => ({ name, content: text.toString('latin1') })),
    { name: 'good', content: 'other' },
    { name: 'x\u202ey', content: text.toString('latin1') },
    { name: 'lzma', failure: { kind: 'archive-unsupported', name: 'lzma', feature: 'LZMA compression' } },
    { name: 'last', content: 'last' },
  ]);
});

test('a refused entry is skipped', async () => {
  const zip = await madeByPython(
    "z = zipfile.ZipFile('out.zip', 'w', 14)\nz.write('noise')\nz.write('text', compress_type=8)",
    files,
  );
  expect(await read(zip)).toMatchObject([
    { name: 'noise', failure: { kind: 'archive-unsupported', feature: 'LZMA compression' } },
    { name: 'text', content: text.toString('latin1') },
  ]);
});

test.each([
  ['a flag', { flags: 0x0800, name: 'Größe' }],
  ['its bytes', { name: 'Größe' }],
  ['code page 437', { name: Buffer.from([0x47, 0x72, 0x94, 0xe1, 0x65]) }],
  ['a Unicode path', { name: 'Gr__e', extra: unicodePath('Gr__e', 'Größe') }],
])('a name is decoded by %s', async (_, entry) => {
  expect(await read(rawZip([{ plain: Buffer.from('x'), ...entry }]))).toEqual([{ name: 'Größe', content: 'x' }]);
});

function unicodePath(name: string, unicode: string): Buffer {
  const field = Buffer.concat([Buffer.from([1]), u32(crc32(name)), Buffer.from(unicode)]);
  return Buffer.concat([u16(0x7075), u16(field.length), field]);
}

describe('an archive that cannot be streamed, returned from the entry’s header on', () => {
  test.each([
    ['encrypted', 'zip -q -P infected out.zip text', 'text'],
    ['encrypted', '7z a -bso0 -tzip -pinfected -mem=AES256 out.zip text', 'text'],
    ['no-header', '(printf "<br />Warning: x"; zip -q - text | cat) > out.zip', archiveName],
    ['no-header', 'printf "{}" > out.zip', archiveName],
  ])('%s: %s', async (unstreamable, script, name) => {
    const zip = await madeBy(script, files);
    for (const size of [1, 100, 2 ** 16])
      expect(await read(zip, {}, size)).toEqual([{ name, unstreamable, offset: 0, rest: zip }]);
  });

  test('size-unknown, after others', async () => {
    const first = rawZip([{ name: 'first', plain: text }]);
    const offset = first.indexOf('PK\u0001\u0002');
    const zip = Buffer.concat([
      first.subarray(0, offset),
      rawZip([{ name: 'second', plain: text, method: 0, flags: 8, crc32: 0, storedBytes: 0, plainBytes: 0 }]),
    ]);
    expect(await read(zip, {}, 777)).toEqual([
      { name: 'first', content: text.toString('latin1') },
      { name: 'second', unstreamable: 'size-unknown', offset, rest: zip.subarray(offset) },
    ]);
  });
});

test('an empty archive ends normally, and a file without bytes is truncated', async () => {
  expect(await read(endOf(0, 0, 0))).toEqual([]);
  expect(await failureOf(read(Buffer.alloc(0)))).toMatchObject({ kind: 'archive-truncated', receivedBytes: 0 });
});

test('the comment is read as part of the archive', async () => {
  const zip = rawZip([{ name: 'a', plain: text }], 'PK\u0005\u0006 is not the end');
  expect(await read(Buffer.concat([zip, Buffer.from('junk')]), {}, 100)).toHaveLength(1);
  expect(await failureOf(read(zip.subarray(0, -1)))).toMatchObject({ kind: 'archive-truncated' });
});

test('the source is released when the archive ends and when the reader stops', async () => {
  const zip = await madeBy('zip -qfd out.zip text noise', files);
  for (const taken of [1, 2, 9]) {
    let left = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inChunks(zip, 5000);
        for (;;) yield Buffer.alloc(1000);
      } finally {
        left = true;
      }
    }
    const names: string[] = [];
    for await (const part of readZipStream(source(), { archiveName })) if (names.push(part.name) === taken) break;
    expect(left).toBe(true);
  }
});

test('an error of the source is passed on unchanged, also in the middle of an entry', async () => {
  const lost = new FailureError({
    kind: 'connection-lost',
    service: 'repository',
    address: 'https://x',
    receivedBytes: 1,
    expectedBytes: null,
  });
  const zip = await madeBy('zip -qfd out.zip noise text', files);
  for (const cut of [0, 20, 5000, zip.length - 3]) {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield* inChunks(zip.subarray(0, cut), 999);
      throw lost;
    }
    const reading = readParts(readZipStream(source(), { archiveName, wholeBytes: 0 }));
    await expect(reading).rejects.toBe(lost);
  }
});

describe('an entry with false metadata', () => {
  const wrong: [string, RawEntry][] = [
    ['of its checksum', { name: 'x', plain: text, crc32: 1 }],
    ['of its size, said smaller', { name: 'x', plain: text, plainBytes: text.length - 1 }],
    ['of its size, said larger', { name: 'x', plain: text, plainBytes: text.length + 1 }],
    ['with bytes that are not deflated', { name: 'x', plain: text, packed: noise }],
    ['of its checksum, stored', { name: 'x', plain: text, method: 0, crc32: 1 }],
  ];
  test.each(wrong)('%s, is damaged, and those after it are read', async (_, entry) => {
    const zip = rawZip([entry, { name: 'next', plain: text }]);
    expect(await read(zip, { wholeBytes: 0 })).toMatchObject([
      { failure: { kind: 'archive-damaged', name: 'x' } },
      { content: text.toString('latin1') },
    ]);
  });

  test.each([
    ['stored in fewer bytes than it has', { method: 0, plainBytes: 9_000_000 }],
    ['stored in more', { method: 0, plainBytes: 1 }],
    ['deflated further than deflate can', { plainBytes: 9_000_000 }],
  ])('%s, is refused before memory is allocated for it', async (_, said) => {
    const zip = rawZip([
      { name: 'x', plain: text.subarray(0, 100), ...said },
      { name: 'next', plain: text },
    ]);
    expect(await read(zip)).toMatchObject([
      { name: 'x', failure: { kind: 'archive-damaged' } },
      { content: text.toString('latin1') },
    ]);
  });

  test('never returns more than its stated size', async () => {
    const zip = rawZip([{ name: 'x', plain: text, plainBytes: 10 }]);
    let given = 0;
    const reading = (async () => {
      for await (const part of parts(zip, { wholeBytes: 0 }))
        if (part.kind === 'streamed') for await (const chunk of part.chunks) given += chunk.length;
    })();
    expect(await failureOf(reading)).toMatchObject({ kind: 'archive-damaged' });
    expect(given).toBeLessThanOrEqual(10);
  });
});

describe('sizes in a descriptor', () => {
  const packed = deflateRawSync(text);
  const following = (descriptor: Buffer, plain = text) =>
    rawZip([
      { name: 'x', plain, flags: 8, local: { crc32: 0, storedBytes: 0, plainBytes: 0 }, descriptor },
      { name: 'next', plain: text },
    ]);
  const narrow = Buffer.concat([u32(crc32(text)), u32(packed.length), u32(text.length)]);
  const wide = Buffer.concat([u32(crc32(text)), u32(packed.length), u32(0), u32(text.length), u32(0)]);
  const signature = u32(0x08074b50);
  const next = { name: 'next', content: text.toString('latin1') };

  test.each([
    ['', narrow],
    ['signed', Buffer.concat([signature, narrow])],
    ['64 bits', wide],
    ['signed, 64 bits', Buffer.concat([signature, wide])],
  ])('are found in any form: %s', async (_, descriptor) => {
    for (const size of [1, 13, 2 ** 16])
      expect(await read(following(descriptor), {}, size)).toEqual([{ ...next, name: 'x' }, next]);
  });

  test('are found behind an empty entry, where two forms look equal', async () => {
    const empty = Buffer.concat([signature, u32(0), u32(2), u32(0), u32(0), u32(0)]);
    expect(await read(following(empty, Buffer.alloc(0)))).toEqual([{ name: 'x', content: '' }, next]);
  });

  test('are damage of the entry when wrong, and of the archive when missing', async () => {
    const wrong = Buffer.concat([signature, u32(1), u32(packed.length), u32(text.length)]);
    expect(await read(following(wrong))).toMatchObject([{ failure: { kind: 'archive-damaged', name: 'x' } }, next]);
    expect(await failureOf(read(following(noise.subarray(0, 30))))).toMatchObject({
      kind: 'archive-damaged',
      name: archiveName,
    });
  });
});

test('an entry that is left early or never read is skipped', async () => {
  const zip = Buffer.from(await madeBy('zip -qfd out.zip noise text && zip -q out.zip folder/inner', files));
  const begun: string[] = [];
  for await (const part of parts(zip, { wholeBytes: 0 })) {
    begun.push(part.name);
    if (part.kind === 'streamed' && begun.length === 1) for await (const _ of part.chunks) break;
  }
  expect(begun).toEqual(['noise', 'text', 'folder/inner']);
});

test('an entry cannot be read twice, or after the archive has advanced', async () => {
  const streamed: AsyncIterable<Uint8Array>[] = [];
  for await (const part of parts(await madeBy('zip -q out.zip noise text', files), { wholeBytes: 0 })) {
    if (part.kind !== 'streamed') continue;
    if (streamed.push(part.chunks) === 2) {
      await collected(part.chunks);
      await expect(collected(part.chunks)).rejects.toThrow('once');
    }
  }
  await expect(collected(streamed[0] ?? inChunks(noise))).rejects.toThrow('current');
});

test('a whole entry has a buffer of its own', async () => {
  for await (const part of parts(rawZip([{ name: 'a', plain: noise, method: 0 }]))) {
    expect(part.kind === 'whole' && part.bytes.buffer.byteLength).toBe(noise.length);
  }
});

test('an archive whose directory contradicts its content is damaged', async () => {
  const zip = rawZip([
    { name: 'a', plain: text },
    { name: 'b', plain: text },
  ]);
  const directory = zip.indexOf('PK\u0001\u0002');
  const second = zip.indexOf('PK\u0001\u0002', directory + 1);
  const end = zip.length - 22;
  const one = Buffer.concat([zip.subarray(0, second), endOf(1, second - directory, directory)]);
  const three = Buffer.concat([
    zip.subarray(0, end),
    zip.subarray(second, end),
    endOf(3, end - directory + end - second, directory),
  ]);
  const elsewhere = Buffer.concat([zip.subarray(0, end), endOf(2, end - directory, 0)]);
  const garbage = Buffer.concat([zip.subarray(0, directory), Buffer.from('<br>Fatal error'), zip.subarray(directory)]);
  for (const each of [one, three, elsewhere, garbage])
    expect(await failureOf(read(each))).toMatchObject({ kind: 'archive-damaged', name: archiveName });
});
