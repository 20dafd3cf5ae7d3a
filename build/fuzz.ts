import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/**
 * `npm run fuzz -- [--seconds N] [--only NAME] [--seed N]`: every reader of what comes from outside, against inputs
 * that mean harm.
 */
const { code } = await runNode(join(root, 'electron', 'fuzz', 'fuzz.ts'), process.argv.slice(2));
process.exitCode = code;
