import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopPrograms } from '../program.ts';
import { changes } from './changes.ts';
import { type CrashedChange, crashChange } from './crash-change.ts';
import { compareDocument, writeDocument } from './document.ts';
import type { DurableChange } from './durable-change.ts';
import { faultOfReadOnly } from './read-only-disk.ts';
import { missingHere } from './requirements.ts';
import { unmountAll } from './small-disk.ts';
import { killTraced } from './traced-program.ts';

/**
 * `npm run crashes -- [--only NAME] [--write]`: exits with 0 when every crash is survived and the document matches, 1
 * when not, 2 for wrong arguments.
 */
interface Wanted {
  chosen: readonly DurableChange[];
  writes: boolean;
}

function wanted(): Wanted {
  const {
    values: { only, write: writes },
  } = parseArgs({ options: { only: { type: 'string' }, write: { type: 'boolean', default: false } } });
  const chosen = changes.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0)
    throw new RangeError(`There is no change "${only}". There are: ${changes.map(({ name }) => name).join(', ')}.`);
  return { chosen, writes };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function report({ name, points, faults, seconds }: CrashedChange): void {
  print(
    `${name.padEnd(20)} ${String(points).padStart(6)} ${String(faults.length).padStart(6)} ` +
      seconds.toFixed(0).padStart(8),
  );
  for (const fault of faults) process.stderr.write(`${name}: ${fault}\n`);
}

async function main(scratch: string, signal: AbortSignal): Promise<number> {
  const { chosen, writes } = wanted();
  const missing = await missingHere();
  if (missing !== null) throw new Error(missing);
  print(`${'change'.padEnd(20)} ${'points'.padStart(6)} ${'faults'.padStart(6)} ${'seconds'.padStart(8)}`);
  const crashed: CrashedChange[] = [];
  const readOnly = await faultOfReadOnly(join(scratch, 'read-only'));
  if (readOnly !== null) process.stderr.write(`read-only: ${readOnly}\n`);
  for (const change of chosen) {
    const one = await crashChange(change, join(scratch, change.name), signal);
    signal.throwIfAborted();
    report(one);
    crashed.push(one);
  }
  if (writes)
    await writeDocument(
      crashed,
      changes.map(({ name }) => name),
    );
  const differs = await compareDocument(crashed);
  if (differs !== null) process.stderr.write(`${differs}\n`);
  return crashed.some(({ faults }) => faults.length > 0) || differs !== null || readOnly !== null ? 1 : 0;
}

const scratch = await mkdtemp(join(tmpdir(), 'vitrine-crashes-'));
/** Ctrl-C: the programs end, so the run under way fails, no other begins, and its files go. */
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort(new Error('interrupted'));
    killTraced();
    void stopPrograms();
  });
}
try {
  process.exitCode = await main(scratch, interrupt.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof RangeError || (error instanceof TypeError && 'code' in error) ? 2 : 1;
} finally {
  killTraced();
  await stopPrograms();
  await unmountAll();
  await rm(scratch, { recursive: true, force: true });
}
