import { parentPort } from 'node:worker_threads';
import { ruleFileType } from '../rules/scanning/file-variables.ts';
import { serveScans } from '../rules/scanning/serve-scans.ts';
import { fileType } from '../vault/inspection/file-type.ts';

/** Scans files that are in memory already, in the lab's own and this thread's alike. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
serveScans<Uint8Array>(port, {
  read: (bytes) => Promise.resolve(bytes),
  reasonOf: () => null,
  typeOf: (bytes) => ruleFileType(fileType(bytes)),
});
