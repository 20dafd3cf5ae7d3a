import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveLimits, type ArchiveRemark, remarkText } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { accessTo, collected, rawZip, u32 } from '../raw-zip.fixture.ts';
import { madeBy } from '../zip-making.fixture.ts';
import { readZipAt } from './zip-random.ts';
import type { RandomAccess, ZipAtOptions } from './zip-source.ts';

const archiveName = 'a.zip';
const text = Buffer.from('All that is gold does not glitter. '.repeat(100));
const other = Buffer.from('Not all those who wander are lost. '.repeat(90));

interface Read {
  members: Record<string, string>;
  /** In words, of the archive and then of each member that has any. */
  remarks: string[];
}

/** What a person gets of an archive: the content of each member, and what is unusual. */
const read = (zip: Uint8Array, options: Partial<ZipAtOptions> = {}): Promise<Read> => readAt(accessTo(zip), options);

async function readAt(zip: RandomAccess, options: Partial<ZipAtOptions> = {}): Promise<Read> {
  const members: Record<string, string> = {};
  const said: string[] = [];
  const archive: ArchiveRemark[] = [];
  for await (const part of readZipAt(zip, {
    archiveName,
    passwords: ['infected'],
    onRemark: (remark) => archive.push(remark),
    ...options,
  })) {
    members[part.name] = part.kind === 'refused' ? `refused: ${part.failure.kind}` : await contentOr(part.chunks);
    if (part.remarks.length > 0) said.push(`${part.name}: ${part.remarks.map(remarkText).join('; ')}`);
  }
  return { members, remarks: [...archive.map(remarkText), ...said] };
}

/** What it holds; `damaged` where it fails as damaged. */
async function contentOr(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return (await collected(chunks)).toString('latin1');
  } catch (error) {
    if (error instanceof FailureError && error.failure.kind === 'archive-damaged') return 'damaged';
    throw error;
  }
}

const content = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const three = [
  { name: 'one', plain: text },
  { name: 'two', plain: other },
  { name: 'three', plain: text, method: 0 },
];
const threeRead = { one: content(text), two: content(other), three: content(text) };

describe('a false end record', () => {
  test.each([
    [0, 'none'],
    [2, 'too few'],
    [9, 'too many'],
  ])('of %i members, %s, hides no member', async (counted) => {
    const zip = Buffer.from(rawZip(three));
    zip.writeUInt16LE(counted, zip.length - 14);
    zip.writeUInt16LE(counted, zip.length - 12);
    expect(await read(zip)).toEqual({
      members: threeRead,
      remarks: [`end record counts ${counted} members, the directory lists 3`],
    });
  });

  test('with a wrong directory offset or length hides no member', async () => {
    for (const at of [10, 6]) {
      const zip = Buffer.from(rawZip(three));
      zip.writeUInt32LE(1, zip.length - at);
      expect((await read(zip)).members).toEqual(threeRead);
    }
  });

  test('that is cut off or missing hides no member', async () => {
    for (const cut of [1, 22, 30])
      expect(await read(rawZip(three).subarray(0, -cut))).toMatchObject({
        members: threeRead,
        remarks: ['no directory; members found by their own headers'],
      });
  });

  test('behind a truncated directory hides no member whose bytes exist', async () => {
    const zip = rawZip(three);
    const cut = zip.subarray(0, zip.indexOf('PK\u0001\u0002') - 10);
    expect((await read(cut)).members).toEqual({
      one: threeRead.one,
      two: threeRead.two,
      three: 'refused: archive-damaged',
    });
  });
});

describe('members missing from the directory', () => {
  test('are found by their own headers, with their sizes before or behind them', async () => {
    const packed = deflateRawSync(other);
    const descriptor = Buffer.concat([u32(0x08074b50), u32(crcOf(other)), u32(packed.length), u32(other.length)]);
    const none = { crc32: 0, storedBytes: 0, plainBytes: 0 };
    const hidden = rawZip([
      { name: 'plain', plain: text },
      { name: 'followed', plain: other, flags: 8, local: none, descriptor },
      { name: 'stored', plain: text, method: 0 },
    ]);
    const locals = hidden.subarray(0, hidden.indexOf('PK\u0001\u0002'));
    const listed = rawZip([{ name: 'listed', plain: other }]);
    const zip = Buffer.concat([locals, listed]);
    const notListed = (name: string) => `${name}: missing from the directory`;
    expect(await read(zip)).toEqual({
      members: { listed: content(other), plain: content(text), followed: content(other), stored: content(text) },
      remarks: [
        `${locals.length.toLocaleString('en')} bytes in front of the archive`,
        notListed('plain'),
        notListed('followed'),
        notListed('stored'),
      ],
    });
  });

  test('of a second archive in front are also read, with a remark on the archive', async () => {
    const first = rawZip([{ name: 'first', plain: text }]);
    expect(await read(Buffer.concat([first, rawZip([{ name: 'second', plain: other }])]))).toEqual({
      members: { second: content(other), first: content(text) },
      remarks: [`${first.length} bytes in front of the archive`, 'a second archive in the same file (1 member)'],
    });
  });

  test('are not taken from a stored archive inside a member', async () => {
    const inner = rawZip(three);
    const zip = rawZip([{ name: 'inner.zip', plain: inner, method: 0 }]);
    expect(Object.keys((await read(zip)).members)).toEqual(['inner.zip']);
    expect(Object.keys((await read(zip.subarray(0, -22))).members)).toEqual(['inner.zip']);
  });

  test('are not made of bytes that resemble a header by chance', async () => {
    const junk = Buffer.concat([
      Buffer.from('PK\u0003\u0004'),
      randomBytes(200),
      Buffer.from('PK\u0003\u0004'),
      Buffer.alloc(100),
    ]);
    expect(Object.keys((await read(Buffer.concat([junk, rawZip(three)]))).members)).toEqual(['one', 'two', 'three']);
  });

  test('count towards the member limit when thousands are hidden', async () => {
    const many = rawZip(Array.from({ length: 40 }, (_, index) => ({ name: `${index}`, plain: text })));
    const reading = read(many.subarray(0, many.indexOf('PK\u0001\u0002')), {
      limits: { ...archiveLimits, members: 30 },
    });
    await expect(reading).rejects.toMatchObject({ failure: { kind: 'archive-limit', limit: 'members', value: 30 } });
  });
});

describe('a local header that contradicts the directory', () => {
  const patched = (change: (zip: Buffer, local: number, central: number) => void, method = 8): Buffer => {
    const zip = Buffer.from(
      rawZip([
        { name: 'classes.dex', plain: text, method },
        { name: 'next', plain: other },
      ]),
    );
    change(zip, 0, zip.indexOf('PK\u0001\u0002'));
    return zip;
  };
  const cases: Record<string, Buffer> = {
    'by its name': patched((zip, local) => void zip.write('classes.txt', local + 30)),
    'by its sizes': patched((zip, local) => void zip.writeUInt32LE(7, local + 22)),
    'by an unknown method there': patched((zip, local) => void zip.writeUInt16LE(0x2345, local + 8)),
    'by an unknown method in the directory': patched(
      (zip, _local, central) => void zip.writeUInt16LE(0x2345, central + 10),
    ),
    'by calling stored bytes deflated': patched((zip, local) => void zip.writeUInt16LE(8, local + 8), 0),
    'by calling stored bytes deflated in the directory': patched(
      (zip, _local, central) => void zip.writeUInt16LE(8, central + 10),
      0,
    ),
    'by a checksum of nothing': patched((zip, _local, central) => void zip.writeUInt32LE(0, central + 16)),
    'by an encryption that is not': patched((zip, local) => void zip.writeUInt16LE(1, local + 6)),
    'by an encryption in the directory that is not': patched(
      (zip, _local, central) => void zip.writeUInt16LE(1, central + 8),
    ),
  };

  test.each(Object.entries(cases))('%s does not hide the bytes', async (_, zip) => {
    const { members, remarks } = await read(zip);
    expect(members).toEqual({ 'classes.dex': content(text), next: content(other) });
    expect(remarks[0]).toContain('classes.dex: local header contradicts the directory');
  });

  test('and an encryption that both headers claim falsely do not hide the bytes', async () => {
    for (const passwords of [[], ['infected', 'virus']]) {
      const zip = rawZip([
        { name: 'a', plain: text, flags: 1 },
        { name: 'b', plain: other, flags: 1, method: 0 },
      ]);
      expect(await read(zip, { passwords })).toEqual({
        members: { a: content(text), b: content(other) },
        remarks: ['a: marked as encrypted, but is not', 'b: marked as encrypted, but is not'],
      });
    }
  });

  test('with unknown methods in both headers does not hide stored bytes', async () => {
    expect((await read(rawZip([{ name: 'a', plain: text, method: 0x1234 }]))).members).toEqual({ a: content(text) });
  });

  test('is damage when no reading fits, and a missing password is reported as such', async () => {
    const zip = await madeBy('zip -q -P other out.zip a', { a: text });
    expect((await read(zip)).members).toEqual({ a: 'refused: archive-password' });
    const broken = Buffer.from(rawZip([{ name: 'a', plain: text, crc32: 1 }]));
    expect((await read(broken)).members).toEqual({ a: 'damaged' });
  });
});

describe('member names', () => {
  test('of a folder with bytes, and empty ones, are read', async () => {
    const zip = rawZip([
      { name: 'evil.exe/', plain: text },
      { name: '', plain: other },
      { name: 'folder/', method: 0 },
    ]);
    expect(await read(zip)).toEqual({
      members: { 'evil.exe/': content(text), '': content(other) },
      remarks: ['evil.exe/: named like a folder'],
    });
  });

  test('in an old encoding are read by a guess or in the chosen encoding', async () => {
    const names = ['90bf8b818f91', '975c955c8f5c2e747874'].map((hex) => Buffer.from(hex, 'hex'));
    const zip = rawZip(names.map((name) => ({ name, plain: text })));
    const heard: string[] = [];
    expect(Object.keys((await read(zip, { onEncoding: (encoding) => heard.push(encoding) })).members)).toEqual([
      '請求書',
      '予表十.txt',
    ]);
    expect(heard).toEqual(['shift_jis']);
    expect(Object.keys((await read(zip, { nameEncoding: 'cp437' })).members)).toEqual(['É┐ïüÅæ', 'ù\\ò\\Å\\.txt']);
  });
});

const crcOf = (bytes: Uint8Array): number => rawZip([{ name: '', plain: bytes }]).readUInt32LE(14);

describe('false member sizes', () => {
  const zeros = { crc32: 0, storedBytes: 0, plainBytes: 0 };
  const factsOf = (plain: Uint8Array): { crc32: number; storedBytes: number; plainBytes: number } => ({
    crc32: crcOf(plain),
    storedBytes: plain.length,
    plainBytes: plain.length,
  });

  test.each([
    ['are zeros in the directory', 'a.exe', zeros],
    ['are zeros in the directory, of what is named like a folder', 'a.exe/', zeros],
    ['are those of a part of it in the directory', 'a.exe', factsOf(text.subarray(0, 10))],
  ])('that %s hide nothing of a member', async (_title, name, said) => {
    const { members } = await read(
      rawZip([
        { name, plain: text, method: 0, ...said, local: factsOf(text) },
        { name: 'b', plain: other },
      ]),
    );
    expect(members).toEqual({ [name]: content(text), b: content(other) });
  });

  test('that reach over the next member do not affect that member', async () => {
    const long = { name: 'a', plain: text, method: 0, storedBytes: text.length + 400, plainBytes: text.length + 400 };
    expect((await read(rawZip([long, { name: 'b', plain: other }]))).members).toEqual({
      a: 'refused: archive-damaged',
      b: content(other),
    });
    expect(
      (
        await read(
          rawZip([
            { ...long, local: factsOf(text) },
            { name: 'b', plain: other },
          ]),
        )
      ).members,
    ).toEqual({ a: content(text), b: content(other) });
  });

  test('hide no member that the directory omits', async () => {
    const hidden = rawZip([{ name: 'hidden', plain: other }]);
    const zip = rawZip([{ name: 'a', plain: Buffer.concat([text, hidden]), method: 0, crc32: 1 }]);
    expect((await read(zip)).members).toEqual({ a: 'damaged', hidden: content(other) });
  });
});

test('bytes outside of all members are counted, except those in front and descriptors', async () => {
  const packed = deflateRawSync(other);
  const descriptor = Buffer.concat([u32(0x08074b50), u32(crcOf(other)), u32(packed.length), u32(other.length)]);
  const sound = { name: 'a', plain: other, flags: 8, local: { crc32: 0, storedBytes: 0, plainBytes: 0 }, descriptor };
  expect(
    (await read(Buffer.concat([Buffer.alloc(50, 'x'), rawZip([sound, { name: 'b', plain: text }])]))).remarks,
  ).toEqual(['50 bytes in front of the archive']);
  expect(
    (await read(rawZip([{ ...sound, descriptor: Buffer.concat([descriptor, Buffer.alloc(500, 'x')]) }]))).remarks,
  ).toEqual(['516 bytes belong to no member']);
  expect((await read(Buffer.concat([rawZip(three), Buffer.alloc(40, 'x')]))).remarks).toEqual([
    '40 bytes belong to no member',
  ]);
});

test('the search for the ends of entries of unknown size is bounded', async () => {
  const local = Buffer.concat([
    u32(0x04034b50),
    Buffer.from([20, 0, 8, 0]),
    Buffer.alloc(18),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('q'),
  ]);
  const zip = Buffer.concat([
    Buffer.concat(Array.from({ length: 2000 }, () => local)),
    Buffer.alloc(20 * 2 ** 20),
    rawZip(three),
  ]);
  const access = accessTo(zip);
  expect((await readAt(access)).members).toMatchObject({ ...threeRead, q: 'refused: archive-damaged' });
  // Without an end it would read forty gigabytes.
  expect(access.readBytes()).toBeLessThan(12 * zip.length);
});
