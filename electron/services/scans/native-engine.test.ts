import { expect, test } from 'vitest';
import type { HostProcess } from '../../platform/platform.ts';
import { NativeEngine } from './native-engine.ts';

/** A process that does something as soon as it is asked, and counts its ends. */
function played(act: (say: (message: unknown) => void, end: (code: number | null) => void) => void) {
  const counts = { starts: 0, kills: 0 };
  const startProcess = (): HostProcess => {
    counts.starts += 1;
    let say: (message: unknown) => void = () => undefined;
    let end: (code: number | null) => void = () => undefined;
    return {
      post: () => act(say, end),
      onMessage: (listener) => void (say = listener),
      onExit: (listener) => void (end = listener),
      stop: async () => undefined,
      kill: async () => void (counts.kills += 1),
    };
  };
  return { engine: new NativeEngine({ startProcess }), counts };
}

test('it is asked once, and its process does not stay', async () => {
  const { engine, counts } = played((say) => say({ kind: 'checked', failure: null }));
  expect(await Promise.all([engine.check(), engine.check()])).toEqual([{ ok: true }, { ok: true }]);
  expect(counts).toEqual({ starts: 1, kills: 1 });
});

test.each([
  ['says why', (say: (message: unknown) => void) => say({ kind: 'checked', failure: 'There is none for this machine' }), 'There is none for this machine'],
  ['ends', (_say: unknown, end: (code: number | null) => void) => end(132), 'Its process ended (exit 132)'],
  ['is killed', (_say: unknown, end: (code: number | null) => void) => end(null), 'Its process ended (killed)'],
  ['talks nonsense', (say: (message: unknown) => void) => say('hello'), 'Its process said what nobody understands'],
])('one that %s is not there', async (_what, act, text) => {
  expect(await played(act).engine.check()).toEqual({ ok: false, text });
});
