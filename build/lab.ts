import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run lab -- …`: the lab alone, for other clients on this computer. */
const { code } = await runNode(join(root, 'electron', 'lab.ts'), process.argv.slice(2));
process.exitCode = code;
