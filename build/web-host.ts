import { join } from 'node:path';
import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { hostOut } from './paths.ts';
import { runNode } from './run-command.ts';

/** Serves the page on loopback until it is ended; the exit code is the host's own. */
export async function runWebHost(args: readonly string[]): Promise<number> {
  if (!(await buildHost()) || !(await buildPage())) return 1;
  const { code } = await runNode(join(hostOut, 'electron', 'web.js'), args);
  return code;
}
