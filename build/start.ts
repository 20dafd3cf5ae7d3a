import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { desktopObstacle } from './desktop-obstacle.ts';
import { type ElectronFetch, fetchElectron, findElectron } from './electron-runtime.ts';
import { root } from './paths.ts';
import { runCommand } from './run-command.ts';
import { runWebHost } from './web-host.ts';

/** `npm start`: the desktop where it can run, otherwise one line that says why and the same page on loopback. */
const args = process.argv.slice(2);
const runtime = await desktopRuntime();
if (runtime.ok) process.exitCode = await runDesktop(runtime.path);
else {
  process.stdout.write(`No desktop window: ${runtime.reason}. Serving the same page to a browser instead.\n`);
  process.exitCode = await runWebHost(args);
}

async function desktopRuntime(): Promise<ElectronFetch> {
  const obstacle = desktopObstacle({ platform: process.platform, userId: process.getuid?.() ?? null, env: process.env });
  if (obstacle !== null) return { ok: false, reason: obstacle };
  const path = findElectron();
  if (path !== null) return { ok: true, path };
  process.stdout.write('Downloading the Electron runtime (once, about 120 MB).\n');
  const fetched = await fetchElectron();
  return fetched.ok ? fetched : { ok: false, reason: `the Electron runtime could not be downloaded from GitHub (${fetched.reason})` };
}

async function runDesktop(electron: string): Promise<number> {
  if (!(await buildPage()) || !(await buildHost())) return 1;
  const { code } = await runCommand(electron, [root, ...args]);
  return code;
}
