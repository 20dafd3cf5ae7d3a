import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/**
 * `npm run crashes -- [--only NAME] [--write]`: kill -9 between any two durable calls of a change; non-zero when
 * something is lost, half or live.
 */
const { code } = await runNode(join(root, 'e2e', 'crashes', 'crashes.ts'), process.argv.slice(2));
process.exitCode = code;
