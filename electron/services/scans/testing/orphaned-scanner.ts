import { writeFileSync } from 'node:fs';
import type { ToScanWorker } from '../../../rules/scanning/worker-messages.ts';
import { scanWorkerProcess } from '../native-engine.ts';
import type { ScanSource } from '../read-scan-source.ts';
import { orderFor, processes } from './scan-session.ts';

/**
 * A program to be killed: has a native engine begin a scan that never ends, and reports it. Its argument is a file to
 * make.
 */
const path = process.argv[2] ?? '';
writeFileSync(path, 'x');
const worker = scanWorkerProcess(processes);
worker.onMessage((message) => {
  const { source, sizeBytes } = orderFor(path);
  worker.post({ kind: 'scan', orders: [{ source, sizeBytes, variables: [] }] } satisfies ToScanWorker<ScanSource>);
  process.stdout.write(`${JSON.stringify(message)}\n`);
});
worker.post({
  kind: 'source',
  text: 'rule endless { condition: for all i in (0..9223372036854775806) : (i >= 0) }',
} satisfies ToScanWorker<ScanSource>);
worker.post({
  kind: 'compile',
  engine: 'native',
  variables: [],
  asking: [],
  typed: false,
  stringsFirst: false,
  reported: null,
} satisfies ToScanWorker<ScanSource>);
