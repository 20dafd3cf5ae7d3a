import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { desktopRuntime } from './desktop-runtime.ts';
import { root } from './paths.ts';
import { runCommand } from './run-command.ts';
import { sandboxFacts, sandboxHint, sandboxObstacle } from './sandbox-hint.ts';
import { runWebHost } from './web-host.ts';

/** Chromium looks for its sandbox before it does anything else. */
const atOnceMs = 10_000;

/** `npm start`: the desktop where it can run, otherwise one line with the reason and the same page on loopback. */
const args = process.argv.slice(2);
const runtime = await desktopRuntime({ isFetched: true });
const obstacle = runtime.ok ? sandboxObstacle(sandboxFacts(runtime.path)) : runtime.reason;
if (runtime.ok && obstacle === null) process.exitCode = await runDesktop(runtime.path);
else {
  process.stdout.write(`No desktop window: ${obstacle}. Serving the same page to a browser instead.\n`);
  process.exitCode = await runWebHost(args);
}

async function runDesktop(electron: string): Promise<number> {
  if (!(await buildPage()) || !(await buildHost())) return 1;
  const begun = performance.now();
  const { code } = await runCommand(electron, [root, ...args]);
  const hint =
    code !== 0 && performance.now() - begun < atOnceMs ? sandboxHint(electron, sandboxFacts(electron)) : null;
  if (hint !== null) process.stderr.write(`${hint}\n`);
  return code;
}
