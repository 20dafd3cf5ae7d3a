import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run lab -- …`: the lab alone, for other clients, over a folder or over the servers of a team. */
const { code } = await runNode(join(root, 'electron', 'team-lab.ts'), process.argv.slice(2));
process.exitCode = code;
