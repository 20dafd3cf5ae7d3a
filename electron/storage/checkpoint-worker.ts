import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { copyUntilAnew } from './checkpoint-rounds.ts';
import { CheckpointTurn } from './checkpoint-turn.ts';

/** Does not stand back as others do: it waits more than it works, and a round that comes late copies in vain. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');

const given = z.object({ path: z.string(), turn: z.instanceof(SharedArrayBuffer) }).parse(workerData);
const turn = new CheckpointTurn(given.turn);
port.on('message', () => turn.take(() => checkpoint(given.path)));

const pauseMs = 2;
const pages = z.object({ log: z.number() });

/**
 * What is in the log is copied where it belongs as far as nobody still reads the older pages; it keeps neither readers nor the writer
 * waiting. Opened for each: a connection that is left would be the one that removes the log, after the host has closed the database.
 */
function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
    copyUntilAnew({
      copy: () => pages.parse(passive.get()).log,
      pause: () => turn.pause(pauseMs),
      isWanted: () => turn.isWanted,
    });
  } finally {
    database.close();
  }
}
