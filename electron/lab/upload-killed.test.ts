import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { field, file, formHeaders, multipart } from './multipart-body.fixture.ts';
import {
  ended,
  labCommandHere,
  openUpload,
  type RunningLab,
  startLabProcess,
  withDirectory,
} from './running-lab.fixture.ts';
import { noise } from './sample-file-bytes.ts';

const megabyte = 1024 * 1024;
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const samples = [noise('killed large', 6 * megabyte), noise('killed', 3 * megabyte), noise('killed small', 1000)];
const body = multipart(
  ...samples.flatMap((bytes, index) => [
    file(`file ${index}`, bytes),
    field('tags[]', 'one,two'),
    field('vtsubmit[]', 'true'),
  ]),
  field('comment', 'of all'),
);
const record = z.object({
  file: z.looseObject({ tags: z.string(), comments: z.array(z.looseObject({ content: z.string() })) }),
});

/** A stocked lab; each test works on a copy. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'vitrine-lab-template-'));
  await (await startLabProcess(template)).stop();
});
afterAll(() => rm(template, { recursive: true, force: true }));

async function withStockedCopy(work: (data: string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    await cp(template, directory, { recursive: true });
    await work(directory);
  });
}

/** A container in its place. */
const keptName = /[0-9a-f]{64}$/;

const containersIn = async (data: string): Promise<string[]> =>
  (await readdir(join(data, 'vault'), { recursive: true })).filter((path) => keptName.test(path));
const unfinishedIn = (data: string): Promise<string[]> => readdir(join(data, 'vault', 'incoming'));

/** Resolves at the n-th change that the system reports of a file of such a name under a directory. */
async function changed(directory: string, name: RegExp, times: number, signal: AbortSignal): Promise<void> {
  let seen = 0;
  for await (const { filename } of watch(directory, { recursive: true, signal })) {
    if (filename !== null && name.test(filename)) seen += 1;
    if (seen >= times) return;
  }
}

/** Uploads, and kills the lab at that change, or when it has answered. True when it had answered. */
async function killedAtChange(lab: RunningLab, data: string, name: RegExp, times: number): Promise<boolean> {
  const stop = new AbortController();
  const moment = changed(data, name, times, stop.signal).then(
    () => false,
    () => false,
  );
  const answer = lab.ask('uploadfiles', {}, { method: 'POST', headers: formHeaders, body }).then(
    ({ status }) => status === 200,
    () => false,
  );
  const answered = await Promise.race([moment, answer]);
  await ended(lab.process, () => lab.process.kill('SIGKILL'));
  stop.abort();
  return answered;
}

/** How many of the samples are there, each of them whole with all that was said of it. */
async function wholeSamples(lab: RunningLab): Promise<number> {
  let there = 0;
  for (const bytes of samples) {
    const reply = await lab.ask('getfile', { hash: md5Of(bytes) });
    const download = await lab.ask('downloadfile', { file: md5Of(bytes) });
    expect(download.status).toBe(reply.status);
    if (reply.status !== 200) continue;
    there += 1;
    expect(record.parse(await reply.json()).file).toMatchObject({
      tags: 'one,two',
      vtsubmit: true,
      comments: [{ content: 'of all' }],
    });
    expect(bytes.equals(new Uint8Array(await download.arrayBuffer()))).toBe(true);
  }
  return there;
}

test.each<[string, RegExp, number]>([
  ['the first file begins', /\.part$/, 1],
  ['the first is written', /\.part$/, 12],
  ['the first is kept', keptName, 1],
  ['the last is written', /\.part$/, 24],
  ['the last is kept', keptName, samples.length],
  ['the rows are written', /lab\.db-wal$/, 1],
  ['all is answered', /^$/, 1],
])(
  'the lab, killed as %s, has all files of an upload or none, and keeps nothing else',
  { tags: ['long'] },
  (_title, name, times) => expectWholeUpload(name, times),
);

async function expectWholeUpload(name: RegExp, times: number): Promise<void> {
  await withStockedCopy(async (data) => {
    const stocked = (await containersIn(data)).length;
    const answered = await killedAtChange(await startLabProcess(data), data, name, times);
    await labCommandHere('sweep', '--older-than', '0', '--data', data);
    const lab = await startLabProcess(data);
    const there = await wholeSamples(lab);
    expect(answered ? [samples.length] : [0, samples.length]).toContain(there);
    expect(await containersIn(data)).toHaveLength(stocked + there);
    expect(await unfinishedIn(data)).toEqual([]);
    await lab.stop();
  });
}

test('an interrupted upload leaves nothing, wherever it stops, and the lab continues', async () => {
  await withStockedCopy(async (data) => {
    const lab = await startLabProcess(data);
    const before = await containersIn(data);
    for (const share of [0.01, 0.3, 0.65, 0.9, 0.9999]) {
      const upload = openUpload(lab, { 'Content-Length': body.length });
      upload.on('error', () => {});
      await new Promise((resolve) => upload.write(body.subarray(0, Math.floor(body.length * share)), resolve));
      upload.destroy();
    }
    await expect.poll(() => unfinishedIn(data)).toEqual([]);
    expect(await wholeSamples(lab)).toBe(0);
    expect(await containersIn(data)).toEqual(before);
    await lab.stop();
  });
});
