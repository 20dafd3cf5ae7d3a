import { join } from 'node:path';
import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import { desktopObstacle } from './desktop-obstacle.ts';
import { findElectron } from './electron-runtime.ts';
import { packageBin } from './package-bin.ts';
import { root } from './paths.ts';
import { runCommand, runNode } from './run-command.ts';

/**
 * `npm run dev`: the page is built again at every edit (reload to see it). The host runs from its sources and is
 * restarted by hand: it holds the data directory and ends its processes in order, which a watcher would cut short.
 */
const args = process.argv.slice(2);
if (await buildPage()) {
  const ended = new AbortController();
  const watching = runNode(packageBin('vite'), ['build', '--watch', '--config', 'build/vite.page.ts'], {
    until: ended.signal,
  });
  const { code } = await runHost();
  ended.abort();
  await watching;
  process.exitCode = code;
} else process.exitCode = 1;

async function runHost(): Promise<{ code: number }> {
  const obstacle = desktopObstacle({
    platform: process.platform,
    userId: process.getuid?.() ?? null,
    env: process.env,
  });
  const electron = obstacle === null ? findElectron() : null;
  if (electron === null) return runNode(join(root, 'electron', 'web.ts'), args);
  return (await buildHost()) ? runCommand(electron, [root, ...args]) : { code: 1 };
}
