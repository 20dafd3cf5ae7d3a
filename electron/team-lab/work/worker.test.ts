import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { type Hunt, Hunts } from './hunts.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';
import type { RequestJob } from './scan-queue.ts';
import { ScanRequests } from './scan-requests.ts';
import { RequestTurns, ScanWorkers } from './worker.ts';

const postgres = usePostgres();
const s3 = useS3();
/** Compiling takes seconds on a machine that is busy with other tests. */
const soon = { timeout: 400_000, interval: 50 };
const long = { tags: ['long'], timeout: 400_000 };

/** The first takes a while for each sample, so that there is a middle of a piece. */
const rules = `
  rule slow { condition: for all i in (1..2500) : (uint8(i % filesize) < 256) }
  rule needle { strings: $a = "needle" condition: $a }`;
const samples = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => Buffer.from(`needle ${at}`));

const doneOf = async (lab: HuntLab, number: number): Promise<number> => (await lab.hunts.hunt(number))?.done ?? 0;

async function ended(lab: HuntLab, number: number): Promise<Hunt | null> {
  await expect.poll(async () => (await lab.hunts.hunt(number).catch(() => null))?.state, soon).toBe('done');
  return lab.hunts.hunt(number);
}

/** Nothing is twice, and nothing is lost. */
async function expectAll(lab: HuntLab, number: number, count: number): Promise<void> {
  const all = { state: 'done', done: count, total: count, hits: count * 2, failed: 0, leftOut: [] };
  expect(await ended(lab, number)).toMatchObject(all);
  expect(await lab.count('SELECT count(*) FROM hit')).toBe(count * 2);
}

test('a hunt is completed by another worker when one is killed in the middle of a piece', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(16));
  const number = await lab.hunts.begin(publication);
  const killed = await lab.workApart();
  await expect.poll(() => doneOf(lab, number), soon).toBeGreaterThan(0);
  const gone = once(killed, 'exit');
  killed.kill('SIGKILL');
  await gone;
  expect(await doneOf(lab, number)).toBeLessThan(16);
  await lab.workHere();
  await expectAll(lab, number, 16);
});

/** Calls back in the middle of what a worker does. */
type Moment = (lab: HuntLab, publication: string, then: () => Promise<void>) => Promise<void>;

const whileReading = async (place: string, then: () => Promise<void>): Promise<void> => {
  const { proxy } = s3();
  const [read, held] = [new RegExp(`^GET .*${place}`), Promise.withResolvers<void>()];
  proxy.fault(read, { kind: 'wait', until: held.promise });
  await expect.poll(() => proxy.count(read), soon).toBe(1);
  await then();
  held.resolve();
};

const moments: readonly (readonly [string, Moment])[] = [
  [
    'reads the rules',
    async (lab, publication, then) =>
      whileReading((await lab.stores.metadata.publication(publication))?.place ?? expect.fail('it is gone'), then),
  ],
  [
    'reads a sample',
    async (lab, _publication, then) => {
      const text = 'SELECT place FROM blob JOIN sample USING (sha256) ORDER BY id LIMIT 1';
      const [first] = await lab.stores.database.query({ text, row: z.object({ place: z.string() }) });
      await whileReading(first?.place ?? expect.fail('it is gone'), then);
    },
  ],
  [
    'writes what it found',
    (lab, _publication, then) =>
      lab.stores.database.transaction(async (queries) => {
        await queries.execute('SET LOCAL idle_in_transaction_session_timeout = 0; LOCK TABLE hit IN EXCLUSIVE MODE');
        const waiting = `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'hit'::regclass`;
        await expect.poll(() => lab.count(waiting), soon).toBe(1);
        await then();
      }),
  ],
];

test.for(moments)('a hunt is completed by another worker when one is killed while it %s', long, async (given) => {
  const [, moment] = given;
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(3));
  const number = await lab.hunts.begin(publication);
  const killing = Promise.withResolvers<ChildProcess>();
  const over = moment(lab, publication, async () => {
    const killed = await killing.promise;
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
  });
  killing.resolve(await lab.workApart());
  await over;
  expect(await doneOf(lab, number)).toBe(0);
  await lab.workHere();
  await expectAll(lab, number, 3);
});

test('two workers share the pieces of a hunt', long, async () => {
  const lab = await HuntLab.open(postgres, s3(), 2);
  const publication = await lab.publish(rules);
  await lab.add(samples(16));
  const [one, other]: [string[], string[]] = [[], []];
  await Promise.all([lab.workHere(1, undefined, one), lab.workHere(1, undefined, other)]);
  await expect.poll(() => lab.hunts.tracks(), soon).toBe(2);
  const number = await lab.hunts.begin(publication);
  await expectAll(lab, number, 16);
  const pieces = (lines: string[]): number => lines.filter((line) => line.includes('"scanned"')).length;
  expect(pieces(one)).toBeGreaterThan(0);
  expect(pieces(other)).toBeGreaterThan(0);
});

test('a worker that is asked to end leaves the rest of its piece to the next one at once', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(16));
  const number = await lab.hunts.begin(publication);
  const ending = await lab.workHere();
  await expect.poll(() => doneOf(lab, number), soon).toBeGreaterThan(0);
  await ending.close();
  const reached = await doneOf(lab, number);
  expect(reached).toBeLessThan(16);
  expect(await lab.hunts.tracks()).toBe(0);
  expect(await lab.count(`SELECT count(*) FROM lab_queue.job WHERE state = 'created'`)).toBe(1);
  await lab.workHere();
  await expectAll(lab, number, 16);
});

test('a hunt continues by itself when PostgreSQL is restarted in the middle', long, async () => {
  const lab = await HuntLab.open(postgres, s3(), 4);
  const publication = await lab.publish(rules);
  await lab.add(samples(16));
  const number = await lab.hunts.begin(publication);
  const lines: string[] = [];
  await lab.workHere(2, undefined, lines);
  await expect.poll(() => doneOf(lab, number), soon).toBeGreaterThan(0);
  await postgres.kill();
  await expect.poll(() => lines.some((line) => line.includes('StoreUnavailable')), soon).toBe(true);
  await postgres.start();
  expect(await doneOf(lab, number)).toBeLessThan(16);
  await expectAll(lab, number, 16);
});

test('a sample that ended its worker twice is listed, and the rest of its piece is scanned', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  const [bad] = await lab.add(samples(3));
  const number = await lab.hunts.begin(publication);
  const job = await lab.queue.take();
  if (job === null) throw new Error('there is no piece');
  const first = await lab.count('SELECT min(id) AS count FROM sample');
  expect([await lab.hunts.noteTrying(job.piece, first), await lab.hunts.noteTrying(job.piece, first)]).toEqual([1, 2]);
  await lab.queue.fail(job, 'its worker ended');
  await lab.workHere();
  expect(await ended(lab, number)).toMatchObject({ done: 3, hits: 4, failed: 1 });
  expect(await lab.hunts.failures(number)).toEqual([{ sha256: bad, reason: 'It ended its worker 2 times.' }]);
});

test('the samples of a piece that failed too often are listed, and the hunt ends', long, async () => {
  const lab = await HuntLab.open(postgres, s3(), 2);
  const publication = await lab.publish(rules);
  const added = await lab.add(samples(4));
  const number = await lab.hunts.begin(publication);
  const job = await lab.queue.take();
  if (job === null) throw new Error('there is no piece');
  await lab.stores.database.execute(`UPDATE lab_queue.job SET retry_limit = 0 WHERE state = 'active'`);
  await lab.queue.fail(job, 'a defect');
  await lab.workHere();
  expect(await ended(lab, number)).toMatchObject({ done: 4, hits: 4, failed: 2 });
  const reason = 'Its part of the hunt failed too often.';
  expect(await lab.hunts.failures(number)).toEqual(added.slice(0, 2).map((sha256) => ({ sha256, reason })));
});

test('a worker that ends is gone, also when it was about to report that it lives', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const gone = Promise.withResolvers<void>();
  const noted: Promise<void>[] = [];
  class SlowHunts extends Hunts {
    override noteAlive(worker: string, tracks: number, takesRequests: boolean): Promise<void> {
      const done = Promise.race([gone.promise, delay(100)]).then(() => super.noteAlive(worker, tracks, takesRequests));
      noted.push(done);
      return done;
    }

    override async noteGone(worker: string): Promise<void> {
      await super.noteGone(worker);
      gone.resolve();
    }
  }
  const { stores, queue } = lab;
  const workers = new ScanWorkers({
    stores,
    queue,
    hunts: new SlowHunts(stores.database, queue),
    requests: new ScanRequests(stores.database, queue),
    tracks: 1,
    report: (error) => expect.fail(String(error)),
    probeStore: () => stores.probe(),
    kept: () => {},
    answered: () => {},
    paused: () => {},
    resumed: () => {},
  });
  await workers.close(0);
  await Promise.all(noted);
  expect([noted.length, await lab.hunts.tracks()]).toEqual([2, 0]);
});

test('a hunt continues when the store was away while its rules were to be read', long, async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(2));
  const place = (await lab.stores.metadata.publication(publication))?.place ?? expect.fail('it was published');
  const number = await lab.hunts.begin(publication);
  // A piece that fails is given up at once.
  await lab.stores.database.execute('UPDATE lab_queue.job SET retry_limit = 0');
  s3().proxy.fault(new RegExp(`^GET .*${place}`), { kind: 'refuse', status: 503, code: 'ServiceUnavailable' }, 1_000);
  const lines: string[] = [];
  await lab.workHere(1, undefined, lines);
  await expect.poll(() => lines.some((line) => line.includes('StoreUnavailable')), soon).toBe(true);
  s3().proxy.reset();
  await expectAll(lab, number, 2);
});

const requestJob = (request: string): RequestJob => ({ request, claim: { id: request, retryCount: 0 } });

test('a track in the middle of a hunt takes requests until there is none, and then looks less often', async () => {
  const found = [requestJob('1'), requestJob('2'), null, requestJob('3'), requestJob('4')];
  const access = { isLost: false };
  const turns = new RequestTurns({ takeRequest: async () => found.shift() ?? null }, access);
  const taken = [];
  for (let look = 0; look < 4; look += 1) taken.push(await turns.takeBetween());
  expect(taken).toEqual([requestJob('1'), requestJob('2'), null, null]);
  expect(await turns.take()).toEqual(requestJob('3'));
  access.isLost = true;
  expect([await turns.take(), await turns.takeBetween()]).toEqual([null, null]);
});

test('what two workers find in the same piece counts once', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add(samples(2));
  const number = await lab.hunts.begin(publication);
  const job = await lab.queue.take();
  if (job === null) throw new Error('there is no piece');
  const { reached, upto } = (await lab.hunts.open(job.piece)) ?? expect.fail('the piece is not open');
  const [sample = expect.fail('no sample')] = await lab.hunts.samples({ reached, upto });
  const hits = [{ sample: sample.id, rule: 'needle' }];
  const progress = { reached: upto, scanned: 2, hits, failures: [], leftOut: [], isLast: true };
  const outcomes = [
    await lab.hunts.advance(job, reached, progress),
    await lab.hunts.advance(job, reached, progress),
    await lab.hunts.open(job.piece),
  ];
  expect(outcomes).toEqual([true, false, null]);
  expect(await lab.hunts.hunt(number)).toMatchObject({ state: 'done', done: 2, hits: 1 });
});
