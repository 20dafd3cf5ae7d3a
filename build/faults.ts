import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/**
 * `npm run faults -- [--only ACTION|FAULT|ACTION/FAULT] [--write]`: every action with every fault; non-zero when one
 * comes out otherwise than docs/faults.md says.
 */
const { code } = await runNode(join(root, 'e2e', 'faults', 'matrix', 'main.ts'), process.argv.slice(2));
process.exitCode = code;
