import { type Failure, FailureError, type FailureOf } from '../../../shared/failure.ts';
import { startWorker } from '../../base/workers.ts';
import type { WholeBackup } from './backup-folder.ts';
import type { BackupOrder } from './backup-making.ts';

/** The progress of a running backup, sent at most ten times a second. */
export interface BackupNews {
  planned(size: { files: number; bytes: number }): void;
  step(step: BackupStep): void;
  /** See `BackupFollower`. */
  lost(failure: FailureOf<'backup-kept' | 'backup-missed'>): void;
  /** It is in force; see `BackupFollower`. */
  whole(backup: WholeBackup & { copied: number; missed: number }): void;
}

/**
 * Makes a backup in a thread of its own. Resolves when that is over, also after the signal: then with false.
 * Fails as `makeBackup` does, and with `worker-ended`.
 */
export async function backUpInThread(order: BackupOrder, news: BackupNews, signal: AbortSignal): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const stop = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const endIt = (): void => void Atomics.store(new Int32Array(stop), 0, 1);
  const reported = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      endIt();
      reject(error);
    }
  };
  const worker = startWorker({
    entry: './backup-worker',
    beside: import.meta.url,
    workerData: { ...order, stop } satisfies BackupStart,
    onEnd: (code) => reject(new FailureError({ kind: 'worker-ended', task: 'making a backup', code })),
  });
  const gone = new Promise<void>((ended) => void worker.once('exit', () => ended()));
  worker.on('message', (message: FromBackup) =>
    reported(() => {
      switch (message.kind) {
        case 'planned':
          return news.planned(message);
        case 'step':
          return news.step(message);
        case 'lost':
          return news.lost(message.failure);
        case 'whole':
          return news.whole(message.backup);
        case 'over':
          return resolve(true);
        case 'stopped':
          return resolve(false);
        case 'failed':
          return reject(new FailureError(message.failure));
        case 'defect':
          return reject(new Error(message.text));
      }
    }),
  );
  signal.addEventListener('abort', endIt);
  if (signal.aborted) endIt();
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', endIt);
    await gone;
  }
}

/** What the thread of a backup is started with. `stop` is one 32-bit number, not 0 when it is to end. */
export interface BackupStart extends BackupOrder {
  stop: SharedArrayBuffer;
}

/** How much was done since the last message. */
export interface BackupStep {
  done: number;
  alreadyHere: number;
  bytes: number;
}

export type FromBackup =
  | { kind: 'planned'; files: number; bytes: number }
  | ({ kind: 'step' } & BackupStep)
  | { kind: 'lost'; failure: FailureOf<'backup-kept' | 'backup-missed'> }
  | { kind: 'whole'; backup: WholeBackup & { copied: number; missed: number } }
  | { kind: 'over' }
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'defect'; text: string };
