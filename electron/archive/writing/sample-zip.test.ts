import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BlobReader, configure, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import type { ZipProtection } from '../encryption/zip-encryption.ts';
import { Manifest } from '../export/export-manifest.ts';
import { writeSampleZip } from './sample-zip.ts';
import { zip64Limits, type ZipMember } from './write-zip-records.ts';

const run = promisify(execFile);
configure({ useWebWorkers: false });
const encryptions = ['aes-256', 'zipcrypto'] as const;
const password = 'infected';
/** Assembled here, so that no source file holds what an antivirus looks for. */
const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
  'latin1',
);

const manifestOf = (name: string): ZipMember => {
  const manifest = new Manifest();
  manifest.add({
    md5: 'a'.repeat(32),
    sha1: 'b'.repeat(40),
    sha256: 'c'.repeat(64),
    sizeBytes: 1,
    name,
    outcome: 'exported',
  });
  return manifest.files().csv;
};
const memberOf = (bytes: Uint8Array, name = hash('sha256', bytes)): ZipMember => ({
  name,
  sizeBytes: bytes.length,
  open: () => [bytes],
});

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

async function zipped(
  members: ZipMember[],
  options: ZipProtection,
  limits = zip64Limits,
): Promise<{ folder: string; path: string; bytes: Buffer }> {
  const folder = temporaryFolder();
  const path = join(folder, 'out.zip');
  const bytes = await collected(writeSampleZip(members, options, limits));
  await writeFile(path, bytes);
  return { folder, path, bytes };
}

/** Each reader gives the bytes of one member, and rejects when it does not like the archive or the password. */
const readers = {
  '7z': async (path: string, name: string, word: string) => output('7z', ['e', '-so', `-p${word}`, path, name]),
  bsdtar: async (path: string, name: string, word: string) =>
    output('bsdtar', ['-x', '-O', '--passphrase', word, '-f', path, name]),
  unzip: async (path: string, name: string, word: string) => output('unzip', ['-p', '-P', word, path, name]),
  python: async (path: string, name: string, word: string) => output('python3', ['-c', pythonReader, path, name, word]),
  'zip.js': readByZipJs,
};
const pythonReader =
  'import sys,zipfile;sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2],pwd=sys.argv[3].encode()))';
/** What the export dialog and docs/exports.md say of them. */
const opens = {
  'aes-256': ['7z', 'bsdtar', 'zip.js'],
  zipcrypto: ['7z', 'bsdtar', 'unzip', 'python', 'zip.js'],
} as const;
const pairs = encryptions.flatMap((encryption) => opens[encryption].map((reader) => ({ encryption, reader })));

async function output(command: string, args: string[]): Promise<Buffer> {
  const { stdout } = await run(command, args, { encoding: 'buffer', maxBuffer: 2 ** 26 });
  return stdout;
}

async function readByZipJs(path: string, name: string, word: string): Promise<Buffer> {
  const zip = new ZipReader(new BlobReader(new Blob([new Uint8Array(await readFile(path))])), {
    rawPassword: Buffer.from(word, 'utf8'),
    checkSignature: true,
  });
  const entry = (await zip.getEntries()).find(({ filename }) => filename === name);
  if (entry === undefined || entry.directory) throw new Error('no such member');
  return Buffer.from(await entry.getData(new Uint8ArrayWriter()));
}

describe.each(pairs)('$encryption, opened by $reader', ({ encryption, reader }) => {
  const open = readers[reader];

  test('returns every member unchanged, even an empty one', async () => {
    const samples = [eicar, Buffer.alloc(0), randomBytes(65_536), randomBytes(65_537), randomBytes(131_075)];
    const { path } = await zipped(
      samples.map((bytes) => memberOf(bytes)),
      { encryption, password },
    );
    for (const bytes of samples) expect(await open(path, hash('sha256', bytes), password)).toEqual(bytes);
  });

  test('refuses a wrong password', async () => {
    const { path } = await zipped([memberOf(randomBytes(5000), 'a'.repeat(64))], { encryption, password });
    await expect(open(path, 'a'.repeat(64), 'inspected')).rejects.toThrow(/password|signature|command failed/i);
  });

  test('reads sizes and offsets of 64 bits', async () => {
    const samples = [randomBytes(10), randomBytes(5000), randomBytes(20)];
    const { path } = await zipped(
      samples.map((bytes) => memberOf(bytes)),
      { encryption, password },
      { bytesFrom: 1000, entriesFrom: 1 },
    );
    for (const bytes of samples) expect(await open(path, hash('sha256', bytes), password)).toEqual(bytes);
  });

  test('reads a non-ASCII password as UTF-8', async () => {
    const word = 'зараза-ß-🦠';
    const { path } = await zipped([memberOf(eicar)], { encryption, password: word });
    expect(await open(path, hash('sha256', eicar), word)).toEqual(eicar);
  });
});

test.each(['unzip', 'python'] as const)('%s does not open AES-256', async (reader) => {
  const { path } = await zipped([memberOf(eicar)], { encryption: 'aes-256', password });
  await expect(readers[reader](path, hash('sha256', eicar), password)).rejects.toThrow();
});

describe.each(encryptions)('%s', (encryption) => {
  test('passes the 7z test and shows the expected listing', async () => {
    const { path } = await zipped([memberOf(eicar), manifestOf('x')], { encryption, password });
    const { stdout } = await run('7z', ['t', `-p${password}`, path]);
    expect(stdout).toContain('Everything is Ok');
    const listed = await run('7z', ['l', '-slt', path]);
    expect(listed.stdout.match(/^Encrypted = \+$/gm)).toHaveLength(2);
    expect(listed.stdout.match(/^Attributes = .*-rw-------$/gm)).toHaveLength(2);
    expect(listed.stdout).toMatch(encryption === 'aes-256' ? /Method = AES-256 Store/ : /Method = ZipCrypto Store/);
  });

  test('contains neither the sample nor its original name in plain', async () => {
    const { bytes } = await zipped([memberOf(eicar), manifestOf('secret-operation')], { encryption, password });
    expect(bytes.includes(eicar.subarray(0, 16))).toBe(false);
    expect(bytes.includes('secret-operation')).toBe(false);
  });

  test('holds the same member for any division of its bytes into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }), async (lengths) => {
        const pieces = lengths.map((length) => randomBytes(length));
        const whole = Buffer.concat(pieces);
        const member: ZipMember = { name: hash('sha256', whole), sizeBytes: whole.length, open: () => pieces };
        const { path, folder } = await zipped([member], { encryption, password });
        expect(await readByZipJs(path, member.name, password)).toEqual(whole);
        await rm(folder, { recursive: true });
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['more', 9],
    ['fewer', 11],
  ])('fails when a member has %s bytes than announced', async (_, sizeBytes) => {
    const member = { ...memberOf(randomBytes(10)), sizeBytes };
    await expect(collected(writeSampleZip([member], { encryption, password }))).rejects.toThrow(
      `is not ${sizeBytes} bytes long`,
    );
  });

  test('ends before its directory when a member breaks off', async () => {
    const broken: ZipMember = {
      name: 'a'.repeat(64),
      sizeBytes: 200_000,
      async *open() {
        yield randomBytes(150_000);
        throw new Error('the disk went away');
      },
    };
    const pieces: Uint8Array[] = [];
    const writing = (async () => {
      for await (const piece of writeSampleZip([memberOf(eicar), broken], { encryption, password })) pieces.push(piece);
    })();
    await expect(writing).rejects.toThrow('the disk went away');
    expect(Buffer.concat(pieces).includes(Buffer.from('PK\x01\x02', 'latin1'))).toBe(false);
    expect(Buffer.concat(pieces).includes(Buffer.from('PK\x05\x06', 'latin1'))).toBe(false);
  });

  test('closes the current member when the reader stops', async () => {
    let closed = false;
    const endless: ZipMember = {
      name: 'a'.repeat(64),
      sizeBytes: encryption === 'aes-256' ? 10_000_000 : 1_000_000,
      async *open() {
        try {
          for (let left = this.sizeBytes; left > 0; left -= 100_000) yield randomBytes(100_000);
        } finally {
          closed = true;
        }
      },
    };
    let pieces = 0;
    for await (const piece of writeSampleZip([endless], { encryption, password })) {
      closed = false;
      if (piece.length > 0 && (pieces += 1) === 4) break;
    }
    expect(closed).toBe(true);
  });

  test('refuses an empty password at once', () => {
    expect(() => writeSampleZip([memberOf(eicar)], { encryption, password: '' })).toThrow(
      expect.objectContaining({ failure: { kind: 'password-empty' } }),
    );
  });

  test.each(['../a', 'invoice.exe', 'A'.repeat(64), '', 'manifest.csv/'])(
    'treats a member named %j as an internal error',
    async (name) => {
      await expect(collected(writeSampleZip([memberOf(eicar, name)], { encryption, password }))).rejects.toThrow(
        TypeError,
      );
    },
  );
});

test('each archive has its own salt, so the same sample is never encrypted alike', async () => {
  const options = { encryption: 'aes-256', password } as const;
  const [one, other] = [await zipped([memberOf(eicar)], options), await zipped([memberOf(eicar)], options)];
  expect(one.bytes.length).toBe(other.bytes.length);
  expect(one.bytes.equals(other.bytes)).toBe(false);
});

test('the writer of another kind of archive validates its names itself', async () => {
  const requireName = (name: string): void => {
    if (name !== 'generic/a.yar') throw new RangeError(name);
  };
  const written = (name: string) =>
    collected(writeSampleZip([memberOf(eicar, name)], { encryption: 'aes-256', password }, undefined, requireName));
  await expect(written('generic/a.yar')).resolves.toBeInstanceOf(Buffer);
  await expect(written('../a.yar')).rejects.toThrow(RangeError);
});

test('AE-2 hides the CRC, which would identify the sample', async () => {
  const { path } = await zipped([memberOf(eicar)], { encryption: 'aes-256', password });
  const { stdout } = await run('7z', ['l', '-slt', path]);
  expect(stdout).toMatch(/^CRC = \s*$/m);
});
