import { dirname } from 'node:path';
import { build } from 'electron-builder';
import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { fetchElectron, findElectron } from './electron-runtime.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { packagingProblem } from './validate-packaging.ts';

/** `npm run package [-- --dir]`: the installers of this system, or with `--dir` the unpacked program alone. */
process.exitCode = (await packageProgram(process.argv.includes('--dir'))) ? 0 : 1;

async function packageProgram(dir: boolean): Promise<boolean> {
  const problem = await packagingProblem(packaging);
  if (problem !== null) return refuse(`The packaging configuration is wrong. ${problem}`);
  if (!(await buildPage()) || !(await buildHost())) return false;
  const runtime = findElectron() ?? (await fetchElectron());
  if (typeof runtime !== 'string' && !runtime.ok) return refuse(`Nothing was packaged: the Electron runtime is missing and could not be downloaded from GitHub (${runtime.reason}).`);
  const executable = typeof runtime === 'string' ? runtime : runtime.path;
  const made = await build({ projectDir: root, dir, publish: 'never', config: { ...packaging, electronDist: distOf(executable) } });
  for (const path of made) process.stdout.write(`${path}\n`);
  return true;
}

/** The folder that holds the whole runtime: on macOS the executable is deep inside its bundle. */
function distOf(executable: string): string {
  const bundle = executable.indexOf('/Electron.app/');
  return bundle === -1 ? dirname(executable) : executable.slice(0, bundle);
}

function refuse(sentence: string): false {
  process.stderr.write(`${sentence}\n`);
  return false;
}
