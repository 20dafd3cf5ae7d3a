import { writeFileSync } from 'node:fs';
import type { ToLane } from '../../../rules/scanning/lane-messages.ts';
import { processLane } from '../native-engine.ts';
import type { ScanSource } from '../read-scan-source.ts';
import { orderFor, processes } from './scan-session.ts';

/**
 * A program to be killed: has a native engine begin a scan that never ends, and says so. Its argument is a file to
 * make.
 */
const path = process.argv[2] ?? '';
writeFileSync(path, 'x');
const lane = processLane(processes);
lane.onMessage((message) => {
  const { source, sizeBytes } = orderFor(path);
  lane.post({ kind: 'scan', orders: [{ source, sizeBytes, variables: [] }] } satisfies ToLane<ScanSource>);
  process.stdout.write(`${JSON.stringify(message)}\n`);
});
lane.post({
  kind: 'source',
  text: 'rule endless { condition: for all i in (0..9223372036854775806) : (i >= 0) }',
} satisfies ToLane<ScanSource>);
lane.post({
  kind: 'compile',
  engine: 'native',
  variables: [],
  asking: [],
  typed: false,
  stringsFirst: false,
  reported: null,
} satisfies ToLane<ScanSource>);
