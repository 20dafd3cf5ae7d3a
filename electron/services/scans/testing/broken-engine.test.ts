import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../../../platform/node-platform.ts';
import { programOf } from '../../../rules/scanning/rule-program.ts';
import { openScanSession } from '../../../rules/scanning/scan-session.ts';
import { NativeEngine, scanWorkerProcess, type ScannerProcesses } from '../native-engine.ts';

/** Processes that print and end before they are asked anything. */
function brokenProcesses() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-broken-engine-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'scanner.mjs'), "throw new Error('no library for token=abcdef');");
  const exits: unknown[] = [];
  const processes: ScannerProcesses = {
    platform: { startProcess: () => startProgram(join(folder, 'scanner.mjs')) },
    redact: (text) => text.replaceAll('abcdef', '[removed]'),
    logExit: (exit) => exits.push(exit),
  };
  return { processes, exits };
}

const program = programOf(
  {
    imports: [],
    rules: [{ name: 'a', text: 'rule a { condition: true }', uses: [], isGlobal: false, isPrivate: false }],
  },
  null,
);
const why = 'exit code 1: Error: no library for token=[removed]';
const exit = {
  end: 'exit code 1',
  lastWords: expect.stringContaining('Error: no library for token=[removed]\n    at '),
};

test('a scan fails with the engine’s last output after four failed starts, and a new scan tries again', async () => {
  const { processes, exits } = brokenProcesses();
  const startScanWorker = () => scanWorkerProcess(processes);
  for (const scan of [1, 2]) {
    const opening = openScanSession<string>({
      program,
      engine: 'wasm',
      startScanWorker,
      workers: 1,
      signal: new AbortController().signal,
      leftOut: () => undefined,
    });
    await expect(opening).rejects.toMatchObject({ failure: { kind: 'scan-engine-failed', text: `it ended (${why})` } });
    expect(exits).toEqual(Array.from({ length: 4 * scan }, () => exit));
  }
});

test('the native engine is unavailable, with the last output of its process', async () => {
  const { processes, exits } = brokenProcesses();
  expect(await new NativeEngine(processes).check()).toEqual({ ok: false, text: `Its process ended (${why})` });
  expect(exits).toEqual([exit]);
});
