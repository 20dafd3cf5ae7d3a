import { expect, onTestFinished, test } from 'vitest';
import { yaraXModule } from '../engine/yara-x.ts';
import { GateThread } from './gate-threads.ts';

const nothing = await WebAssembly.compile(Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00));
const patience = { pieceMs: 60_000, allMs: 60_000 };

function started(): GateThread {
  const thread = new GateThread(60_000);
  onTestFinished(() => thread.close());
  return thread;
}

const begin = (thread: GateThread, module: WebAssembly.Module) =>
  thread.begin({ module, modules: ['pe', 'nosuch'], variables: [] });

test('the gate thread fails now and for every task when its engine does not load', async () => {
  const thread = started();
  const failure = { failure: { kind: 'worker-ended', task: 'compiling rules' } };
  await expect(begin(thread, nothing)).rejects.toMatchObject(failure);
  await expect(thread.run({ pieces: [], how: 'together' }, patience)).rejects.toMatchObject(failure);
});

test('the gate thread finds the same with pieces together and alone', async () => {
  const thread = started();
  expect(await begin(thread, await yaraXModule())).toMatchObject([{ name: 'nosuch' }]);
  const pieces = [
    'import "pe"',
    'rule a { condition: pe.is_pe }',
    'rule b {\n condition: $x }',
    'rule c { condition: b }',
    'rule d { condition: ( }',
    'rule e { condition: a }',
  ];
  const together = await thread.run({ pieces, how: 'together' }, patience);
  const alone = await thread.run({ pieces, how: 'alone' }, patience);
  const found = (end: typeof alone) =>
    end.kind === 'compiled'
      ? end.findings.map(({ piece, line, code }) => [piece, line, code]).toSorted(([a], [b]) => Number(a) - Number(b))
      : end.kind;
  expect(found(alone)).toEqual([
    [2, 2, 'E025'],
    [3, 1, 'E009'],
    [4, 1, 'E001'],
  ]);
  expect(found(together)).toEqual(found(alone));
});

test('the gate thread is cancelled when closed before it begins', async () => {
  const thread = started();
  await thread.close();
  await expect(begin(thread, nothing)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});

test('the gate thread is cancelled when closed while it compiles', async () => {
  const thread = started();
  await begin(thread, await yaraXModule());
  const going = thread.run({ pieces: ['rule a { condition: true }'], how: 'together' }, patience);
  await Promise.all([thread.close(), expect(going).rejects.toMatchObject({ failure: { kind: 'cancelled' } })]);
});
