import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { accessTo, collected, inChunks, rawZip } from '../raw-zip.fixture.ts';
import { failureOf, type ReadPart, readParts } from '../zip-making.fixture.ts';
import { readZipAt } from './zip-random.ts';
import { readZipStream } from './zip-stream.ts';

const archiveName = 'a.zip';
const forward = (zip: Uint8Array): Promise<ReadPart[]> =>
  readParts(readZipStream(inChunks(zip, 1000), { archiveName }));
const byDirectory = (zip: Uint8Array): Promise<ReadPart[]> =>
  readParts(readZipAt(accessTo(zip), { archiveName, passwords: [] }));
const readers = [
  ['forward', forward],
  ['by its directory', byDirectory],
] as const;
const x = Buffer.from('x');

/** Names that led tools out of a folder: each with its remark, and why a package of rules does not take it. */
const slips: readonly (readonly [name: string, reason: string])[] = [
  ['../x', 'dotted'],
  ['..\\x', 'dotted'],
  ['a/../../x', 'dotted'],
  ['a\\..\\..\\x', 'dotted'],
  ['a/..', 'dotted'],
  ['..', 'dotted'],
  ['.. /x', 'dotted'],
  ['../', 'folder'],
  ['.../x', 'dotted'],
  ['. ./x', 'dotted'],
  ['/etc/passwd', 'absolute'],
  ['//host/share/x', 'absolute'],
  ['\\\\host\\share\\x', 'absolute'],
  ['\\x', 'absolute'],
  ['C:\\x', 'absolute'],
  ['c:x', 'absolute'],
  ['\\\\?\\C:\\x', 'absolute'],
  ['x\0.txt', 'control'],
  ['a\n../x', 'control'],
  ['invoice\u202efdp.exe', 'control'],
  ['NUL', 'reserved'],
  ['a/con.txt', 'reserved'],
  ['LPT1 .x', 'reserved'],
  ['com¹', 'reserved'],
];

describe.each(readers)('an archive read %s', (_, read) => {
  test.each(slips.filter(([, reason]) => reason !== 'folder'))(
    'returns the bytes of an entry named %j, and the entry behind it',
    async (name) => {
      expect(
        await read(
          rawZip([
            { name, plain: x },
            { name: 'next', plain: x },
          ]),
        ),
      ).toEqual([
        { name, content: 'x' },
        { name: 'next', content: 'x' },
      ]);
    },
  );

  test('returns nothing for a folder that leads outside', async () => {
    expect(
      await read(
        rawZip([
          { name: '../', method: 0 },
          { name: 'next', plain: x },
        ]),
      ),
    ).toEqual([{ name: 'next', content: 'x' }]);
  });

  test('returns a link as bytes and never follows it', async () => {
    expect(await read(rawZip([{ name: 'link', plain: Buffer.from('/etc/passwd'), mode: 0o120777 }]))).toEqual([
      { name: 'link', content: '/etc/passwd' },
    ]);
  });

  test('returns all entries whose names are equal, or equal to a file system', async () => {
    const names = ['a', 'A', 'e\u0301', '\u00e9', 'a'];
    expect((await read(rawZip(names.map((name) => ({ name, plain: x }))))).map(({ name }) => name)).toEqual(names);
  });
});

describe('an archive read strictly, as a rule package,', () => {
  const strictly = (zip: Uint8Array): Promise<ReadPart[]> =>
    readParts(readZipAt(accessTo(zip), { archiveName, passwords: [], isStrict: true }));

  test.each(slips.filter(([, reason]) => reason !== 'folder'))(
    'refuses %j and reads the entry behind it',
    async (name, reason) => {
      expect(
        await strictly(
          rawZip([
            { name, plain: x },
            { name: 'next', plain: x },
          ]),
        ),
      ).toMatchObject([{ failure: { kind: 'archive-name-refused', reason } }, { name: 'next', content: 'x' }]);
    },
  );

  test('refuses links, devices and the second entry of one name', async () => {
    const entries = [
      { name: 'link', plain: x, mode: 0o120777 },
      { name: 'disk', plain: x, mode: 0o060666 },
      { name: 'a', plain: x },
      { name: 'a', plain: x },
    ];
    expect(await strictly(rawZip(entries))).toMatchObject([
      { failure: { reason: 'link' } },
      { failure: { reason: 'device' } },
      { name: 'a', content: 'x' },
      { failure: { kind: 'archive-duplicate' } },
    ]);
  });

  test('returns only what the directory lists', async () => {
    const both = Buffer.concat([rawZip([{ name: 'old', plain: x }]), rawZip([{ name: 'new', plain: x }])]);
    expect(await strictly(both)).toEqual([{ name: 'new', content: 'x' }]);
    expect(await failureOf(strictly(rawZip([{ name: 'cut', plain: x }]).subarray(0, -22)))).toMatchObject({
      kind: 'archive-damaged',
    });
  });
});

describe('a polyglot archive', () => {
  const zip = rawZip([{ name: 'A.class', plain: x }]);
  const fronts = [
    ['a PDF with a page in it', '%PDF-1.4\n<html><script>1</script>\n'],
    ['a picture, as GIFAR was', 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['a program', 'MZ\x90\0\x03\0\0\0'],
    ['a script', '#!/bin/sh\nexit\n'],
  ] as const;

  test.each(fronts)(
    'with %s in front returns nothing when streamed, and its content by its directory',
    async (_, front) => {
      const bytes = Buffer.concat([Buffer.from(front, 'latin1'), zip, Buffer.from('\n%%EOF')]);
      expect(await forward(bytes)).toMatchObject([{ unstreamable: 'no-header', offset: 0, rest: bytes }]);
      expect(await byDirectory(bytes)).toEqual([{ name: 'A.class', content: 'x' }]);
    },
  );

  test('with two ends returns the first archive when streamed, and both by its directory', async () => {
    const other = rawZip([{ name: 'other', plain: x }]);
    const both = Buffer.concat([zip, other]);
    expect((await forward(both)).map(({ name }) => name)).toEqual(['A.class']);
    expect((await byDirectory(both)).map(({ name }) => name)).toEqual(['other', 'A.class']);
  });
});

describe('a ZIP bomb', () => {
  const small = { ...archiveLimits, totalBytes: 1_000_000, memberBytes: 500_000, expansionFreeBytes: 100_000 };
  const zeros = Buffer.alloc(400_000);

  test('of members that share their bytes is stopped, and overlapping bytes are not read twice', async () => {
    const [local, packed] = [rawZip([{ name: 'a', plain: zeros }]), deflateRawSync(zeros)];
    const start = local.indexOf('PK\x01\x02');
    const central = local.subarray(start, local.length - 22);
    const many = Array.from({ length: 50 }, (_, index) => {
      const copy = Buffer.from(central);
      copy.write(String.fromCharCode(0x61 + (index % 26)), 46);
      return copy;
    });
    const end = Buffer.from(local.subarray(-22));
    end.writeUInt16LE(50, 8);
    end.writeUInt16LE(50, 10);
    end.writeUInt32LE(central.length * 50, 12);
    const bomb = Buffer.concat([local.subarray(0, start), ...many, end]);
    expect(packed.length).toBeLessThan(1000);
    let given = 0;
    const reading = (async () => {
      for await (const part of readZipAt(accessTo(bomb), { archiveName, passwords: [], limits: small }))
        if (part.kind === 'streamed') given += (await collected(part.chunks)).length;
    })();
    expect(['archive-limit', 'archive-damaged']).toContain((await failureOf(reading)).kind);
    expect(given).toBeLessThanOrEqual(small.totalBytes);
  });

  test('nested inside another is an ordinary member, and nothing is opened without a request', async () => {
    const inner = rawZip([{ name: 'zeros', plain: zeros }]);
    const nested = Array.from({ length: 16 }).reduce<Buffer>(
      (zip) => rawZip([{ name: 'inner.zip', plain: zip, method: 0 }]),
      inner,
    );
    for (const read of [forward, byDirectory])
      expect((await read(nested)).map(({ name }) => name)).toEqual(['inner.zip']);
  });

  test.each(readers)('of a directory without an end is refused as an archive, read %s', async (_, read) => {
    const bytes = Buffer.concat(Array.from({ length: 2000 }, () => Buffer.from('PK\x01\x02')));
    await expect(read(bytes)).rejects.toBeInstanceOf(FailureError);
  });
});
