import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/**
 * `npm run faults -- [--only ACTION|FAULT|ACTION/FAULT|resumes|releases|ways] [--write]`: runs every action with every
 * fault; exits non-zero when a result differs from docs/faults.md.
 */
const { code } = await runNode(join(root, 'e2e', 'faults', 'matrix', 'main.ts'), process.argv.slice(2));
process.exitCode = code;
