import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageManifest } from '../../shared/domain/package-manifest.ts';
import { encryptedPackage, gathered, packageFiles, packageZip } from './package-archive.ts';
import { withDirectory } from './running-lab.fixture.ts';
import { noise } from './sample-file-bytes.ts';

const facts = { version: '1.4', group: 'Test', published: '2026-11-20T10:00:00.000Z' };
const files = [
  { path: 'b/ü.yar', bytes: Buffer.from('rule b { condition: true }\n') },
  { path: 'empty.yar', bytes: Buffer.alloc(0) },
  // Streamed by the writer, and said to be of unknown size.
  { path: 'large.yar', bytes: noise('large rules', 1024 ** 2 + 7) },
  { path: 'a.yar', bytes: Buffer.from('rule a { condition: true }\n'.repeat(1_000)) },
];
const names = ['manifest.json', 'a.yar', 'b/ü.yar', 'empty.yar', 'large.yar'];
const python = `
import sys, zipfile, hashlib, json
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
hashes = {n: hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()}
print(json.dumps({'names': z.namelist(), 'hashes': hashes, 'manifest': z.read('manifest.json').decode()}))`;

const listing = z.object({
  names: z.array(z.string()),
  hashes: z.record(z.string(), z.string()),
  manifest: z.string(),
});

const bytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  (await gathered(chunks, 2 ** 26)) ?? Buffer.alloc(0);

test('a package is a plain ZIP: its manifest first, then its files by path, each as the manifest states', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'p.zip');
    await writeFile(path, await bytesOf(packageZip(facts, files)));
    const read = listing.parse(JSON.parse((await promisify(execFile)('python3', ['-c', python, path])).stdout));
    const manifest = packageManifest.parse(JSON.parse(read.manifest));
    expect([read.names, { ...manifest, files: [] }]).toEqual([names, { ...facts, files: [] }]);
    expect(manifest.files.map((file) => [file.path, file.sha256])).toEqual(
      names.slice(1).map((name) => [name, read.hashes[name]]),
    );
    for (const { path: name, bytes } of files)
      expect([read.hashes[name], manifest.files.find((file) => file.path === name)?.sizeBytes]).toEqual([
        hash('sha256', bytes),
        bytes.length,
      ]);
  });
});

test('a package of the same files has the same bytes, whatever their order', async () => {
  const [one, other] = [await bytesOf(packageZip(facts, files)), await bytesOf(packageZip(facts, files.toReversed()))];
  expect(one.equals(other)).toBe(true);
});

test('the files of a package are read back unchanged', async () => {
  const inOrder = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  expect(
    (await packageFiles(packageZip(facts, files), 2 ** 21)).map(({ path, bytes }) => [path, hash('sha256', bytes)]),
  ).toEqual(inOrder.map(({ path, bytes }) => [path, hash('sha256', bytes)]));
});

test('an encrypted package holds the same members under AES-256 and opens only with its password', async () => {
  await withDirectory(async (directory) => {
    const path = join(directory, 'p.zip');
    await writeFile(path, await bytesOf(encryptedPackage(packageZip(facts, files), 'pässword')));
    const sevenZip = (...args: string[]) =>
      promisify(execFile)('7z', [...args, path], { encoding: 'buffer', maxBuffer: 2 ** 26 });
    const listed = (await sevenZip('l', '-slt')).stdout.toString();
    expect([...listed.matchAll(/^Path = (.*)$/gm)].slice(1).map(([, name]) => name)).toEqual(names);
    expect(listed.match(/^Method = AES-256 Store$/gm)).toHaveLength(names.length);
    for (const { path: name, bytes } of files) {
      const { stdout } = await promisify(execFile)('7z', ['e', '-so', '-ppässword', path, name], {
        encoding: 'buffer',
        maxBuffer: 2 ** 26,
      });
      expect(stdout.equals(bytes)).toBe(true);
    }
    await expect(sevenZip('t', '-pother')).rejects.toThrow(/password|failed/i);
  });
});

test('a truncated package is not encrypted', async () => {
  const zip = await bytesOf(packageZip(facts, files));
  await expect(bytesOf(encryptedPackage(oneByOne(zip.subarray(0, zip.length - 30)), 'x'))).rejects.toThrow();
});

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}
