import { join } from 'node:path';
import { exitCodes, exitWith, runLab } from './lab/program.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { ignoreLostOutput, limitYoungGeneration } from './platform/process.ts';
import { isForTeam } from './team-lab/command-line.ts';

/**
 * `npm run lab -- …`: the lab for other clients, over a folder of this computer or over the servers of a team. The
 * libraries of the latter are loaded for it alone.
 */
limitYoungGeneration();
ignoreLostOutput(process, () => {
  process.exitCode = exitCodes.failed;
});
const args = process.argv.slice(2);
const defaultDirectory = join(defaultDataDirectory(process.platform, process.env), 'lab');
const running = isForTeam(args)
  ? import('./team-lab/commands.ts').then(({ runTeamLab }) => runTeamLab(args))
  : runLab(args, defaultDirectory);
await running.catch(exitWith);
