import { expect, test } from 'vitest';
import type { ProcessEnd } from '../../../shared/domain/process-end.ts';
import type { HostProcess } from '../../platform/platform.ts';
import { NativeEngine } from './native-engine.ts';

/** A process that does something as soon as it is asked, and counts its ends. */
function played(act: (print: (message: unknown) => void, end: (ended: ProcessEnd) => void) => void) {
  const counts = { starts: 0, kills: 0 };
  const startProcess = (): HostProcess => {
    counts.starts += 1;
    let print: (message: unknown) => void = () => undefined;
    let end: (ended: ProcessEnd) => void = () => undefined;
    return {
      post: () => act(print, end),
      onMessage: (listener) => void (print = listener),
      onExit: (listener) => void (end = listener),
      stop: async () => undefined,
      kill: async () => void (counts.kills += 1),
    };
  };
  const exits: unknown[] = [];
  const processes = {
    platform: { startProcess },
    redact: (text: string) => text.replaceAll('a-secret', '[removed]'),
    logExit: (exit: unknown) => void exits.push(exit),
  };
  return { engine: new NativeEngine(processes), counts, exits };
}

test('the probe of the native engine runs once and leaves no process', async () => {
  const { engine, counts } = played((print) => print({ kind: 'checked', failure: null }));
  expect(await Promise.all([engine.check(), engine.check()])).toEqual([{ ok: true }, { ok: true }]);
  expect(counts).toEqual({ starts: 1, kills: 1 });
});

test.each([
  [
    'says why',
    (print: (message: unknown) => void) => print({ kind: 'checked', failure: 'There is no build for this platform' }),
    'There is no build for this platform',
  ],
  [
    'ends',
    (_print: unknown, end: (ended: ProcessEnd) => void) => end({ code: 132, signal: null, lastWords: '' }),
    'Its process ended (exit code 132)',
  ],
  [
    'is killed',
    (_print: unknown, end: (ended: ProcessEnd) => void) => end({ code: null, signal: 'SIGILL', lastWords: '' }),
    'Its process ended (SIGILL)',
  ],
  [
    'says why it ends',
    (_print: unknown, end: (ended: ProcessEnd) => void) =>
      end({ code: 1, signal: null, lastWords: 'no library for a-secret\n' }),
    'Its process ended (exit code 1: no library for [removed])',
  ],
  ['talks nonsense', (print: (message: unknown) => void) => print('hello'), 'Unexpected output from its process'],
])('the native engine is unavailable when its probe %s', async (_what, act, text) => {
  expect(await played(act).engine.check()).toEqual({ ok: false, text });
});

test('the native engine is probed again, and each end is logged, when its process ended before', async () => {
  const { engine, counts, exits } = played((_print, end) =>
    end({ code: 1, signal: null, lastWords: '\u001b[31mno library\n' }),
  );
  for (const starts of [1, 2]) {
    expect(await engine.check()).toEqual({ ok: false, text: 'Its process ended (exit code 1: no library)' });
    expect(counts.starts).toBe(starts);
  }
  expect(exits).toEqual([1, 2].map(() => ({ end: 'exit code 1', lastWords: 'no library' })));
});

test('the native engine is not probed again after it reported why it does not run', async () => {
  const { engine, counts } = played((print) =>
    print({ kind: 'checked', failure: 'There is no build for this platform' }),
  );
  expect(await engine.check()).toEqual(await engine.check());
  expect(counts.starts).toBe(1);
});
