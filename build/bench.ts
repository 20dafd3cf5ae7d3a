import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run bench -- [--json] [--only NAME] [--quick]`: ours and the reference in turn; non-zero when a `must` is missed. */
const { code } = await runNode(join(root, 'e2e', 'bench', 'bench.ts'), process.argv.slice(2));
process.exitCode = code;
