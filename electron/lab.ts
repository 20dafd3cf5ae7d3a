import { join } from 'node:path';
import { serveHostChannel } from './lab/host-channel.ts';
import { exitCodes, exitWith, ownTerminal, runLab } from './lab/program.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { openHostChannel } from './platform/host-channel.ts';
import { ignoreLostOutput, limitYoungGeneration } from './platform/process.ts';

/**
 * The lab: our own implementation of the services, always a process of its own. Started by Vitrine it talks over the
 * channel it was given; started by a person it follows its arguments.
 */
limitYoungGeneration();
// A command whose result is lost has failed; a server continues, and ends with a code of its own.
ignoreLostOutput(process, () => {
  process.exitCode = exitCodes.failed;
});
const host = openHostChannel(process);
const defaultDirectory = join(defaultDataDirectory(process.platform, process.env), 'lab');
if (host === null) await runLab(process.argv.slice(2), defaultDirectory).catch(exitWith);
else serveHostChannel(host, process, ownTerminal.report);
