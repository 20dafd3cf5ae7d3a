import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { usePostgres } from '../testing/postgres.fixture.ts';
import type { Hunt } from './hunts.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';

const postgres = usePostgres();
const s3 = useS3();
/** Compiling takes seconds on a machine that is busy with other tests. */
const soon = { timeout: 400_000, interval: 50 };
const long = { tags: ['long'], timeout: 400_000 };

const rules = `
  import "hash"
  rule one { strings: $a = "needle-1" condition: $a }
  rule two { strings: $a = /needle-[2-3]\\b/ nocase $b = { 00 01 ?? 03 } condition: any of them }
  rule large { condition: filesize > 600 }
  rule first { condition: uint16(0) == 0x5a4d }
  rule third { strings: $a = "needle" condition: #a >= 3 and hash.md5(0, filesize) != "" }`;

/** Each is another one, with one of some needles, a beginning and a length. */
function samples(count: number, from = 0): Buffer[] {
  return Array.from({ length: count }, (_, index) => {
    const at = from + index;
    const text = `${at % 5 === 0 ? 'MZ' : ''} sample ${at} needle-${at % 4} ${'needle '.repeat(at % 4)}`;
    return Buffer.concat([Buffer.from(text), Buffer.from([0, at % 3, 7, 3]), Buffer.alloc(at * 13, at)]);
  });
}

async function ended(lab: HuntLab, number: number): Promise<Hunt | null> {
  await expect.poll(async () => (await lab.hunts.hunt(number))?.state, soon).not.toBe('running');
  return lab.hunts.hunt(number);
}

const hasYara = spawnSync('yara', ['--version']).error === undefined;

test.skipIf(!hasYara)('a hunt finds in 60 samples what yara finds in them', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const all = samples(60);
  const added = await lab.add(all);
  const number = await lab.hunts.begin(publication);
  await lab.workHere(2);
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-hunt-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await Promise.all(all.map((bytes, at) => writeFile(join(folder, `${at}`), bytes)));
  await writeFile(join(folder, 'rules.yar'), rules);
  const { stdout, status } = spawnSync('yara', [join(folder, 'rules.yar'), folder], { encoding: 'utf8' });
  expect(status).toBe(0);
  const expected: Record<string, string[]> = {};
  for (const line of stdout.split('\n')) {
    const [rule = '', path = ''] = line.split(' ');
    const sha256 = added[Number(basename(path))];
    if (rule !== '' && sha256 !== undefined) expected[sha256] = [...(expected[sha256] ?? []), rule].toSorted();
  }
  const hunt = await ended(lab, number);
  const hits = Object.values(expected).flat().length;
  expect(hits).toBeGreaterThan(60);
  expect(hunt).toMatchObject({ state: 'done', done: 60, total: 60, hits, failed: 0, leftOut: [] });
  expect(await lab.hits()).toEqual(expected);
});

test('a second hunt of a publication keeps the hits of the first and counts its own', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(4));
  await lab.workHere();
  const first = await ended(lab, await lab.hunts.begin(publication));
  const hits = await lab.hits();
  await lab.add(samples(1, 9));
  const second = await ended(lab, await lab.hunts.begin(publication));
  expect(Object.keys(hits)).not.toEqual([]);
  expect(await lab.hits()).toMatchObject(hits);
  expect(second?.hits).toBeGreaterThan(first?.hits ?? Infinity);
  expect(await lab.count('SELECT count(*) FROM hit')).toBe(second?.hits);
  expect((await lab.hunts.list()).map(({ total }) => total)).toEqual([5, 4]);
});

test('a hunt scans no sample that was added after it had begun', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(3, 1));
  const number = await lab.hunts.begin(publication);
  const later = await lab.add(samples(3, 5));
  await lab.workHere();
  expect(await ended(lab, number)).toMatchObject({ state: 'done', done: 3, total: 3 });
  const hits = await lab.hits();
  expect(Object.keys(hits)).toHaveLength(3);
  expect(later.filter((sha256) => sha256 in hits)).toEqual([]);
});

test('a hunt over no samples is done at once', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const number = await lab.hunts.begin(await lab.publish(rules));
  expect(await lab.hunts.hunt(number)).toMatchObject({ state: 'done', done: 0, total: 0 });
});

test('a sample over the scan limit, and one without its bytes, are listed and the rest is scanned', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const [, large = '', missing = ''] = await lab.add([...samples(1, 1), Buffer.alloc(5_000, 1), Buffer.from('gone')]);
  for await (const { sha256, place } of blobsOf(lab)) if (sha256 === missing) await lab.stores.bucket.delete(place);
  const number = await lab.hunts.begin(publication);
  await lab.workHere(1, { fileBytes: 4_000, fileSeconds: 30 });
  expect(await ended(lab, number)).toMatchObject({ state: 'done', done: 3, total: 3, failed: 2 });
  expect(await lab.hunts.failures(number)).toEqual([
    { sha256: large, reason: 'It has 5000 bytes, over the scan limit of 4000.' },
    { sha256: missing, reason: 'Its bytes are missing from the store.' },
  ]);
  expect(Object.keys(await lab.hits())).toHaveLength(1);
});

async function* blobsOf(lab: HuntLab) {
  yield* await lab.stores.metadata.blobsAfter(null, 100);
}

const endless = `
  rule endless { strings: $a = "begin" condition: $a and
    for all i in (1..100000) : (for all j in (1..100000) : (uint8(i % filesize) + uint8(j % filesize) < 512)) }
  rule other { strings: $a = "needle" condition: $a }`;

test(
  'a sample that keeps a rule from ending is listed, and the next ones are scanned with all rules',
  long,
  async () => {
    const lab = await HuntLab.open(postgres, s3());
    const publication = await lab.publish(endless);
    const texts = ['needle 1', 'begin needle', 'needle 2', 'needle 3'];
    const added = await lab.add(texts.map((text) => Buffer.from(text)));
    const slow = added[1] ?? '';
    const number = await lab.hunts.begin(publication);
    await lab.workHere(1, { fileBytes: 4_000, fileSeconds: 1 });
    expect(await ended(lab, number)).toMatchObject({ state: 'done', done: 4, hits: 4, failed: 1, leftOut: [] });
    expect(await lab.hunts.failures(number)).toEqual([
      { sha256: slow, reason: 'Scanned without the rule "endless", which did not end or ended the engine.' },
    ]);
    expect(Object.keys(await lab.hits()).toSorted()).toEqual(added.toSorted());
  },
);

test(
  'a rule that several samples keep from ending is left out of the rest of the hunt, which names it',
  long,
  async () => {
    const lab = await HuntLab.open(postgres, s3());
    const publication = await lab.publish(endless);
    await lab.add(Array.from({ length: 6 }, (_, at) => Buffer.from(`begin needle ${at}`)));
    const number = await lab.hunts.begin(publication);
    await lab.workHere(1, { fileBytes: 4_000, fileSeconds: 1 });
    const hunt = await ended(lab, number);
    expect(hunt).toMatchObject({ state: 'done', done: 6, hits: 6, failed: 4, leftOut: ['endless'] });
  },
);

test('a hunt whose package is missing ends at once, as failed', async () => {
  const lab = await HuntLab.open(postgres, s3(), 2);
  const id = await lab.publish(rules);
  await lab.add(samples(6));
  const place = (await lab.stores.metadata.publication(id))?.place ?? expect.fail('it was published');
  await lab.stores.bucket.delete(place);
  const number = await lab.hunts.begin(id);
  await lab.workHere();
  const failure = 'Its package is missing from the store.';
  expect(await ended(lab, number)).toMatchObject({ state: 'failed', done: 0, total: 6, failed: 0, failure });
  expect((await lab.hunts.list()).map((hunt) => [hunt.state, hunt.failure])).toEqual([['failed', failure]]);
  const open = `SELECT count(*) FROM lab_queue.job WHERE state < 'completed'`;
  await expect.poll(() => lab.count(open), soon).toBe(0);
  // A lab of the release before knows no other states.
  expect(await lab.count(`SELECT count(*) FROM scan_run WHERE state = 'cancelled'`)).toBe(1);
});

test('a hunt of which no rule compiles ends at once, as failed', long, async () => {
  const lab = await HuntLab.open(postgres, s3(), 2);
  await lab.add(samples(6));
  const number = await lab.hunts.begin(await lab.publish('rule one { condition: none_such }'));
  await lab.workHere();
  const failure = 'None of its rules compiles.';
  expect(await ended(lab, number)).toMatchObject({ state: 'failed', done: 0, failed: 0, failure });
  expect(await lab.count('SELECT max(retry_count)::bigint AS count FROM lab_queue.job')).toBe(0);
});

test('the queue holds a bounded number of pieces, and a cancelled hunt leaves what was found', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const added = await lab.add(samples(1, 1));
  await lab.stores.database.execute(`
    INSERT INTO blob (sha256, place, size)
      SELECT sha256(n::text::bytea), 'none ' || n, 1 FROM generate_series(1, 60000) n;
    INSERT INTO sample (sha256, md5, sha1, size, name, criticity, uploader, uploaded, restricted, virus_total, sandbox,
                        tags)
      SELECT sha256(n::text::bytea), decode(md5(n::text), 'hex'), ''::bytea, 1, 'a', 3, 'ana', now(), false, false,
             false,
        '{}' FROM generate_series(1, 60000) n`);
  const number = await lab.hunts.begin(publication);
  expect(await lab.hunts.hunt(number)).toMatchObject({ state: 'running', done: 0, total: 60_001 });
  expect(await lab.count('SELECT count(*) FROM lab_queue.job')).toBe(20);
  await lab.workHere();
  await expect.poll(async () => (await lab.hunts.hunt(number))?.done, soon).toBeGreaterThan(0);
  expect(await lab.hunts.cancel(number)).toBe(true);
  expect(await lab.hunts.cancel(number)).toBe(false);
  const waiting = `SELECT count(*) FROM lab_queue.job WHERE state < 'completed'`;
  await expect.poll(() => lab.count(waiting), soon).toBe(0);
  const { done, state } = (await lab.hunts.hunt(number)) ?? expect.fail('it is gone');
  expect(state).toBe('cancelled');
  expect(done).toBeLessThan(60_001);
  expect(Object.keys(await lab.hits())).toEqual(added);
});
