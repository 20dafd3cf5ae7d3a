import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasInspectFuse, refusalMessage, refusedStart, refusedSwitches } from './refused-switches.ts';

const packaged = { env: {}, isPackaged: true, isDebuggable: () => false };
const refused = (...args: string[]): string | null => refusedStart({ ...packaged, args: ['vitrine', ...args] });

test.each(refusedSwitches)('the packaged program refuses --%s', (name) => {
  expect([refused('--ozone-platform=x11', `--${name}`), refused(`--${name}=1`), refused(`--${name}`, '1')]).toEqual(
    Array.from({ length: 3 }, () => `--${name}`),
  );
});

test.each([
  'zygote-cmd-prefix',
  'wait-for-debugger',
  'wait-for-debugger-children',
  'log-net-log',
  'use-fake-ui-for-media-stream',
  'use-fake-device-for-media-stream',
  'enable-gpu-benchmarking',
  'use-mock-cert-verifier-for-testing',
  'enable-features',
])('--%s is among the refused switches', (name) => {
  expect(refusedSwitches).toContain(name);
});

test.each([
  ['-inspect'],
  ['/inspect=0'],
  ['--Inspect'],
  [' --inspect '],
  ['--data', '--inspect'],
  ['--data', '/lab', '--inspect'],
])('Chromium reads %j as a switch, and the refusal does too', (...args) => {
  expect(refused(...args)).toBe('--inspect');
});

test.each([
  ['--ozone-platform=x11'],
  ['--force-device-scale-factor=2'],
  ['--proxy-server=proxy:3128'],
  ['--data', '/home/ana/inspect'],
  ['--data=/lab/--inspect'],
  ['--', '--inspect'],
  ['--', `vitrine:${'0'.repeat(32)}`],
  [],
])('the packaged program starts with %j', (...args) => {
  expect(refused(...args)).toBeNull();
});

test('a variable that disables the sandbox is refused like the switch', () => {
  expect(refusedStart({ ...packaged, args: ['vitrine'], env: { ELECTRON_DISABLE_SANDBOX: '1' } })).toBe(
    'ELECTRON_DISABLE_SANDBOX',
  );
});

test('a program run from source, or built for tests, refuses nothing', () => {
  const args = ['vitrine', '--remote-debugging-port=0', '--inspect'];
  expect(refusedStart({ ...packaged, args, isPackaged: false })).toBeNull();
  expect(refusedStart({ ...packaged, args, isDebuggable: () => true })).toBeNull();
});

test('an ordinary start does not read the binary', () => {
  const isDebuggable = vi.fn<() => boolean>();
  refusedStart({ ...packaged, isDebuggable, args: ['vitrine', '--data', '/lab'] });
  expect(isDebuggable).not.toHaveBeenCalled();
});

test('the message names the refused switch and the remedy', () => {
  expect(refusalMessage('--js-flags')).toEqual({
    what: 'Vitrine does not start with --js-flags',
    then: 'This switch lets other programs control Vitrine or disables a protection. Start Vitrine without it.',
  });
  expect(refusalMessage('ELECTRON_DISABLE_SANDBOX').then).toMatch(
    /^This variable .* Remove it from the environment\.$/,
  );
});

const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-fuses-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function binary(before: number, fuses: string): string {
  const path = join(folder, 'vitrine');
  writeFileSync(path, Buffer.concat([Buffer.alloc(before), Buffer.from(fuses, 'latin1'), Buffer.alloc(100)]));
  return path;
}

const edge = 4 * 1024 ** 2;

test.each([
  ['on', 10, `${sentinel}\u0001\u000800010000`, true],
  ['off, others on', 10, `${sentinel}\u0001\u000811101111`, false],
  ['removed', 10, `${sentinel}\u0001\u0008000r0000`, false],
  ['on, and the chunk that is read ends within the sentinel', edge - 20, `${sentinel}\u0001\u000800010000`, true],
  ['on, and the chunk that is read ends before the fuse', edge - 36, `${sentinel}\u0001\u000800010000`, true],
  ['of another version', 10, `${sentinel}\u0002\u000800010000`, false],
  ['not there', 10, '', false],
  ['cut off', edge * 2, sentinel.slice(0, 20), false],
])('the fuse check reads a binary whose inspect fuse is %s', (_how, before, fuses, isOn) => {
  expect(hasInspectFuse(binary(before, fuses), 'linux')).toBe(isOn);
});

test('an unreadable binary counts as one for users', () => {
  expect(hasInspectFuse(join(folder, 'missing'), 'linux')).toBe(false);
  expect(hasInspectFuse(join(folder, 'Contents', 'MacOS', 'Vitrine'), 'darwin')).toBe(false);
});
