import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import type { Answers, MemoryHost } from '../memory-run.fixture.ts';
import { runInMemory } from '../memory-run.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-diagnostics-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const saved = { kind: 'browser', id: 'e1', fileName: 'vitrine-diagnostics-20260101T000000Z.zip' } as const;
const missing = [{ part: 'database', reason: 'data-damaged SQLITE_CORRUPT' }] as const;
const collects: MemoryHost['collects'] = async () => ({
  fileName: saved.fileName,
  missing,
  bytes: async function* bytes() {
    yield Buffer.from('read from the folder');
  },
});
const open: Answers = { 'diagnostics.save': () => ({ saved, missing: [] }) };
const run = (args: string[], host: Partial<MemoryHost> = {}) =>
  runInMemory(['diagnostics', ...args], () => ({
    answers: {},
    exports: { e1: 'made by the program' },
    collects,
    ...host,
  }));

test('a running Vitrine makes the file, and its folder is refused when it is watched', async () => {
  const out = join(folder, 'report.zip');
  const { code, json, asked, closed } = await run([out, '--json'], { isRunning: true, answers: open });
  expect([code, json, asked, closed]).toEqual([
    0,
    [{ file: out, bytes: 19, from: 'program', missing: [] }],
    [{ name: 'diagnostics.save', input: { to: 'command-line', folder: `folder:${folder}` } }],
    1,
  ]);
  expect(await readFile(out, 'utf8')).toBe('made by the program');
  const watched = await run([join(folder, 'other.zip')], {
    isRunning: true,
    answers: { 'diagnostics.save': () => fail({ kind: 'export-into-watched', path: folder }) },
  });
  expect([watched.code, watched.said.length, await readdir(folder)]).toEqual([7, 1, ['report.zip']]);
});

test('the data is read without opening it when no Vitrine runs, and missing parts are named', async () => {
  const { code, lines, said, asked } = await run(['--to', join(folder, 'new')]);
  const [name = ''] = await readdir(join(folder, 'new'));
  expect(name).toMatch(/^vitrine-diagnostics-\d{8}T\d{6}Z\.zip$/);
  expect([code, lines, said, asked]).toEqual([
    0,
    [`${join(folder, 'new', name)}  20 bytes`],
    ['Not included: database (data-damaged SQLITE_CORRUPT)'],
    [],
  ]);
});

test('a running Vitrine that fails does not prevent the file', async () => {
  const { code, json } = await run([join(folder, 'report.zip'), '--json'], {
    isRunning: true,
    answers: { 'diagnostics.save': () => fail({ kind: 'host-gone' }) },
  });
  expect([code, json]).toMatchObject([0, [{ from: 'folder', missing }]]);
});

test('the data is read from the folder when a running Vitrine loses the file it made', async () => {
  const takes: MemoryHost['takes'] = async function* takes() {
    yield Buffer.from('made by');
    fail({ kind: 'export-gone' });
  };
  const { code, json } = await run([join(folder, 'report.zip'), '--json'], { isRunning: true, answers: open, takes });
  expect([code, json]).toMatchObject([0, [{ from: 'folder', bytes: 20 }]]);
  expect(await readdir(folder)).toEqual(['report.zip']);
});

describe('a running Vitrine that stops responding', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** A Vitrine that is stuck in one step, and a promise that resolves once it is. */
  function stuckIn(step: 'the folder' | 'the file' | 'its bytes'): {
    host: Partial<MemoryHost>;
    isStuck: Promise<void>;
  } {
    const stuck = Promise.withResolvers<void>();
    const never = (): Promise<never> => {
      stuck.resolve();
      return new Promise(() => {});
    };
    const steps: Record<typeof step, Partial<MemoryHost>> = {
      'the folder': { namesFolder: never },
      'the file': { answers: { 'diagnostics.save': never } },
      'its bytes': {
        takes: async function* takes() {
          yield await never();
        },
      },
    };
    return { host: { isRunning: true, answers: open, ...steps[step] }, isStuck: stuck.promise };
  }

  test.each(['the folder', 'the file', 'its bytes'] as const)(
    'gets one minute to return %s, and the folder is read instead',
    async (step) => {
      const { host, isStuck } = stuckIn(step);
      const ran = run([join(folder, 'report.zip'), '--json'], host);
      await isStuck;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await ran).toMatchObject({ code: 0, json: [{ from: 'folder' }], closed: 1 });
    },
  );

  test.each(['the folder', 'the file', 'its bytes'] as const)(
    'does not delay Ctrl-C when it is requested for %s',
    async (step) => {
      const interrupt = new AbortController();
      const { host, isStuck } = stuckIn(step);
      const ran = run([join(folder, 'report.zip')], { ...host, interrupt });
      await isStuck;
      interrupt.abort();
      expect((await ran).code).toBe(130);
      expect(vi.getTimerCount()).toBe(0);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

test('diagnostics writes the file to standard output, without the list of missing parts', async () => {
  expect(await run(['-'])).toMatchObject({
    code: 0,
    bytes: 'read from the folder',
    lines: [],
    said: ['Not included: database (data-damaged SQLITE_CORRUPT)'],
  });
});

test('diagnostics keeps an existing file unless it may be replaced', async () => {
  const out = join(folder, 'report.zip');
  await writeFile(out, 'mine');
  expect((await run([out])).code).toBe(7);
  expect(await readFile(out, 'utf8')).toBe('mine');
  expect((await run([out, '--force'])).code).toBe(0);
  expect(await readFile(out, 'utf8')).toBe('read from the folder');
});

test.each([[['a.zip', 'b.zip']], [['a.zip', '--to', 'folder']], [['']]])(
  '%j is wrong usage of diagnostics',
  async (args) => {
    expect((await run(args)).code).toBe(2);
  },
);
