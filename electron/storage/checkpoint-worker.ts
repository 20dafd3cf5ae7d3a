import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { standBack } from '../threads/stand-back.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
standBack();

const { path } = z.object({ path: z.string() }).parse(workerData);
const database = new DatabaseSync(path);
// What is in the log is copied where it belongs as far as nobody still reads the older pages; it keeps neither readers nor the writer waiting.
port.on('message', () => {
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  port.postMessage('done');
});
