import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { FailureError } from '../../../shared/failure.ts';
import { lowerPriority } from '../../base/workers.ts';
import { makeBackup } from './backup-making.ts';
import type { BackupStart, BackupStep, FromBackup } from './backup-thread.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

const reportEveryMs = 100;
const start: BackupStart = z
  .object({
    from: z.string(),
    to: z.string(),
    installation: z.string(),
    version: z.string(),
    stop: z.instanceof(SharedArrayBuffer),
  })
  .parse(workerData);
const stop = new Int32Array(start.stop);
const post = (message: FromBackup): void => port.postMessage(message);

class Stopped extends Error {}

let step: BackupStep = { done: 0, alreadyHere: 0, bytes: 0 };
let reportedAt = 0;
/** A page paints four times a second, so a follower of a hundred thousand files does not get a message for each. */
function report(): void {
  reportedAt = performance.now();
  post({ kind: 'step', ...step });
  step = { done: 0, alreadyHere: 0, bytes: 0 };
}

function goOn(): void {
  if (Atomics.load(stop, 0) !== 0) throw new Stopped();
  if (performance.now() - reportedAt >= reportEveryMs) report();
}

try {
  await makeBackup(start, {
    planned: (size) => {
      // What an earlier pass did is not of this one.
      report();
      post({ kind: 'planned', ...size });
    },
    read: (bytes) => {
      step.bytes += bytes;
      goOn();
    },
    file: (outcome) => {
      step[outcome === 'done' ? 'done' : 'alreadyHere'] += 1;
      goOn();
    },
    lost: (failure) => post({ kind: 'lost', failure }),
    whole: (backup) => {
      report();
      post({ kind: 'whole', backup });
    },
  });
  post({ kind: 'over' });
} catch (error) {
  if (error instanceof Stopped) post({ kind: 'stopped' });
  else if (error instanceof FailureError) post({ kind: 'failed', failure: error.failure });
  else post({ kind: 'defect', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
