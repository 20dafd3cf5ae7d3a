import { parentPort } from 'node:worker_threads';
import { serveScans } from '../rules/scanning/serve-scans.ts';

/** Scans files that are in memory already, in the lab's own and this thread's alike. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
serveScans<Uint8Array>(port, { read: (bytes) => Promise.resolve(bytes), reasonOf: () => null });
