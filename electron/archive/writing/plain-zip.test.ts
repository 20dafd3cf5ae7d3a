import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { deflatedAtMost, heldBytesAtMost, writePlainZip } from './plain-zip.ts';
import { zip64Limits, type Zip64Limits, type ZipMember } from './write-zip-records.ts';

const run = promisify(execFile);
const md5 = (bytes: Uint8Array): string => hash('md5', bytes);
const memberOf = (bytes: Uint8Array, open = () => piecesOf(bytes)): ZipMember => ({
  name: md5(bytes),
  sizeBytes: bytes.length,
  open,
});
const localHeaderMark = Buffer.from('PK\x03\x04', 'latin1');

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function zipped(
  samples: Uint8Array[],
  limits: Zip64Limits = zip64Limits,
): Promise<{ path: string; bytes: Buffer }> {
  const folder = temporaryFolder();
  const path = join(folder, 'out.zip');
  const bytes = await collected(
    writePlainZip(
      samples.map((sample) => memberOf(sample)),
      limits,
    ),
  );
  await writeFile(path, bytes);
  return { path, bytes };
}

const pythonReader =
  'import sys,zipfile,hashlib;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;' +
  '[print(hashlib.md5(z.read(n)).hexdigest()) for n in sys.argv[2:]]';
const pythonCounter = `
import sys,zipfile,hashlib
for path in sys.argv[1:]:
  z=zipfile.ZipFile(path)
  assert all(hashlib.md5(z.read(n)).hexdigest()==n for n in z.namelist())
  print(len(z.namelist()))`;
/** Reads from a pipe, so by the local headers and descriptors alone: there is no directory to look things up in. */
const pythonStreamReader = `
import sys,zlib,struct,hashlib
data=sys.stdin.buffer.read(); at=0; found={}
while data[at:at+4]==b'PK\\x03\\x04':
  flags,method,_,_,crc,stored,plain,nl,el=struct.unpack('<HHHHIIIHH',data[at+6:at+30])
  name=data[at+30:at+30+nl]; extra=data[at+30+nl:at+30+nl+el]; at+=30+nl+el
  zip64=extra[:2]==b'\\x01\\x00'
  if not flags&8:
    if zip64: plain,stored=struct.unpack('<QQ',extra[4:20])
    body=data[at:at+stored]; at+=stored
    bytes_=zlib.decompress(body,-15) if method==8 else body
  else:
    d=zlib.decompressobj(-15); bytes_=d.decompress(data[at:]); bytes_+=d.flush(); end=len(data)-len(d.unused_data)
    stored_seen=end-at; at=end
    form,size=('<4sIQQ',24) if zip64 else ('<4sIII',16)
    mark,crc,stored,plain=struct.unpack(form,data[at:at+size]); at+=size
    assert mark==b'PK\\x07\\x08' and stored==stored_seen
  assert zlib.crc32(bytes_)==crc and len(bytes_)==plain
  found[name]=bytes_
for name in sys.argv[1:]: print(hashlib.md5(found[name.encode()]).hexdigest())`;

/**
 * The MD5 of each of the members that are asked for by their names. Python starts slowly: it reads all of them at once.
 */
const readers = {
  unzip: (path: string, names: string[]) => oneByOne(names, (name) => output('unzip', ['-p', path, name])),
  '7z': (path: string, names: string[]) => oneByOne(names, (name) => output('7z', ['e', '-so', path, name])),
  python: async (path: string, names: string[]) =>
    linesOf(await output('python3', ['-c', pythonReader, path, ...names])),
  'a reader that only goes forward': async (path: string, names: string[]) =>
    linesOf(
      await output('sh', [
        '-c',
        'program="$1"; archive="$2"; shift 2; python3 -c "$program" "$@" < "$archive"',
        'sh',
        pythonStreamReader,
        path,
        ...names,
      ]),
    ),
} as const;

async function oneByOne(names: string[], read: (name: string) => Promise<Buffer>): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) found.push(md5(await read(name)));
  return found;
}
const linesOf = (printed: Buffer): string[] => printed.toString('latin1').trim().split('\n');

async function output(command: string, args: string[]): Promise<Buffer> {
  const { stdout } = await run(command, args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  return stdout;
}

const text = Buffer.from('a line of a script that shrinks well\n'.repeat(50_000));
const samples = {
  'an empty one': Buffer.alloc(0),
  'a small one that shrinks': text.subarray(0, 5000),
  'a small one that does not': randomBytes(5000),
  'the largest that is held': randomBytes(heldBytesAtMost),
  'the smallest that is streamed': randomBytes(heldBytesAtMost + 1),
  'a large one that shrinks': text,
};

describe.each(Object.keys(readers) as (keyof typeof readers)[])('a plain ZIP opened by %s', (reader) => {
  for (const { tags, cases } of longAfter(1, [
    ['64', { bytesFrom: 1000, entriesFrom: 1 }],
    ['32', zip64Limits],
  ]))
    test.each(cases)(
      'returns every member unchanged, with sizes and offsets of %s bits',
      { tags },
      async (_bits, limits) => {
        const { path } = await zipped(Object.values(samples), limits);
        const names = Object.values(samples).map(md5);
        expect(await readers[reader](path, names)).toEqual(names);
      },
    );
});

test('a plain ZIP passes 7z and unzip checks and keeps small text small', async () => {
  const { path, bytes } = await zipped(Object.values(samples));
  expect((await run('7z', ['t', path])).stdout).toContain('Everything is Ok');
  expect((await run('unzip', ['-tq', path])).stdout).toContain('No errors detected');
  expect(bytes.length).toBeLessThan(2 * heldBytesAtMost + 5000 + 20_000);
});

test('an entry that fits in memory has its CRC and sizes in front, a larger one behind', async () => {
  const { bytes } = await zipped([samples['the largest that is held'], samples['the smallest that is streamed']]);
  const second = bytes.indexOf(localHeaderMark, heldBytesAtMost);
  expect([bytes.readUInt16LE(6), bytes.readUInt32LE(22)]).toEqual([0, heldBytesAtMost]);
  expect([bytes.readUInt16LE(second + 6), bytes.readUInt32LE(second + 14), bytes.readUInt32LE(second + 22)]).toEqual([
    8, 0, 0,
  ]);
});

test('a plain ZIP without members is an empty archive', async () => {
  const bytes = await collected(writePlainZip([]));
  expect([bytes.length, bytes.readUInt32LE(0)]).toEqual([22, 0x06054b50]);
});

test('a plain ZIP is readable by python for any bytes and any division into chunks', async () => {
  const archive = fc.record({
    parts: fc.uniqueArray(fc.uint8Array({ maxLength: 3000 }), { maxLength: 6, selector: md5 }),
    bytesFrom: fc.integer({ min: 1, max: 4000 }),
  });
  // A python for each would take most of the time.
  await fc.assert(
    fc.asyncProperty(fc.array(archive, { minLength: 4, maxLength: 4 }), async (archives) => {
      const paths: string[] = [];
      for (const { parts, bytesFrom } of archives)
        paths.push((await zipped(parts, { bytesFrom, entriesFrom: 3 })).path);
      expect(linesOf(await output('python3', ['-c', pythonCounter, ...paths])).map(Number)).toEqual(
        archives.map(({ parts }) => parts.length),
      );
    }),
    { numRuns: 2 },
  );
});

describe.each([
  ['held', 200],
  ['streamed', heldBytesAtMost + 200],
])('a %s member', (_title, size) => {
  test.each([
    ['more', -1],
    ['fewer', 1],
  ])('with %s bytes than announced makes the archive fail', async (_more, difference) => {
    const member = { ...memberOf(randomBytes(size)), sizeBytes: size + difference };
    await expect(collected(writePlainZip([member]))).rejects.toThrow(`is not ${size + difference} bytes long`);
  });

  test('that breaks off ends the archive before its directory', async () => {
    const broken = memberOf(randomBytes(size), function* broken() {
      yield randomBytes(size - 100);
      throw new Error('the disk went away');
    });
    const pieces: Uint8Array[] = [];
    const writing = (async () => {
      for await (const piece of writePlainZip([memberOf(randomBytes(10)), broken])) pieces.push(piece);
    })();
    await expect(writing).rejects.toThrow('the disk went away');
    expect(Buffer.concat(pieces).includes(Buffer.from('PK\x01\x02', 'latin1'))).toBe(false);
  });
});

test('a reader that stops closes its current member and opens no further one', async () => {
  const closed: string[] = [];
  const endless = (name: string): ZipMember => ({
    name,
    sizeBytes: 50_000_000,
    *open() {
      try {
        for (let left = 50_000_000; left > 0; left -= 100_000) yield randomBytes(100_000);
      } finally {
        closed.push(name);
      }
    },
  });
  let pieces = 0;
  for await (const piece of writePlainZip([endless('a'), endless('b')]))
    if (piece.length > 0 && (pieces += 1) === 4) break;
  expect(closed).toEqual(['a']);
});

test('members are read only as fast as the archive', async () => {
  let read = 0;
  const member: ZipMember = {
    name: 'a'.repeat(32),
    sizeBytes: 60_000_000,
    *open() {
      for (; read < 60_000_000; read += 100_000) yield randomBytes(100_000);
    },
  };
  const zip = writePlainZip([member]);
  for (let taken = 0; taken < 1_000_000;) taken += (await zip.next()).value?.length ?? 0;
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBeLessThan(3_000_000);
  await zip.return();
});

test('the calculated maximum size of an entry is never below its actual size', async () => {
  const bytes = randomBytes(3_000_000);
  const zip = await collected(writePlainZip([memberOf(bytes)]));
  expect(zip.length - 200).toBeLessThan(deflatedAtMost(bytes.length));
});

test('every reader returns a non-ASCII name unchanged', async () => {
  const [name, utf8] = ['правила/señal-🦠.yar', { ...process.env, LC_ALL: 'C.UTF-8' }];
  const folder = temporaryFolder();
  const path = join(folder, 'out.zip');
  await writeFile(path, await collected(writePlainZip([{ name, sizeBytes: 5, open: () => [Buffer.from('rules')] }])));
  const commands = [
    ['7z', 'e', '-so', path, name],
    ['unzip', '-p', path, name],
  ];
  for (const [command = '', ...args] of commands)
    expect((await run(command, args, { env: utf8 })).stdout).toBe('rules');
  expect((await run('python3', ['-c', pythonReader, path, name], { env: utf8 })).stdout.trim()).toBe(
    md5(Buffer.from('rules')),
  );
});
