import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { programOf } from './rule-program.ts';
import { openScanSession, type ScanSession } from './scan-session.ts';
import { ScriptedWorker } from './scripted-worker.fixture.ts';
import type { ScanOrder } from './task-queue.ts';
import type { ProcessorUse } from './processor-use.ts';
import type { FromScanWorker } from './worker-reply.ts';

/** What the system reports of the thread of a scan worker that reports one. */
const use = vi.hoisted((): ProcessorUse => ({ ranMs: 0, wantsOne: true }));
vi.mock('./processor-use.ts', () => ({ processorUse: () => use }));

const ruleOf = (name: string, uses: string[] = []) => ({
  name,
  text: `rule ${name} { condition: extension == "x" }`,
  uses,
  isGlobal: false,
  isPrivate: false,
});
const program = programOf({ imports: [], rules: [ruleOf('a')] }, null);
const small = 4096;
const orderOf = (name: string, sizeBytes = small): ScanOrder<string> => ({
  name: `${name}.x`,
  sizeBytes,
  source: name,
});
const manyOrders = (count: number): ScanOrder<string>[] =>
  Array.from({ length: count }, (_, index) => orderOf(`${index}`));

async function opened(startScanWorker: () => ScriptedWorker, workers = 1): Promise<ScanSession<string>> {
  const session = await openScanSession<string>({
    program,
    engine: 'native',
    startScanWorker,
    workers,
    signal: new AbortController().signal,
    leftOut: () => undefined,
  });
  onTestFinished(() => session.close());
  return session;
}

const hitOf = (rule: string, { total, data }: { total: number; data: string }): FromScanWorker => ({
  kind: 'results',
  results: [
    {
      micros: 1,
      isCut: false,
      found: [{ rule, strings: [{ id: '$a', total, isAtLeast: false, matches: [{ offset: 0, length: 1, data }] }] }],
    },
  ],
});

const answering = (worker: ScriptedWorker): void => worker.answerAll();

test('a scan session sends small files together and a large one alone, each with the rules’ variables', async () => {
  const sizes: number[] = [];
  const session = await opened(
    () =>
      new ScriptedWorker((worker) => {
        sizes.push(...worker.given.map((orders) => orders.length));
        expect(worker.given.flat().every(({ variables }) => JSON.stringify(variables) === '[{"extension":".x"}]')).toBe(
          true,
        );
        worker.answerAll();
      }),
  );
  await Promise.all([...manyOrders(400), orderOf('large', 1e9), ...manyOrders(2)].map((order) => session.scan(order)));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(403);
  expect(Math.max(...sizes)).toBe(64);
  expect(sizes.length).toBeLessThan(40);
  expect(sizes).toContain(1);
});

test('a scan session gives a spent scan worker no more files, and replaces it', async () => {
  const workers: ScriptedWorker[] = [];
  const session = await opened(() => {
    const worker = new ScriptedWorker((one) => {
      for (const orders of one.given.splice(0))
        one.print({ kind: 'results', results: orders.map(() => 1000), isSpent: workers.length === 1 });
    });
    workers.push(worker);
    return worker;
  });
  await session.scan(orderOf('a'));
  await session.scan(orderOf('b'));
  expect(workers.map(({ isKilled }) => isKilled)).toEqual([true, false]);
});

test('a scan session fails only the file that its scan worker could not scan, and the worker continues', async () => {
  const session = await opened(
    () =>
      new ScriptedWorker((worker) => {
        for (const orders of worker.given.splice(0))
          worker.print({
            kind: 'results',
            results: orders.map(({ source }) => (source === 'bad' ? { failed: 'why' } : 1000)),
          });
      }),
  );
  expect(await Promise.all(['bad', 'good'].map((name) => session.scan(orderOf(name))))).toMatchObject([
    { kind: 'failed', failure: { kind: 'scan-engine-failed', text: 'why' } },
    { kind: 'scanned', namesLeftOut: 0 },
  ]);
});

test('a scan session gives a scan worker the next files before it needs them, and no others', async () => {
  const worker = new ScriptedWorker();
  const session = await opened(() => worker);
  const scans = Promise.allSettled(manyOrders(300).map((order) => session.scan(order)));
  await setImmediate();
  expect(worker.given).toHaveLength(2);
  worker.answerAll();
  await setImmediate();
  expect(worker.given).toHaveLength(2);
  await session.close();
  expect((await scans).filter(({ status }) => status === 'fulfilled').length).toBeLessThan(100);
});

test('a scan session bounds its queue: a caller waits until there is space', async () => {
  const worker = new ScriptedWorker();
  const session = await opened(() => worker);
  const scans = Promise.allSettled(manyOrders(300).map((order) => session.scan(order)));
  let hasSpace = false;
  const waitForSpace = session.waitForSpace().then(() => (hasSpace = true));
  await setImmediate();
  expect(hasSpace).toBe(false);
  while (!hasSpace) {
    worker.answerAll();
    await setImmediate();
  }
  await waitForSpace;
  await session.close();
  expect((await scans).map(({ status }) => status)).toContain('rejected');
});

test('a scan session with two scan workers gives each of two files to one', async () => {
  const workers = [new ScriptedWorker(), new ScriptedWorker()];
  const left = [...workers];
  const session = await opened(() => left.shift() ?? new ScriptedWorker(), 2);
  await setImmediate();
  const scans = [orderOf('a', 1e6), orderOf('b', 1e6)].map((order) => session.scan(order));
  await setImmediate();
  expect(workers.map(({ given }) => given.flat().length)).toEqual([1, 1]);
  for (const worker of workers) worker.answerAll();
  await Promise.all(scans);
});

test('partial results belong to their file, and unreported files are scanned alone when the worker dies', async () => {
  const givenAgain: number[] = [];
  const first = new ScriptedWorker((worker) => {
    worker.print({ kind: 'results', results: [1000, { reason: 'ENOENT' }] });
    worker.die();
  });
  const left = [first];
  const session = await opened(
    () =>
      left.shift() ??
      new ScriptedWorker((worker) => {
        givenAgain.push(...worker.given.map((orders) => orders.length));
        worker.answerAll();
      }),
  );
  const verdicts = await Promise.all(manyOrders(16).map((order) => session.scan(order)));
  expect(verdicts.map(({ kind }) => kind)).toEqual([
    'scanned',
    'unreadable',
    ...Array.from({ length: 14 }, () => 'scanned'),
  ]);
  expect(first.isKilled).toBe(true);
  expect(givenAgain[0]).toBe(1);
});

test.each([
  ['what nobody understands', (worker: ScriptedWorker) => worker.babble({ kind: 'results', results: ['x'] })],
  ['matches that are none', (worker: ScriptedWorker) => worker.print(hitOf('a', { total: 1, data: 'no hex' }))],
  ['matches that nobody can count', (worker: ScriptedWorker) => worker.print(hitOf('a', { total: 9e15, data: '' }))],
  ['a rule that there is not', (worker: ScriptedWorker) => worker.print(hitOf('b', { total: 1, data: '' }))],
  ['more than it was asked', (worker: ScriptedWorker) => worker.print({ kind: 'results', results: [1, 1, 1] })],
  ['that the engine broke', (worker: ScriptedWorker) => worker.print({ kind: 'broke', text: 'unreachable' })],
])('a scan session kills a scan worker that reports %s, and another one scans the file', async (_what, print) => {
  const bad = new ScriptedWorker(print);
  const left = [bad];
  const session = await opened(() => left.shift() ?? new ScriptedWorker(answering));
  expect(await session.scan(orderOf('a'))).toMatchObject({ kind: 'scanned' });
  expect(bad.isKilled).toBe(true);
});

test('a scan session fails a file that kills every engine, whatever the rules, and scans the others', async () => {
  const session = await opened(
    () =>
      new ScriptedWorker((worker) =>
        worker.given[0]?.some(({ source }) => source === 'bad') === true ? worker.die() : worker.answerAll(),
      ),
  );
  const verdicts = await Promise.all(['good', 'bad', 'fine'].map((name) => session.scan(orderOf(name))));
  expect(verdicts.map((verdict) => (verdict.kind === 'failed' ? verdict.failure : verdict.kind))).toEqual([
    'scanned',
    { kind: 'scan-engine-failed', engine: 'YARA-X (native)', text: 'it ended (exit code 9: no library)' },
    'scanned',
  ]);
});

test('a scan session leaves out a rule that ends every engine, with its users, and scans the files', async () => {
  const leftOut: string[] = [];
  const deadly = programOf(
    { imports: [], rules: [ruleOf('a'), ruleOf('b'), ruleOf('deadly'), ruleOf('c', ['deadly']), ruleOf('d')] },
    null,
  );
  const startScanWorker = (): ScriptedWorker =>
    new ScriptedWorker((worker) => (worker.source.includes('rule deadly ') ? worker.die() : worker.answerAll()));
  const session = await openScanSession<string>({
    program: deadly,
    engine: 'native',
    startScanWorker,
    workers: 2,
    signal: new AbortController().signal,
    leftOut: (rule, reason) => leftOut.push(`${rule} ${reason}`),
  });
  onTestFinished(() => session.close());
  const verdicts = await Promise.all(manyOrders(20).map((order) => session.scan(order)));
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['scanned']));
  expect(leftOut).toEqual(['deadly deadly', 'c deadly']);
});

describe('a file under scan for half a minute', () => {
  /**
   * With one scan worker, which is given the file, and those that follow it. The test controls the time from then on.
   */
  async function given(
    ...following: ScriptedWorker[]
  ): Promise<{ worker: ScriptedWorker; scanning: Promise<unknown> }> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const worker = new ScriptedWorker();
    worker.thread = { process: 1, thread: 1 };
    const left = [worker, ...following];
    const session = await opened(() => left.shift() ?? new ScriptedWorker(answering));
    const scanning = session.scan(orderOf('a'));
    await setImmediate();
    expect(worker.given).toHaveLength(1);
    return { worker, scanning };
  }

  /** So long, of which the scan worker had a processor for a part. */
  function pass(seconds: number, share: number): void {
    const stepMs = 50;
    for (let passedMs = 0; passedMs < seconds * 1000; passedMs += stepMs) {
      use.ranMs += stepMs * share;
      vi.advanceTimersByTime(stepMs);
    }
  }

  test('is not given up when its scan worker had next to no processor time', async () => {
    const { worker, scanning } = await given();
    pass(100, 0.01);
    expect(worker.isKilled).toBe(false);
    worker.answerAll();
    expect(await scanning).toMatchObject({ kind: 'scanned' });
  });

  test.each([
    [31, 1],
    [130, 0],
  ])('is given to another scan worker: %d seconds, with a processor in %d of each', async (seconds, share) => {
    const { worker, scanning } = await given();
    pass(seconds, share);
    expect(worker.isKilled).toBe(true);
    expect(await scanning).toMatchObject({ kind: 'scanned' });
  });

  test('fails after another half minute when no rule is found to blame', async () => {
    const [harmless, rule] = [new ScriptedWorker(answering), new ScriptedWorker(answering)];
    const isGiven = Promise.withResolvers<void>();
    const last = new ScriptedWorker(() => isGiven.resolve());
    const { scanning } = await given(harmless, rule, last);
    pass(31, 1);
    await isGiven.promise;
    pass(31, 1);
    expect([harmless, rule, last].map(({ isKilled }) => isKilled)).toEqual([true, true, true]);
    expect(await scanning).toMatchObject({ kind: 'failed', failure: { kind: 'scan-timed-out' } });
  });
});

describe('a file that kills every engine, when a rule is searched for', () => {
  /** Working scan workers die of the file called bad; the first two of them are followed by the search's. */
  const openedWithSearcher = (searcher: ScriptedWorker): Promise<ScanSession<string>> => {
    const diesOfBad = (worker: ScriptedWorker): void =>
      worker.given.flat().some(({ source }) => source === 'bad') ? worker.die() : worker.answerAll();
    const left = [new ScriptedWorker(diesOfBad), new ScriptedWorker(diesOfBad), searcher];
    return opened(() => left.shift() ?? new ScriptedWorker(diesOfBad));
  };

  test('fails alone when the searching scan worker does not start', async () => {
    const session = await openedWithSearcher(new ScriptedWorker(answering, false));
    expect(await session.scan(orderOf('bad'))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'scan-engine-failed' },
    });
    expect(await session.scan(orderOf('good'))).toMatchObject({ kind: 'scanned' });
  });

  test('brings a defect of the searching scan worker to the caller', async () => {
    const session = await openedWithSearcher(
      new ScriptedWorker((worker) => worker.print({ kind: 'defect', text: 'TypeError: x' })),
    );
    await expect(session.scan(orderOf('bad'))).rejects.toThrow('TypeError: x');
  });
});

test('a scan session reports a defect to every waiting caller', async () => {
  const session = await opened(
    () => new ScriptedWorker((worker) => worker.print({ kind: 'defect', text: 'TypeError: x' })),
  );
  await expect(session.scan(orderOf('a'))).rejects.toThrow('TypeError: x');
  await expect(session.waitForSpace()).rejects.toThrow('TypeError: x');
});

test('a scan session gives up after four scan workers that never start, with growing pauses between them', async () => {
  const starts: number[] = [];
  const startScanWorker = (): ScriptedWorker => {
    starts.push(performance.now());
    return new ScriptedWorker(answering, false);
  };
  await expect(opened(startScanWorker)).rejects.toMatchObject({
    failure: { kind: 'native-engine-refused', text: 'it ended (exit code 9: no library)' },
  });
  const pauses = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(pauses).toHaveLength(3);
  // A timer may be a millisecond early.
  for (const [index, least] of [250, 500, 1000].entries()) expect(pauses[index]).toBeGreaterThan(least - 2);
});

test('a scan session closed while it waits to start another scan worker starts none', async () => {
  let started = 0;
  const controller = new AbortController();
  const opening = openScanSession<string>({
    program,
    engine: 'native',
    workers: 1,
    signal: controller.signal,
    leftOut: () => undefined,
    startScanWorker: () => {
      started += 1;
      return new ScriptedWorker(answering, false);
    },
  });
  await vi.waitFor(() => expect(started).toBe(1));
  controller.abort();
  await expect(opening).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect(started).toBe(1);
});

test('a scan session gives up after a few scan workers that die idle', async () => {
  const workers: ScriptedWorker[] = [];
  const session = await opened(() => {
    const worker = new ScriptedWorker(answering);
    workers.push(worker);
    return worker;
  });
  for (let death = 0; death < 5; death += 1) {
    workers.at(-1)?.die();
    // The rules reach the next one in two parts.
    for (let part = 0; part < 3; part += 1) await setImmediate();
  }
  await expect(session.scan(orderOf('a'))).rejects.toMatchObject({ failure: { kind: 'scan-engine-failed' } });
});

test('a scan session cancelled before it began starts no scan worker', async () => {
  const signal = AbortSignal.abort();
  const startScanWorker = (): ScriptedWorker => {
    throw new Error('not expected');
  };
  await expect(
    openScanSession({ program, engine: 'native', startScanWorker, workers: 2, signal, leftOut: () => undefined }),
  ).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});
