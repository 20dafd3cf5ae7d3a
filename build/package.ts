import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { fetchElectron, findElectron } from './electron-runtime.ts';
import { packProgram } from './pack-program.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { packagingProblem } from './validate-packaging.ts';
import { verifyPackage } from './verify-package.ts';

/**
 * `npm run package [-- --dir]`: the installers of this system, or with `--dir` the unpacked program alone. With
 * `--verify` it is packed twice around a stand-in for the runtime, and what is in it compared with what should be.
 */
const exitCodes = { done: 0, failed: 1, wrongArguments: 2 } as const;
process.exitCode = await obey(process.argv.slice(2));

async function obey(args: string[]): Promise<number> {
  const read = readArguments(args);
  if ('problem' in read) return refuse(read.problem, exitCodes.wrongArguments);
  const problem = await packagingProblem(packaging);
  if (problem !== null) return refuse(`The packaging configuration is wrong. ${problem}`);
  if (read.verify) return (await verifyPackage()) ? exitCodes.done : exitCodes.failed;
  return packInstallers(read.dir);
}

function readArguments(args: string[]): { dir: boolean; verify: boolean } | { problem: string } {
  try {
    const {
      values: { dir = false, verify = false },
    } = parseArgs({ args, options: { dir: { type: 'boolean' }, verify: { type: 'boolean' } } });
    return { dir, verify };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function packInstallers(dir: boolean): Promise<number> {
  if (!(await buildPage()) || !(await buildHost())) return exitCodes.failed;
  const runtime = findElectron() ?? (await fetchElectron());
  if (typeof runtime !== 'string' && !runtime.ok)
    return refuse(
      `Nothing packaged: the Electron runtime is missing and its download from GitHub failed (${runtime.reason}).`,
    );
  const executable = typeof runtime === 'string' ? runtime : runtime.path;
  const made = await packProgram({ tree: root, dir, electronDist: distOf(executable) });
  for (const path of made) process.stdout.write(`${path}\n`);
  return exitCodes.done;
}

/** The folder that holds the whole runtime: on macOS the executable is deep inside its bundle. */
function distOf(executable: string): string {
  const bundle = executable.indexOf('/Electron.app/');
  return bundle === -1 ? dirname(executable) : executable.slice(0, bundle);
}

function refuse(sentence: string, code: number = exitCodes.failed): number {
  process.stderr.write(`${sentence}\n`);
  return code;
}
