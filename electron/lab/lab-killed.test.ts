import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { labPublication } from '../../shared/domain/lab.ts';
import { killedAtChange } from './killed-at-change.fixture.ts';
import { labCommandHere, type RunningLab, startLabProcess, withDirectory } from './running-lab.fixture.ts';
import { noise } from './sample-file-bytes.ts';
import { starterPackages } from './starter-rules/starter-packages.ts';
import { sampleFileList } from './stock.ts';

const megabyte = 1024 * 1024;
const publicationList = z.object({ publications: z.array(labPublication) });
const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

/** Each sample file can be requested and comes whole. */
async function expectWholeStock(lab: RunningLab): Promise<void> {
  for (const { md5 } of sampleFileList()) {
    const bytes = new Uint8Array(await (await lab.ask('downloadfile', { file: md5 })).arrayBuffer());
    expect(md5Of(bytes)).toBe(md5);
  }
}

async function containersIn(vault: string): Promise<string[]> {
  return (await readdir(vault, { recursive: true })).filter((path) => /[0-9a-f]{64}$/.test(path));
}

/** A stocked lab and a file that is not in it; each test works on a copy. */
let template: string;
const big = noise('killed', 16 * megabyte);
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'vitrine-lab-template-'));
  await writeFile(join(template, 'big.bin'), big);
  await (await startLabProcess(join(template, 'data'))).stop();
});
afterAll(() => rm(template, { recursive: true, force: true }));

async function withStockedCopy(work: (data: string, vault: string) => Promise<void>): Promise<void> {
  await withDirectory(async (directory) => {
    await cp(join(template, 'data'), directory, { recursive: true });
    await work(directory, join(directory, 'vault'));
  });
}

test('the lab, killed while a file is added, serves it whole or not at all, without remains', () =>
  expectWholeFile(12));
test.each([4, 40])(
  'the lab, killed at change %i of adding a file, serves it whole or not at all, without remains',
  { tags: ['long'] },
  (times) => expectWholeFile(times),
);

/** Whatever its age. */
const sweptNow = (data: string): Promise<string> => labCommandHere('sweep', '--older-than', '0', '--data', data);

async function expectWholeFile(times: number): Promise<void> {
  await withStockedCopy(async (data, vault) => {
    const stocked = (await containersIn(vault)).length;
    await killedAtChange(data, times, 'add', join(template, 'big.bin'));
    await sweptNow(data);
    const lab = await startLabProcess(data);
    const response = await lab.ask('downloadfile', { file: md5Of(big) });
    const kept = response.status === 200 ? 1 : 0;
    if (kept) expect(big.equals(new Uint8Array(await response.arrayBuffer()))).toBe(true);
    else expect(response.status).toBe(404);
    expect(await containersIn(vault)).toHaveLength(stocked + kept);
    expect(await readdir(join(vault, 'incoming'))).toEqual([]);
    await lab.stop();
  });
}

test('the lab, killed in its first start, is stocked completely at the next', () => expectWholeStockNext(60));
test.each([10, 140])(
  'the lab, killed at change %i of its first start, is stocked completely at the next',
  { tags: ['long'] },
  (times) => expectWholeStockNext(times),
);

async function expectWholeStockNext(times: number): Promise<void> {
  await withDirectory(async (directory) => {
    await killedAtChange(directory, times, '--port', '0');
    const lab = await startLabProcess(directory);
    expect(lab.answer).toMatchObject({ kind: 'listening', sampleFiles: sampleFileList() });
    await expectWholeStock(lab);
    const published = publicationList.parse(await (await lab.askRules('publications')).json()).publications;
    expect(published.map(({ version }) => version)).toEqual(starterPackages.map(({ version }) => version).toReversed());
    for (const { id } of published) {
      const link = (await lab.askRules('downloadpublication', { id })).headers.get('location') ?? '';
      expect((await (await fetch(`${lab.origin}${link}`)).arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    }
    await lab.stop();
  });
}

test('the lab keeps young bytes whose row is not written yet, and a sweep removes them once they are old', async () => {
  await withStockedCopy(async (data, vault) => {
    const before = await containersIn(vault);
    const orphan = join(vault, '00', '0'.repeat(64));
    await cp(join(vault, before[0] ?? ''), orphan);
    await (await startLabProcess(data)).stop();
    expect(await containersIn(vault)).toHaveLength(before.length + 1);
    expect(await labCommandHere('sweep', '--data', data)).toBe('Removed: 0\n');
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await utimes(orphan, yesterday, yesterday);
    expect(await labCommandHere('sweep', '--data', data)).toBe('Removed: 1\n');
    expect((await containersIn(vault)).toSorted()).toEqual(before.toSorted());
  });
});
