import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { archiveLimits, type ArchiveRemark, type NameTrait } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { zipCryptoDecryption } from '../encryption/zip-encryption.ts';
import { accessTo, collected, endOf, inChunks, type RawEntry, rawZip, u16, u32 } from '../raw-zip.fixture.ts';
import { failureOf, madeBy, madeByPython, type ReadPart, readParts } from '../zip-making.fixture.ts';
import { readZipAt } from './zip-random.ts';
import type { ZipAtOptions } from './zip-source.ts';
import { readZipStream } from './zip-stream.ts';

const archiveName = 'a.zip';
const text = Buffer.from('All that is gold does not glitter. '.repeat(10_000));
const noise = randomBytes(200_003);
const files = { text, noise, empty: Buffer.alloc(0), 'folder/inner': Buffer.from('inner') };
const contents = Object.entries(files).map(([name, bytes]) => ({ name, content: bytes.toString('latin1') }));
const passwords = ['wrong', 'infected', 'virus'];

const parts = (zip: Uint8Array, options: Partial<ZipAtOptions> = {}) =>
  readZipAt(accessTo(zip), { archiveName, passwords, ...options });
const read = (zip: Uint8Array, options: Partial<ZipAtOptions> = {}): Promise<ReadPart[]> =>
  readParts(parts(zip, options));
/** What is unusual about an archive, and about its members by their names. */
async function remarksOf(
  zip: Uint8Array,
  options: Partial<ZipAtOptions> = {},
): Promise<{ archive: ArchiveRemark[]; members: Record<string, ArchiveRemark[]> }> {
  const archive: ArchiveRemark[] = [];
  const members: Record<string, ArchiveRemark[]> = {};
  for await (const { name, remarks } of parts(zip, { ...options, onRemark: (remark) => archive.push(remark) }))
    if (remarks.length > 0) members[name] = remarks;
  return { archive, members };
}
const sorted = (all: ReadPart[]): ReadPart[] => all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
const all = 'text noise empty folder';

const archives: Record<string, () => Promise<Buffer>> = {
  'deflated by zip': () => madeBy(`zip -qr out.zip ${all}`, files),
  'stored by zip': () => madeBy(`zip -q0r out.zip ${all}`, files),
  'written to a pipe by zip': () => madeBy(`zip -qr - ${all} | cat > out.zip`, files),
  'zip64 by zip': () => madeBy(`zip -qfzr out.zip ${all}`, files),
  'encrypted by zip': () => madeBy(`zip -qr -P infected out.zip ${all}`, files),
  'encrypted and written to a pipe by zip': () => madeBy(`zip -qr -P infected - ${all} | cat > out.zip`, files),
  'AES-128 by 7z': () => madeBy(`7z a -bso0 -tzip -pinfected -mem=AES128 out.zip ${all}`, files),
  'AES-192 by 7z': () => madeBy(`7z a -bso0 -tzip -pinfected -mem=AES192 out.zip ${all}`, files),
  'AES-256 by 7z': () => madeBy(`7z a -bso0 -tzip -pinfected -mem=AES256 out.zip ${all}`, files),
  'AES-256, stored by 7z': () => madeBy(`7z a -bso0 -tzip -pinfected -mx=0 -mem=AES256 out.zip ${all}`, files),
  'ZipCrypto by 7z': () => madeBy(`7z a -bso0 -tzip -pinfected -mem=ZipCrypto out.zip ${all}`, files),
  'made by Python': () =>
    madeByPython(
      "z = zipfile.ZipFile('out.zip', 'w', 8)\nfor n in ['text', 'noise', 'empty', 'folder/inner']: z.write(n)",
      files,
    ),
  'behind junk': () => madeBy(`(printf '<br />Warning'; zip -qr - ${all} | cat) > out.zip`, files),
  'before junk': () => madeBy(`(zip -qr - ${all} | cat; printf '{}') > out.zip`, files),
  'with a comment': () => madeBy(`echo 'a comment' | zip -qrz out.zip ${all}`, files),
};

test.each(Object.entries(archives))('an archive %s returns every file', async (_, made) => {
  expect(sorted(await read(await made()))).toEqual(sorted(contents));
});

test.each(['zip -q -P secret out.zip text', '7z a -bso0 -tzip -psecret -mem=AES256 out.zip text'])(
  'an entry that no password opens is refused, and the others are read: %s',
  async (script) => {
    const zip = await madeBy(`${script} && zip -q out.zip noise`, files);
    expect(await read(zip)).toEqual([
      { name: 'text', failure: { kind: 'archive-password', name: 'text' } },
      { name: 'noise', content: noise.toString('latin1') },
    ]);
    expect(await read(zip, { passwords: [] })).toMatchObject([
      { failure: { kind: 'archive-password' } },
      { name: 'noise' },
    ]);
    expect(await read(zip, { passwords: ['', 'secret'] })).toMatchObject([
      { content: text.toString('latin1') },
      { name: 'noise' },
    ]);
  },
);

test('a large entry reports a wrong password, not damage, when a password only seemed right', async () => {
  const zip = await madeBy('zip -q0 -P infected out.zip large', { large: randomBytes(9 * 2 ** 20) });
  const guesses = Array.from({ length: 2_000 }, (_, index) => `guess ${index}`);
  // The local header is 30 bytes, a name and extra fields long; then come the twelve that a password is tried by.
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  const decryption = zipCryptoDecryption(
    zip.readUInt16LE(6) & 8 ? zip.readUInt16LE(10) >>> 8 : zip.readUInt32LE(14) >>> 24,
  );
  const seeming: string[] = [];
  for (const guess of guesses)
    if ((await decryption.open(guess, zip.subarray(start, start + 12))) !== null) seeming.push(guess);
  expect(seeming).not.toEqual([]);
  const readAll = async (): Promise<void> => {
    for await (const part of parts(zip, { passwords: seeming.slice(0, 1) }))
      if (part.kind === 'streamed') await collected(part.chunks);
  };
  expect(await failureOf(readAll())).toEqual({ kind: 'archive-password', name: 'large' });
});

test('a false password match, as one in 256 is, does not prevent finding the right password', async () => {
  const many = Array.from({ length: 600 }, (_, index) => `guess ${index}`);
  const zip = await madeBy('zip -q -P infected out.zip text', files);
  expect(await read(zip, { passwords: [...many, 'infected'] })).toEqual([
    { name: 'text', content: text.toString('latin1') },
  ]);
  expect(await read(zip, { passwords: many })).toMatchObject([{ failure: { kind: 'archive-password' } }]);
});

test('a password is encoded as UTF-8', async () => {
  const zip = await madeBy("zip -q -P 'Schlüssel' out.zip text", files);
  expect(await read(zip, { passwords: ['Schlüssel'] })).toEqual([{ name: 'text', content: text.toString('latin1') }]);
});

test('modified encrypted bytes are damage, stored or deflated', async () => {
  for (const level of [0, 5]) {
    const zip = await madeBy(`7z a -bso0 -tzip -pinfected -mx=${level} -mem=AES256 out.zip noise`, files);
    zip[1000] = (zip[1000] ?? 0) ^ 1;
    expect(await read(zip)).toMatchObject([{ failure: { kind: 'archive-damaged', name: 'noise' } }]);
  }
});

test('a read continues where streaming stopped, without touching earlier bytes', async () => {
  const zip = await madeBy(
    'zip -q out.zip noise && zip -q -P infected out.zip text && zip -q out.zip folder/inner',
    files,
  );
  for await (const part of readZipStream(inChunks(zip, 5000), { archiveName })) {
    if (part.kind !== 'unstreamable') continue;
    const source = accessTo(zip);
    expect(await readParts(readZipAt(source, { archiveName, passwords, from: part.offset }))).toEqual([
      { name: 'text', content: text.toString('latin1') },
      { name: 'folder/inner', content: 'inner' },
    ]);
    expect(source.lowest()).toBeGreaterThanOrEqual(part.offset);
    expect(part.offset).toBeGreaterThan(noise.length);
  }
  expect.assertions(3);
});

test('links, devices, repeated names and names that lead outside are read, each with a remark', async () => {
  const modes = {
    link: 0o120777,
    character: 0o020666,
    block: 0o060666,
    pipe: 0o010666,
    socket: 0o140666,
    file: 0o100600,
    folder: 0o040700,
  };
  const entries = [
    ...Object.entries(modes).map(([name, mode]) => ({ name, mode, plain: Buffer.from(name === 'folder' ? '' : name) })),
    { name: '../x' },
    { name: '/x' },
    { name: 'nul' },
    { name: 'a\0' },
    { name: 'file' },
  ];
  const zip = rawZip(entries);
  expect((await read(zip)).map((part) => ('content' in part ? part.name : part))).toEqual(
    entries.flatMap(({ name }) => (name === 'folder' ? ['folder'] : [name])),
  );
  const remarks = await remarksOf(zip);
  const trait = (name: NameTrait) => [{ kind: 'name', trait: name }];
  expect(remarks.members).toEqual({
    link: [{ kind: 'link' }],
    character: [{ kind: 'device' }],
    block: [{ kind: 'device' }],
    '../x': trait('dotted'),
    '/x': trait('absolute'),
    nul: trait('reserved'),
    'a\0': trait('control'),
    file: [{ kind: 'same-name' }],
  });
});

test('a link made by zip returns its target, with a remark that it is a link', async () => {
  const zip = await madeBy('ln -s /etc/passwd link && zip -qy out.zip link text', files);
  expect(await read(zip)).toEqual([
    { name: 'link', content: '/etc/passwd' },
    { name: 'text', content: text.toString('latin1') },
  ]);
  expect((await remarksOf(zip)).members).toEqual({ link: [{ kind: 'link' }] });
});

test('an unknown compression method is refused', async () => {
  const zip = await madeByPython(
    "z = zipfile.ZipFile('out.zip', 'w', 14)\nz.write('text')\nz.write('noise', compress_type=8)",
    files,
  );
  expect(await read(zip)).toEqual([
    { name: 'text', failure: { kind: 'archive-unsupported', name: 'text', feature: 'LZMA compression' } },
    { name: 'noise', content: noise.toString('latin1') },
  ]);
});

test.each<[string, RawEntry]>([
  ['its checksum', { name: 'x', plain: text, crc32: 1 }],
  ['its size, smaller', { name: 'x', plain: text, plainBytes: 10 }],
  ['its size, larger', { name: 'x', plain: text, plainBytes: text.length + 1 }],
  ['its size, stored', { name: 'x', plain: text, method: 0, plainBytes: 10 }],
  ['its size, beyond what deflate can', { name: 'x', plain: Buffer.from('x'), plainBytes: 3_000_000 }],
  ['its deflated bytes', { name: 'x', plain: text, packed: noise.subarray(0, 40_000) }],
])('an entry that misstates %s is damaged, and the others are read', async (_, entry) => {
  const zip = rawZip([entry, { name: 'next', plain: text }]);
  expect(await read(zip)).toMatchObject([
    { name: 'x', failure: { kind: 'archive-damaged', name: 'x' } },
    { name: 'next', content: text.toString('latin1') },
  ]);
});

test('an entry never returns more bytes than its stated size', async () => {
  let given = 0;
  for await (const part of parts(rawZip([{ name: 'x', plain: text, plainBytes: 70_000 }]))) {
    if (part.kind === 'streamed')
      expect(
        await failureOf(
          (async () => {
            for await (const chunk of part.chunks) given += chunk.length;
          })(),
        ),
      ).toMatchObject({ kind: 'archive-damaged' });
  }
  expect(given).toBeLessThanOrEqual(70_000);
});

test('a file that is not an archive is damaged', async () => {
  for (const each of [noise, Buffer.alloc(0), Buffer.from('{}')])
    expect(await failureOf(read(each))).toMatchObject({ kind: 'archive-damaged', name: archiveName });
  expect(await read(endOf(0, 0, 0))).toEqual([]);
});

test('a part of a split archive is unsupported, but a wrong disk number alone is ignored', async () => {
  const last = await madeBy(
    'head -c 200000 /dev/urandom > large; zip -q -s 64k parts.zip large text; cp parts.zip out.zip',
    files,
  );
  expect(await failureOf(read(last))).toMatchObject({
    kind: 'archive-unsupported',
    feature: 'parts of a split archive',
  });
  const whole = Buffer.from(rawZip([{ name: 'a', plain: text }]));
  whole.writeUInt16LE(1, whole.length - 18);
  whole.writeUInt16LE(1, whole.length - 16);
  expect(await read(whole)).toEqual([{ name: 'a', content: text.toString('latin1') }]);
});

test('an error of the source is passed on unchanged, wherever it occurs', async () => {
  const zip = await madeBy(`zip -qr -P infected out.zip ${all}`, files);
  const gone = new Error('the disk is gone');
  let reading = 0;
  await readParts(
    readZipAt(
      {
        sizeBytes: zip.length,
        read: async (position, length) => ((reading += 1), zip.subarray(position, position + length)),
      },
      { archiveName, passwords },
    ),
  );
  expect(reading).toBeGreaterThan(3);
  for (let allowed = 0; allowed < reading; allowed += 1) {
    let reads = 0;
    const source = {
      sizeBytes: zip.length,
      read: async (position: number, length: number) => {
        if ((reads += 1) > allowed) throw gone;
        return zip.subarray(position, position + length);
      },
    };
    await expect(readParts(readZipAt(source, { archiveName, passwords }))).rejects.toBe(gone);
  }
});

test('a source that became shorter is a truncated archive', async () => {
  const zip = await madeBy(`zip -q0r out.zip ${all}`, files);
  const source = {
    sizeBytes: zip.length,
    read: async (position: number, length: number) =>
      zip.subarray(position, position === 0 || length > 60_000 ? position + 1 : position + length),
  };
  expect(await failureOf(readParts(readZipAt(source, { archiveName, passwords })))).toMatchObject({
    kind: 'archive-truncated',
  });
});

describe('reading limits', () => {
  const limits = { members: 5, memberBytes: 1000, totalBytes: 2500, expansion: 10, expansionFreeBytes: 500 };
  test.each<[string, number, RawEntry[]]>([
    ['members', 5, Array.from({ length: 6 }, (_, index) => ({ name: `${index}/`, method: 0 }))],
    ['member-size', 1000, [{ name: 'a', plain: noise.subarray(0, 1001), method: 0 }]],
    ['total-size', 2500, [1, 2, 3].map((index) => ({ name: `${index}`, plain: noise.subarray(0, 900), method: 0 }))],
    ['expansion', 10, [400, 900].map((length) => ({ name: `z${length}`, plain: Buffer.alloc(length) }))],
  ])('%s', async (limit, value, entries) => {
    expect(await failureOf(read(rawZip(entries), { limits }))).toEqual({
      kind: 'archive-limit',
      name: archiveName,
      limit,
      value,
    });
  });

  test('stop 70,000 entries at the ten-thousandth', { tags: ['long'] }, async () => {
    const zip = rawZip(Array.from({ length: 70_000 }, (_, index) => ({ name: String(index), method: 0 })));
    let given = 0;
    const reading = (async () => {
      for await (const part of parts(zip)) given += part.name.length > 0 ? 1 : 0;
    })();
    expect(await failureOf(reading)).toEqual({
      kind: 'archive-limit',
      name: archiveName,
      limit: 'members',
      value: 10_000,
    });
    expect(given).toBe(10_000);
  });

  test('stop a bomb, but not entries at one place', async () => {
    const bomb = {
      name: 'bomb',
      packed: deflateRawSync(Buffer.alloc(110 * 2 ** 20)),
      plainBytes: 110 * 2 ** 20,
      crc32: 0,
    };
    expect(await failureOf(read(rawZip([bomb])))).toMatchObject({
      kind: 'archive-limit',
      limit: 'expansion',
      value: 200,
    });
    const zip = rawZip([{ name: 'a', plain: text }]);
    const directory = zip.indexOf('PK\u0001\u0002');
    const header = zip.subarray(directory, zip.length - 22);
    const named = (name: string) => Buffer.concat([header.subarray(0, 46), Buffer.from(name)]);
    const over = Buffer.concat([
      zip.subarray(0, directory),
      header,
      named('b'),
      named('c'),
      endOf(3, 3 * header.length, directory),
    ]);
    expect(await read(over)).toEqual(['a', 'b', 'c'].map((name) => ({ name, content: text.toString('latin1') })));
    expect((await remarksOf(over)).members).toMatchObject({
      b: [{ kind: 'header-differs' }, { kind: 'shared-bytes' }],
    });
    expect(await failureOf(read(over, { limits: { ...archiveLimits, totalBytes: 2 * text.length } }))).toMatchObject({
      kind: 'archive-limit',
      limit: 'total-size',
    });
  });

  test('prevent reading a directory of alleged gigabytes into memory', async () => {
    let most = 0;
    const zip = rawZip([{ name: 'a', plain: text }]);
    const tail = Buffer.concat([zip.subarray(0, -22), endOf(1, 2 ** 31, 30)]);
    const sizeBytes = 2 ** 28;
    const source = {
      sizeBytes,
      read: async (position: number, length: number) => {
        most = Math.max(most, length);
        const bytes = Buffer.alloc(length);
        const from = Math.max(position, sizeBytes - tail.length);
        if (from < position + length)
          bytes.set(
            tail.subarray(from - (sizeBytes - tail.length), position + length - (sizeBytes - tail.length)),
            from - position,
          );
        return bytes;
      },
    };
    expect(await readParts(readZipAt(source, { archiveName, passwords }))).toEqual([
      { name: 'a', content: text.toString('latin1') },
    ]);
    expect(most).toBeLessThanOrEqual(2 ** 20);
  });
});

describe('a hostile archive', () => {
  const small = { ...archiveLimits, members: 20, memberBytes: 500_000, totalBytes: 1_000_000 };

  async function survives(zip: Uint8Array): Promise<void> {
    let given = 0;
    try {
      for await (const part of parts(zip, { limits: small })) {
        if (part.kind === 'streamed') await drained(part.chunks, (bytes) => (given += bytes));
      }
    } catch (error) {
      expect(error).toBeInstanceOf(FailureError);
    }
    expect(given).toBeLessThanOrEqual(small.totalBytes);
  }

  async function drained(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): Promise<void> {
    try {
      for await (const chunk of chunks) count(chunk.length);
    } catch (error) {
      expect(error).toBeInstanceOf(FailureError);
    }
  }

  test('of random bytes ends in a clear failure within the limits', async () => {
    const end = Buffer.concat([u32(0x06054b50), u32(0), u16(3), u16(3), u32(150)]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(200), async (bytes, offset) =>
        survives(Buffer.concat([bytes, end, u32(offset), u16(0)])),
      ),
      { numRuns: 300 },
    );
  });

  test('with one flipped bit ends in a clear failure within the limits', { tags: ['long'] }, async () => {
    const few = { short: Buffer.from('short'), long: text.subarray(0, 3000) };
    const zips = [
      await madeBy('zip -q -P infected out.zip short long', few),
      await madeBy('7z a -bso0 -tzip -pinfected -mem=AES256 out.zip short long', few),
      await madeBy('zip -qfz out.zip short long', few),
      rawZip([
        {
          name: 'a',
          plain: few.long,
          flags: 8,
          descriptor: Buffer.concat([
            u32(0x08074b50),
            u32(crc32(few.long)),
            u32(deflateRawSync(few.long).length),
            u32(3000),
          ]),
        },
      ]),
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(zips.length - 1), fc.nat(), fc.nat(7), async (which, at, bit) => {
        const zip = Buffer.from(zips[which] ?? []);
        zip[at % zip.length] = (zip[at % zip.length] ?? 0) ^ (1 << bit);
        await survives(zip);
      }),
      { numRuns: 400 },
    );
  });
});
