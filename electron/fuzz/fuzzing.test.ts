import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fuzz, type FuzzOutcome } from './fuzzing.ts';
import { plantedTarget } from './planted.fixture.ts';

/** Each is a process, which starts late where many do. */
const timeout = 240_000;
const mostMiB = 250;

const attacker = fileURLToPath(new URL('planted-attacker.fixture.ts', import.meta.url));

function fuzzed(name: string): Promise<FuzzOutcome> {
  return fuzz({
    target: plantedTarget(name),
    corpus: [{ why: 'sound', input: 'abc' }],
    attacker,
    seconds: name === 'holds' ? 0.2 : 30,
    seed: 1,
    mostMiB,
    hangSeconds: name === 'hangs' ? 1 : 60,
  });
}

test.concurrent(
  'a reader that throws is found by its smallest failing input, whatever the error message',
  { timeout },
  async () => {
    expect((await fuzzed('throws')).found).toEqual({ why: 'NotHeld: a quote\u2028', input: '"', isKept: false });
  },
);

test.concurrent.each([
  ['hangs', /^hung for 1 s$/],
  ['ends', /^ended its process: 7$/],
  ['takes-memory', /^took \d+ MiB$/],
])('a reader that %s is found, together with the input', { timeout }, async (name, why) => {
  const { found, tried } = await fuzzed(name);
  expect(found).toMatchObject({
    why: expect.stringMatching(why) as string,
    input: expect.stringContaining('"') as string,
    isKept: false,
  });
  expect(tried).toBeGreaterThan(1);
});

test.concurrent(
  'a robust reader is attacked until the time is up, whatever memory the parent process uses',
  { timeout },
  async () => {
    const held = Buffer.alloc((mostMiB + 50) * 1024 * 1024, 1);
    const { found, tried } = await fuzzed('holds');
    expect(held).toHaveLength((mostMiB + 50) * 1024 * 1024);
    expect(found).toBeNull();
    expect(tried).toBeGreaterThan(50);
  },
);
