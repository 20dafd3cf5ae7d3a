import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { zip64Limits, ZipDirectory } from '../writing/write-zip-records.ts';
import { ExportThread } from './export-thread.ts';
import type { GivenSource } from './export-worker.fixture.ts';
import { ExportZip } from './export-zip.ts';

const run = promisify(execFile);
const password = 'infected';
const encryptions = ['aes-256', 'zipcrypto'] as const;
/** Opens the first and the last member and prints how many there are. */
const script =
  'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);n=z.namelist();[z.read(m,pwd=b"infected") for m in (n[0],' +
  'n[-1])];print(len(n))';
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-zip-'));
  path = join(folder, 'out.zip');
  await writeFile(path, '');
  return () => rm(folder, { recursive: true, force: true });
});

const worker = { entry: './export-worker.fixture', beside: import.meta.url };

function openZip(encryption: ZipEncryption, threads: number, limits = zip64Limits): ExportZip<GivenSource> {
  const opened = Array.from({ length: threads }, () => new ExportThread<GivenSource>(worker));
  onTestFinished(async () => void (await Promise.all(opened.map((thread) => thread.close()))));
  return new ExportZip({ path, durable: true, isNew: false }, { encryption, password }, opened, limits);
}

/** Broken, it has only its first bytes. */
function copy(
  zip: ExportZip<GivenSource>,
  bytes: Uint8Array,
  brokenAfter: number | null = null,
): Promise<string | null> {
  const name = hash('sha256', bytes);
  return zip.copy({
    head: { name, sizeBytes: bytes.length, crc32: 0 },
    source: { bytes, brokenAfter },
    moved: () => {},
  });
}

async function unzipped(name: string): Promise<Buffer> {
  return (await run('7z', ['e', '-so', `-p${password}`, path, name], { encoding: 'buffer', maxBuffer: 2 ** 26 }))
    .stdout;
}

/** Another program finds nothing wrong with it, and unpacks these members and no others. */
async function expectMembers(contents: readonly Uint8Array[]): Promise<void> {
  const into = join(folder, 'unpacked');
  const { stdout } = await run('7z', ['x', `-p${password}`, `-o${into}`, path]);
  expect(stdout).toContain('Everything is Ok');
  expect((await readdir(into)).toSorted()).toEqual(contents.map((bytes) => hash('sha256', bytes)).toSorted());
  for (const bytes of contents) expect((await readFile(join(into, hash('sha256', bytes)))).equals(bytes)).toBe(true);
}

describe.each(encryptions)('a ZIP with %s', (encryption) => {
  const bits = [
    ['32', zip64Limits],
    ['64', { bytesFrom: 1000, entriesFrom: 1 }],
  ] as const;
  for (const { tags, cases } of longAfter(1, [3, 2, 1]))
    describe.each(cases)('by %i threads', { tags }, (threads) => {
      test.each(bits)('has every member whole, of any size, with %s bits', async (_, limits) => {
        const contents = [
          0, 1, 15, 16, 17, 65_535, 65_536, 65_537, 131_072, 262_144, 1_048_575, 1_048_576, 1_048_577, 2_500_001,
        ].map((length) => randomBytes(length));
        const zip = openZip(encryption, threads, limits);
        expect(await Promise.all(contents.map((bytes) => copy(zip, bytes)))).toEqual(contents.map(() => null));
        expect(await zip.finish()).toBe((await stat(path)).size);
        await expectMembers(contents);
      });

      test('leaves no trace of unreadable members, wherever they were', async () => {
        const contents = [5000, 200_000, 700_000, 100, 3_000_000].map((size) => randomBytes(size));
        const zip = openZip(encryption, threads);
        const copies = contents.flatMap((bytes) => [
          copy(zip, randomBytes(500_000), 300_000),
          copy(zip, bytes),
          copy(zip, randomBytes(70_000), 0),
        ]);
        expect(await Promise.all(copies)).toEqual(contents.flatMap(() => ['broken', null, 'broken']));
        const size = await zip.finish();
        expect(size).toBe((await stat(path)).size);
        expect(size).toBeLessThan(contents.reduce((sum, { length }) => sum + length, 0) + 5000);
        await expectMembers(contents);
      });
    });

  test('holds a thread’s buffered bytes only at their new place after a gap was closed', async () => {
    const zip = openZip(encryption, 2);
    const contents = [randomBytes(30_000), randomBytes(4_000_000)] as const;
    // The small one is the other thread's, which has it in its buffer when the gap is closed; the large one lies over
    // that place then.
    expect(await Promise.all([copy(zip, randomBytes(1_000_000), 999_999), copy(zip, contents[0])])).toEqual([
      'broken',
      null,
    ]);
    expect(await copy(zip, contents[1])).toBeNull();
    await zip.finish();
    await expectMembers(contents);
  });

  test('reports each byte once, however often it is written', async () => {
    const zip = openZip(encryption, 2);
    const bytes = randomBytes(3_000_000);
    let moved = 0;
    const gone = copy(zip, randomBytes(2_000_000), 1_900_000);
    const kept = zip.copy({
      head: { name: hash('sha256', bytes), sizeBytes: bytes.length, crc32: 0 },
      source: { bytes, brokenAfter: null },
      moved: (more) => {
        moved += more;
      },
    });
    expect(await Promise.all([gone, kept])).toEqual(['broken', null]);
    expect(moved).toBe(bytes.length);
  });

  test('is also readable by python, with bytes passed from memory', async () => {
    const zip = openZip(encryption, 2);
    const text = Buffer.from('sha256,name\r\n'.repeat(10_000));
    await copy(zip, randomBytes(7000));
    await zip.put({ name: 'manifest.csv', sizeBytes: text.length, crc32: crc32(text) }, [
      text.subarray(0, 999),
      text.subarray(999),
    ]);
    await zip.finish();
    expect(await unzipped('manifest.csv')).toEqual(text);
    if (encryption === 'zipcrypto') expect((await run('python3', ['-c', script, path])).stdout.trim()).toBe('2');
  });
});

test('an export ZIP fails pending and later copies when one thread ends', async () => {
  const [one, other] = [new ExportThread<GivenSource>(worker), new ExportThread<GivenSource>(worker)];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const zip = new ExportZip({ path, durable: false, isNew: false }, { encryption: 'zipcrypto', password }, [
    one,
    other,
  ]);
  let isIn: () => void = () => {};
  const small = Buffer.from('behind it, and in');
  const copies = [
    copy(zip, new Uint8Array(60_000_000)),
    zip.copy({
      head: { name: hash('sha256', small), sizeBytes: small.length, crc32: 0 },
      source: { bytes: small, brokenAfter: null },
      moved: () => isIn(),
    }),
  ];
  await new Promise<void>((resolve) => {
    isIn = resolve;
  });
  const over = Promise.allSettled(copies);
  await one.close();
  expect((await over).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(copy(zip, small)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('the directory of a ZIP with more members than 16 bits can count has them all', { tags: ['long'] }, async () => {
  const zip = openZip('zipcrypto', 2);
  const count = 65_700;
  const head = (number: number) => ({ name: number.toString(16).padStart(64, '0'), sizeBytes: 1, crc32: 0 });
  const copied = (number: number) =>
    zip.copy({ head: head(number), source: { bytes: Uint8Array.of(97), brokenAfter: null }, moved: () => {} });
  // So many on their way at once that the threads never wait, and no more.
  for (let from = 0; from < count; from += 300)
    await Promise.all(Array.from({ length: 300 }, (_, number) => copied(from + number)));
  await zip.finish();
  const [python, sevenZip] = await Promise.all([
    run('python3', ['-c', script, path]),
    run('7z', ['t', `-p${password}`, path], { maxBuffer: 2 ** 26 }),
  ]);
  expect(python.stdout.trim()).toBe(String(count));
  expect(sevenZip.stdout).toContain(`Files: ${count}`);
});

test('an export ZIP writes only the directory besides the threads’ entries', async () => {
  const zip = openZip('aes-256', 2);
  await zip.finish();
  expect(await readFile(path)).toEqual(Buffer.concat([...new ZipDirectory(zip64Limits).end(0)]));
});
