import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { lowerPriority } from '../../base/workers.ts';
import { CheckpointTurn } from './checkpoints.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
lowerPriority();

const given = z.object({ path: z.string(), turn: z.instanceof(SharedArrayBuffer) }).parse(workerData);
const turn = new CheckpointTurn(given.turn);
port.on('message', () => turn.take(() => checkpoint(given.path)));

/**
 * Copies the log into the database, up to the oldest page that a reader still uses; it blocks neither readers nor the
 * writer. Opens a connection for each run: a connection left open would be the one that removes the log, after the host
 * has closed the database.
 */
function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    database.close();
  }
}
