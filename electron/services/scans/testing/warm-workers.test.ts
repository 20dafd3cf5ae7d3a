import { expect, onTestFinished, test } from 'vitest';
import type { ScanWorker } from '../../../rules/scanning/worker-messages.ts';
import { type ScannerProcesses, scanWorkerProcess } from '../native-engine.ts';
import { ReadyWorkers } from '../ready-workers.ts';
import { openedSession, type OpenedSession, ordersFor, processes, scanAll } from './scan-session.ts';

interface Pool {
  workers: ReadyWorkers;
  started: ScanWorker[];
  /** Which of those that were started are gone by now, in the order in which they went. */
  gone: ScanWorker[];
  session(rules: string, workers?: number): Promise<OpenedSession>;
}

function openPool({ warmMs }: { warmMs?: number } = {}): Pool {
  const started: ScanWorker[] = [];
  const gone: ScanWorker[] = [];
  const start = (): ScanWorker => {
    const platform: ScannerProcesses['platform'] = {
      startProcess: (entry) => {
        const scanner = processes.platform.startProcess(entry);
        scanner.onExit(() => gone.push(worker));
        return scanner;
      },
    };
    const worker: ScanWorker = scanWorkerProcess({ ...processes, platform });
    started.push(worker);
    return worker;
  };
  const workers = new ReadyWorkers({ start, most: 2, ...(warmMs !== undefined && { warmMs }) });
  onTestFinished(() => workers.close());
  return {
    workers,
    started,
    gone,
    session: (rules, count = 1) => openedSession(rules, { workers: count, warm: workers }),
  };
}

const rules = 'rule a { strings: $a = "a" condition: $a }\nrule named { condition: filename == "2" }\n';
const endless =
  'rule endless { strings: $a = "never" condition: $a and for all i in (0..9223372036854775806) : (i >= 0) }\n';

test('a second scan with the same rules uses the first one’s process, which compiles nothing', async () => {
  const { session, started, gone } = openPool();
  const compiled: boolean[] = [];
  for (const files of [
    { 1: 'a', 2: 'b', 3: 'c' },
    { 1: 'b', 2: 'b', 4: 'a' },
  ]) {
    const { session: opened, didCompile } = await session(rules);
    const said = await scanAll(opened, ordersFor(files));
    expect(said).toEqual(
      Object.entries(files).map(([name, bytes]) =>
        [...(bytes === 'a' ? ['a'] : []), ...(name === '2' ? ['named'] : [])].join(' '),
      ),
    );
    await opened.close();
    compiled.push(didCompile());
  }
  expect([started.length, gone.length, compiled]).toEqual([1, 0, [true, false]]);
});

test('a scan with other rules has its own processes, and the oldest kept ones end', async () => {
  const { session, started, gone } = openPool();
  for (const text of ['a', 'b', 'a']) {
    const { session: opened } = await session(`rule one { strings: $a = "${text}" condition: $a }`, 2);
    expect(await scanAll(opened, ordersFor({ 1: 'a', 2: 'b' }))).toEqual(text === 'a' ? ['one', ''] : ['', 'one']);
    await opened.close();
  }
  expect(started).toHaveLength(6);
  await expect.poll(() => gone.length).toBe(4);
});

test('a process still compiling when its scan is over is kept for the next', async () => {
  const { session, started, gone } = openPool();
  const first = await session(rules, 2);
  await first.session.close();
  const second = await session(rules, 2);
  expect(await scanAll(second.session, ordersFor({ 1: 'a', 2: 'a' }))).toEqual(['a', 'a named']);
  await second.session.close();
  expect([started.length, gone.length]).toEqual([2, 0]);
});

test('a process is not reused when its scan is cancelled midway', async () => {
  const { session, started, gone } = openPool();
  const first = await session(endless);
  const scanning = scanAll(first.session, ordersFor({ 1: 'never' }));
  first.abort();
  await expect(scanning).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
  await first.session.close();
  expect(gone).toHaveLength(1);
  const second = await session(endless);
  expect(await scanAll(second.session, ordersFor({ 1: 'always' }))).toEqual(['']);
  expect(started).toHaveLength(2);
});

test('a process that dies while idle is followed by another, and no hit is lost', async () => {
  const { session, started, gone } = openPool();
  const first = await session(rules);
  await first.session.close();
  await started[0]?.kill();
  await expect.poll(() => gone.length).toBe(1);
  const second = await session(rules);
  expect(await scanAll(second.session, ordersFor({ 1: 'a' }))).toEqual(['a']);
});

test('two scans at once with the same rules share no process, and both find every hit', async () => {
  const { session, started, gone } = openPool();
  const opened = await Promise.all([session(rules, 2), session(rules, 2)]);
  const orders = ordersFor(
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`n${index}`, index % 2 === 0 ? 'a' : 'b'])),
  );
  const said = await Promise.all(opened.map(({ session: one }) => scanAll(one, orders)));
  expect(new Set(said.map((one) => one.join()))).toEqual(
    new Set([orders.map((_, index) => (index % 2 === 0 ? 'a' : '')).join()]),
  );
  await Promise.all(opened.map(({ session: one }) => one.close()));
  await expect.poll(() => started.length - gone.length).toBe(2);
});

test('processes unused for a while end, and the next scan has others', async () => {
  const { session, started, gone } = openPool({ warmMs: 1 });
  const first = await session(rules);
  await first.session.close();
  await expect.poll(() => gone.length).toBe(1);
  const second = await session(rules);
  expect(await scanAll(second.session, ordersFor({ 1: 'a' }))).toEqual(['a']);
  expect(started).toHaveLength(2);
});

test('no process remains after the program ends, whatever it does', async () => {
  const { workers, session, started, gone } = openPool();
  const idle = await session(rules);
  await idle.session.close();
  const compiling = await session('rule b { condition: true }', 2);
  await compiling.session.close();
  await workers.close();
  expect(gone.length).toBe(started.length);
});
