import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FromLane } from './lane-reply.ts';
import type { ProcessorUse } from './processor-use.ts';
import { programOf } from './rule-program.ts';
import { openScanSession, type ScanOrder, type ScanSession } from './scan-session.ts';
import { ScriptedLane } from './scripted-lane.fixture.ts';

/** What the system tells of the thread of a lane that says it has one. */
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

async function opened(startLane: () => ScriptedLane, lanes = 1): Promise<ScanSession<string>> {
  const session = await openScanSession<string>({
    program,
    engine: 'native',
    startLane,
    lanes,
    signal: new AbortController().signal,
    leftOut: () => undefined,
  });
  onTestFinished(() => session.close());
  return session;
}

const hitOf = (rule: string, { total, data }: { total: number; data: string }): FromLane => ({
  kind: 'results',
  results: [
    {
      micros: 1,
      isCut: false,
      found: [{ rule, strings: [{ id: '$a', total, isAtLeast: false, matches: [{ offset: 0, length: 1, data }] }] }],
    },
  ],
});

const answering = (lane: ScriptedLane): void => lane.answerAll();

test('small files go together, a large one by itself, and the rules’ variables with each', async () => {
  const sizes: number[] = [];
  const session = await opened(
    () =>
      new ScriptedLane((lane) => {
        sizes.push(...lane.given.map((orders) => orders.length));
        expect(lane.given.flat().every(({ variables }) => JSON.stringify(variables) === '[{"extension":".x"}]')).toBe(
          true,
        );
        lane.answerAll();
      }),
  );
  await Promise.all([...manyOrders(400), orderOf('large', 1e9), ...manyOrders(2)].map((order) => session.scan(order)));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(403);
  expect(Math.max(...sizes)).toBe(64);
  expect(sizes.length).toBeLessThan(40);
  expect(sizes).toContain(1);
});

test('a lane that says it is spent is given nothing more, and another one takes its place', async () => {
  const lanes: ScriptedLane[] = [];
  const session = await opened(() => {
    const lane = new ScriptedLane((one) => {
      for (const orders of one.given.splice(0))
        one.say({ kind: 'results', results: orders.map(() => 1000), isSpent: lanes.length === 1 });
    });
    lanes.push(lane);
    return lane;
  });
  await session.scan(orderOf('a'));
  await session.scan(orderOf('b'));
  expect(lanes.map(({ isKilled }) => isKilled)).toEqual([true, false]);
});

test('a file that its lane could not scan fails by itself, and the lane goes on', async () => {
  const session = await opened(
    () =>
      new ScriptedLane((lane) => {
        for (const orders of lane.given.splice(0))
          lane.say({
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

test('a lane has the next files before it needs them, and no others', async () => {
  const lane = new ScriptedLane();
  const session = await opened(() => lane);
  const scans = Promise.allSettled(manyOrders(300).map((order) => session.scan(order)));
  await setImmediate();
  expect(lane.given).toHaveLength(2);
  lane.answerAll();
  await setImmediate();
  expect(lane.given).toHaveLength(2);
  await session.close();
  expect((await scans).filter(({ status }) => status === 'fulfilled').length).toBeLessThan(100);
});

test('what waits is bounded: who asks for room waits until there is some', async () => {
  const lane = new ScriptedLane();
  const session = await opened(() => lane);
  const scans = Promise.allSettled(manyOrders(300).map((order) => session.scan(order)));
  let hasRoom = false;
  const room = session.room().then(() => (hasRoom = true));
  await setImmediate();
  expect(hasRoom).toBe(false);
  while (!hasRoom) {
    lane.answerAll();
    await setImmediate();
  }
  await room;
  await session.close();
  expect((await scans).map(({ status }) => status)).toContain('rejected');
});

test('with two lanes, two files are with one each', async () => {
  const lanes = [new ScriptedLane(), new ScriptedLane()];
  const left = [...lanes];
  const session = await opened(() => left.shift() ?? new ScriptedLane(), 2);
  await setImmediate();
  const scans = [orderOf('a', 1e6), orderOf('b', 1e6)].map((order) => session.scan(order));
  await setImmediate();
  expect(lanes.map(({ given }) => given.flat().length)).toEqual([1, 1]);
  for (const lane of lanes) lane.answerAll();
  await Promise.all(scans);
});

test('partial results belong to their file, and unreported files are scanned alone when the worker dies', async () => {
  const givenAgain: number[] = [];
  const first = new ScriptedLane((lane) => {
    lane.say({ kind: 'results', results: [1000, { reason: 'ENOENT' }] });
    lane.die();
  });
  const left = [first];
  const session = await opened(
    () =>
      left.shift() ??
      new ScriptedLane((lane) => {
        givenAgain.push(...lane.given.map((orders) => orders.length));
        lane.answerAll();
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
  ['what nobody understands', (lane: ScriptedLane) => lane.babble({ kind: 'results', results: ['x'] })],
  ['matches that are none', (lane: ScriptedLane) => lane.say(hitOf('a', { total: 1, data: 'no hex' }))],
  ['matches that nobody can count', (lane: ScriptedLane) => lane.say(hitOf('a', { total: 9e15, data: '' }))],
  ['a rule that there is not', (lane: ScriptedLane) => lane.say(hitOf('b', { total: 1, data: '' }))],
  ['more than it was asked', (lane: ScriptedLane) => lane.say({ kind: 'results', results: [1, 1, 1] })],
  ['that the engine broke', (lane: ScriptedLane) => lane.say({ kind: 'broke', text: 'unreachable' })],
])('a lane that says %s is killed, and another one scans the file', async (_what, say) => {
  const bad = new ScriptedLane(say);
  const left = [bad];
  const session = await opened(() => left.shift() ?? new ScriptedLane(answering));
  expect(await session.scan(orderOf('a'))).toMatchObject({ kind: 'scanned' });
  expect(bad.isKilled).toBe(true);
});

test('a file of which every engine dies, whatever the rules are, has failed, and the others are scanned', async () => {
  const session = await opened(
    () =>
      new ScriptedLane((lane) =>
        lane.given[0]?.some(({ source }) => source === 'bad') === true ? lane.die() : lane.answerAll(),
      ),
  );
  const verdicts = await Promise.all(['good', 'bad', 'fine'].map((name) => session.scan(orderOf(name))));
  expect(verdicts.map((verdict) => (verdict.kind === 'failed' ? verdict.failure : verdict.kind))).toEqual([
    'scanned',
    { kind: 'scan-engine-failed', engine: 'YARA-X (native)', text: 'it ended (exit code 9: no library)' },
    'scanned',
  ]);
});

test('a rule that ends every engine is left out, with what uses it, and the files are scanned without it', async () => {
  const leftOut: string[] = [];
  const deadly = programOf(
    { imports: [], rules: [ruleOf('a'), ruleOf('b'), ruleOf('deadly'), ruleOf('c', ['deadly']), ruleOf('d')] },
    null,
  );
  const startLane = (): ScriptedLane =>
    new ScriptedLane((lane) => (lane.source.includes('rule deadly ') ? lane.die() : lane.answerAll()));
  const session = await openScanSession<string>({
    program: deadly,
    engine: 'native',
    startLane,
    lanes: 2,
    signal: new AbortController().signal,
    leftOut: (rule, reason) => leftOut.push(`${rule} ${reason}`),
  });
  onTestFinished(() => session.close());
  const verdicts = await Promise.all(manyOrders(20).map((order) => session.scan(order)));
  expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['scanned']));
  expect(leftOut).toEqual(['deadly deadly', 'c deadly']);
});

describe('a file for which half a minute passes', () => {
  /** With one lane, which is given the file, and those that follow it. What time is is the test's from then on. */
  async function given(...following: ScriptedLane[]): Promise<{ lane: ScriptedLane; scanning: Promise<unknown> }> {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const lane = new ScriptedLane();
    lane.thread = { process: 1, thread: 1 };
    const left = [lane, ...following];
    const session = await opened(() => left.shift() ?? new ScriptedLane(answering));
    const scanning = session.scan(orderOf('a'));
    await setImmediate();
    expect(lane.given).toHaveLength(1);
    return { lane, scanning };
  }

  /** So long, of which the lane had a processor for a part. */
  function pass(seconds: number, share: number): void {
    const stepMs = 50;
    for (let passedMs = 0; passedMs < seconds * 1000; passedMs += stepMs) {
      use.ranMs += stepMs * share;
      vi.advanceTimersByTime(stepMs);
    }
  }

  test('is not given up when its lane had next to nothing of a processor', async () => {
    const { lane, scanning } = await given();
    pass(100, 0.01);
    expect(lane.isKilled).toBe(false);
    lane.answerAll();
    expect(await scanning).toMatchObject({ kind: 'scanned' });
  });

  test.each([
    [31, 1],
    [130, 0],
  ])('is given to another lane: %d seconds, with a processor in %d of each', async (seconds, share) => {
    const { lane, scanning } = await given();
    pass(seconds, share);
    expect(lane.isKilled).toBe(true);
    expect(await scanning).toMatchObject({ kind: 'scanned' });
  });

  test('and half a minute again, when no rule was found that is to blame, has failed', async () => {
    const [harmless, rule] = [new ScriptedLane(answering), new ScriptedLane(answering)];
    const isGiven = Promise.withResolvers<void>();
    const last = new ScriptedLane(() => isGiven.resolve());
    const { scanning } = await given(harmless, rule, last);
    pass(31, 1);
    await isGiven.promise;
    pass(31, 1);
    expect([harmless, rule, last].map(({ isKilled }) => isKilled)).toEqual([true, true, true]);
    expect(await scanning).toMatchObject({ kind: 'failed', failure: { kind: 'scan-timed-out' } });
  });
});

describe('a file of which every engine dies, while a rule is looked for', () => {
  /** Working lanes die of the file called bad; the first two of them are followed by the search's. */
  const openedWithSearcher = (searcher: ScriptedLane): Promise<ScanSession<string>> => {
    const diesOfBad = (lane: ScriptedLane): void =>
      lane.given.flat().some(({ source }) => source === 'bad') ? lane.die() : lane.answerAll();
    const left = [new ScriptedLane(diesOfBad), new ScriptedLane(diesOfBad), searcher];
    return opened(() => left.shift() ?? new ScriptedLane(diesOfBad));
  };

  test('has failed, it alone, when the lane that searches does not start', async () => {
    const session = await openedWithSearcher(new ScriptedLane(answering, false));
    expect(await session.scan(orderOf('bad'))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'scan-engine-failed' },
    });
    expect(await session.scan(orderOf('good'))).toMatchObject({ kind: 'scanned' });
  });

  test('a defect of the lane that searches is told as any other', async () => {
    const session = await openedWithSearcher(
      new ScriptedLane((lane) => lane.say({ kind: 'defect', text: 'TypeError: x' })),
    );
    await expect(session.scan(orderOf('bad'))).rejects.toThrow('TypeError: x');
  });
});

test('a defect is told to everyone who waits', async () => {
  const session = await opened(() => new ScriptedLane((lane) => lane.say({ kind: 'defect', text: 'TypeError: x' })));
  await expect(session.scan(orderOf('a'))).rejects.toThrow('TypeError: x');
  await expect(session.room()).rejects.toThrow('TypeError: x');
});

test('lanes that never start are given up after four, with growing pauses between them', async () => {
  const starts: number[] = [];
  const startLane = (): ScriptedLane => {
    starts.push(performance.now());
    return new ScriptedLane(answering, false);
  };
  await expect(opened(startLane)).rejects.toMatchObject({
    failure: { kind: 'native-engine-refused', text: 'it ended (exit code 9: no library)' },
  });
  const pauses = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  expect(pauses).toHaveLength(3);
  // A timer may be a millisecond early.
  for (const [index, least] of [250, 500, 1000].entries()) expect(pauses[index]).toBeGreaterThan(least - 2);
});

test('a session that is closed while it waits to start another lane starts none', async () => {
  let started = 0;
  const controller = new AbortController();
  const opening = openScanSession<string>({
    program,
    engine: 'native',
    lanes: 1,
    signal: controller.signal,
    leftOut: () => undefined,
    startLane: () => {
      started += 1;
      return new ScriptedLane(answering, false);
    },
  });
  await vi.waitFor(() => expect(started).toBe(1));
  controller.abort();
  await expect(opening).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  expect(started).toBe(1);
});

test('lanes that die with nothing to do are given up after a few', async () => {
  const lanes: ScriptedLane[] = [];
  const session = await opened(() => {
    const lane = new ScriptedLane(answering);
    lanes.push(lane);
    return lane;
  });
  for (let death = 0; death < 5; death += 1) {
    lanes.at(-1)?.die();
    // The rules reach the next one in two parts.
    for (let part = 0; part < 3; part += 1) await setImmediate();
  }
  await expect(session.scan(orderOf('a'))).rejects.toMatchObject({ failure: { kind: 'scan-engine-failed' } });
});

test('what was cancelled before it began never starts a lane', async () => {
  const signal = AbortSignal.abort();
  const startLane = (): ScriptedLane => {
    throw new Error('not expected');
  };
  await expect(
    openScanSession({ program, engine: 'native', startLane, lanes: 2, signal, leftOut: () => undefined }),
  ).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});
