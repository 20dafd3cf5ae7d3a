import { execFile } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ExportThread } from './export-thread.ts';
import { ZipExport } from './exported-file.ts';
import { zip64Limits } from './write-zip-records.ts';

const run = promisify(execFile);
const password = 'infected';
const encryptions = ['aes-256', 'zipcrypto'] as const;
/** Opens the first and the last member and tells how many there are. */
const script = 'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);n=z.namelist();[z.read(m,pwd=b"infected") for m in (n[0],n[-1])];print(len(n))';
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-thread-'));
  path = join(folder, 'out.zip');
  return () => rm(folder, { recursive: true, force: true });
});

function openThread(limits = zip64Limits): ExportThread {
  const thread = new ExportThread(folder, limits);
  onTestFinished(() => thread.close());
  return thread;
}

async function put(thread: ExportThread, bytes: Uint8Array, piece = 128 * 1024): Promise<void> {
  thread.begin({ name: hash('sha256', bytes), sizeBytes: bytes.length, crc32: crc32(bytes) });
  for (let at = 0; at < bytes.length; at += piece) await thread.write(bytes.subarray(at, at + piece));
  await thread.end();
}

async function unzipped(name: string): Promise<Buffer> {
  return (await run('7z', ['e', '-so', `-p${password}`, path, name], { encoding: 'buffer', maxBuffer: 2 ** 26 })).stdout;
}

describe.each(encryptions)('a ZIP with %s', (encryption) => {
  test.each([['32', zip64Limits], ['64', { bytesFrom: 1000, entriesFrom: 1 }]])('has every member whole, of any size, with %s bits', async (_, limits) => {
    const contents = [0, 1, 15, 16, 17, 65_535, 65_536, 65_537, 1_048_575, 1_048_576, 1_048_577, 2_500_001].map((length) => randomBytes(length));
    const thread = openThread(limits);
    thread.openZip({ path, durable: true }, { encryption, password });
    for (const [at, bytes] of contents.entries()) await put(thread, bytes, 1000 + at * 9973);
    expect(await thread.finish()).toBe((await stat(path)).size);
    expect((await run('7z', ['t', `-p${password}`, path])).stdout).toContain('Everything is Ok');
    for (const bytes of contents) expect((await unzipped(hash('sha256', bytes))).equals(bytes)).toBe(true);
  });

  test.each([10, 3_000_000])('is as if a member taken back after %i bytes had never been', async (length) => {
    const [kept, after] = [randomBytes(5000), randomBytes(6000)];
    const thread = openThread();
    thread.openZip({ path, durable: false }, { encryption, password });
    await put(thread, kept);
    thread.begin({ name: 'd'.repeat(64), sizeBytes: 4_000_000, crc32: 0 });
    await thread.write(randomBytes(length));
    thread.drop();
    await put(thread, after);
    await thread.finish();
    expect((await run('7z', ['t', `-p${password}`, path])).stdout).toContain('Files: 2');
    expect((await unzipped(hash('sha256', after))).equals(after)).toBe(true);
  });
});

test('ZipCrypto is read by python too', async () => {
  const thread = openThread();
  thread.openZip({ path, durable: false }, { encryption: 'zipcrypto', password });
  for (const length of [0, 100, 7000]) await put(thread, randomBytes(length));
  await thread.finish();
  expect((await run('python3', ['-c', script, path])).stdout.trim()).toBe('3');
});

test('more members than 16 bits count are all there', async () => {
  const file = new ZipExport({ path, durable: false }, { encryption: 'zipcrypto', password }, zip64Limits);
  const count = 65_700;
  for (let number = 0; number < count; number += 1) {
    file.begin({ name: number.toString(16).padStart(64, '0'), sizeBytes: 1, crc32: crc32(Buffer.from('a')) });
    file.write(new Uint8Array([97]));
    file.end();
  }
  await file.finish();
  expect((await run('python3', ['-c', script, path])).stdout.trim()).toBe(String(count));
  expect((await run('7z', ['t', `-p${password}`, path], { maxBuffer: 2 ** 26 })).stdout).toContain(`Files: ${count}`);
});

test('a plain file has the bytes, one removed is gone, and the thread goes on with the next', async () => {
  const bytes = randomBytes(1_500_000);
  const thread = openThread();
  thread.openPlain({ path: join(folder, 'gone'), durable: false });
  thread.begin({ name: 'a'.repeat(64), sizeBytes: 9, crc32: 0 });
  await thread.write(bytes);
  await thread.remove();
  thread.openPlain({ path, durable: false });
  await put(thread, bytes);
  expect(await thread.finish()).toBe(bytes.length);
  expect((await readFile(path)).equals(bytes)).toBe(true);
  await expect(stat(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a file that is there is not written, and every later call says so', async () => {
  const thread = openThread();
  thread.openPlain({ path: folder, durable: false });
  await expect(thread.finish()).rejects.toMatchObject({ failure: { kind: 'disk-failed', path: folder, code: 'EEXIST' } });
  expect(thread.hasFailed).toBe(true);
  expect(() => thread.begin({ name: 'a'.repeat(64), sizeBytes: 0, crc32: 0 })).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code: 'EEXIST' }) }));
});

test('closed in the middle, what waits fails', async () => {
  const thread = openThread();
  thread.openZip({ path, durable: false }, { encryption: 'zipcrypto', password });
  thread.begin({ name: 'a'.repeat(64), sizeBytes: 100_000_000, crc32: 0 });
  const writing = thread.write(new Uint8Array(100_000_000));
  await Promise.all([expect(writing).rejects.toMatchObject({ failure: { kind: 'worker-ended' } }), thread.close()]);
});

test.each(['../a', 'invoice.exe', 'A'.repeat(64), '', 'manifest.csv/'])('a member named %j is a defect', (name) => {
  const thread = openThread();
  expect(() => thread.begin({ name, sizeBytes: 0, crc32: 0 })).toThrow(TypeError);
});
