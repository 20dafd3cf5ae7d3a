import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, startServer } from './child.ts';
import { type SampleSet, writeSampleSet } from './sample-set.ts';

let folder: string;
let set: SampleSet;
let md5s: string[];
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-bench-'));
  set = await writeSampleSet(folder, { samples: 9, bytesEach: 5000 }, true);
  md5s = (await readFile(set.listPath, 'utf8')).trim().split('\n');
  const { match } = await startServer(
    'e2e/bench/archive-server.ts',
    [set.entriesPath, set.indexPath],
    /^listening on (\d+)$/,
  );
  origin = `http://127.0.0.1:${match[1]}`;
});
afterAll(async () => {
  await endAll();
  await rm(folder, { recursive: true });
});

const pathFor = (wanted: readonly string[]): string =>
  `/api.php?action=bulkdownload${wanted.map((md5) => `&files%5B%5D=${md5}`).join('')}&token=x`;

test.each([
  ['all of them', (all: string[]) => all],
  ['one', (all: string[]) => all.slice(4, 5)],
  ['some, in another order', (all: string[]) => [...all.slice(6), ...all.slice(1, 4)]],
])('%s come as a ZIP that another program reads, named by their MD5s', async (_, choose) => {
  const wanted = choose(md5s);
  const reply = await fetch(origin + pathFor(wanted));
  const archive = new ZipReader(new Uint8ArrayReader(new Uint8Array(await reply.arrayBuffer())), {
    checkSignature: true,
    useWebWorkers: false,
  });
  const entries = (await archive.getEntries()).filter((entry) => !entry.directory);
  expect(entries.map(({ filename }) => filename)).toEqual(wanted);
  for (const entry of entries) {
    const bytes = await entry.getData(new Uint8ArrayWriter());
    expect([bytes.length, createHash('md5').update(bytes).digest('hex')]).toEqual([5000, entry.filename]);
  }
});

test('the archive server refuses a request with one missing sample and reports each served path once', async () => {
  await fetch(`${origin}/asked`);
  expect((await fetch(origin + pathFor([...md5s, '0'.repeat(32)]))).status).toBe(403);
  await (await fetch(origin + pathFor(md5s))).arrayBuffer();
  expect(await (await fetch(`${origin}/asked`)).json()).toEqual([pathFor(md5s)]);
  expect(await (await fetch(`${origin}/asked`)).json()).toEqual([]);
});

test('the sample set’s hash listing matches its files', async () => {
  const listing = createHash('sha256');
  for (const md5 of md5s) {
    const bytes = await readFile(join(set.plainFolder ?? '', md5));
    expect(createHash('md5').update(bytes).digest('hex')).toBe(md5);
    listing.update(`${md5} ${createHash('sha256').update(bytes).digest('hex')} ${bytes.length}\n`);
  }
  expect(listing.digest('hex')).toBe(set.listing);
  expect((await readdir(set.plainFolder ?? '')).toSorted()).toEqual(md5s.toSorted());
});
