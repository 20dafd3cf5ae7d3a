import { parentPort } from 'node:worker_threads';
import { serveExports } from '../../archive/export/export-loop.ts';
import { openBlocking } from '../../vault/container/container-file.ts';
import { readSource, type SampleSource, unreadableReason } from '../../vault/sample-source.ts';

/** Out of the vault, into the export: a sample passes through one thread, and the host's own has no part in it. */
const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker');
serveExports<SampleSource>(port, { open: (source) => readSource(source, openBlocking), reasonOf: unreadableReason });
