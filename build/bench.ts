import { join } from 'node:path';
import { buildBenchHost } from './build-host.ts';
import { findChromium } from './chromium.ts';
import { desktopForTests } from './desktop-for-tests.ts';
import { benchOut, root } from './paths.ts';
import { runNode } from './run-command.ts';

const testElectron = '--test-electron';
const bench = join(root, 'e2e', 'bench', 'bench.ts');

/**
 * `npm run bench -- [--json] [--only NAME] [--quick | --write] [--test-electron]`: ours and the reference in turn;
 * non-zero when a `must` is missed or docs/performance.md is of other rows. The rows of the desktop need an Electron
 * runtime: the pinned one, or with `--test-electron` the one that is fetched for tests, on a screen of its own.
 */
process.exitCode = (await buildBenchHost()) ? await measure(process.argv.slice(2)) : 1;

async function measure(given: readonly string[]): Promise<number> {
  // Some rows look at the page in a browser; where there is none, they say so.
  const chromium = findChromium();
  const env = {
    ...process.env,
    VITRINE_BUILT_HOST: benchOut,
    ...(chromium.found ? { VITRINE_CHROMIUM: chromium.path } : {}),
  };
  const args = given.filter((arg) => arg !== testElectron);
  const isRequired = args.length < given.length;
  const desktop = await desktopForTests({
    desktop: isRequired ? 'test-electron' : 'usual',
    isDesktopRequired: false,
    isTeamLab: false,
    args: [],
  });
  if (typeof desktop === 'string' && isRequired) {
    process.stderr.write(`Nothing was measured: ${desktop}\n`);
    return 1;
  }
  if (typeof desktop === 'string') return (await runNode(bench, args, { env })).code;
  try {
    return (await desktop.runTests(bench, args, { ...env, ...desktop.env })).code;
  } finally {
    await desktop.end();
  }
}
