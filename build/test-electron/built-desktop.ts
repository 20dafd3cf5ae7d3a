import { join } from 'node:path';
import { type Built, fingerprint, isStale, markFresh } from '../freshness.ts';
import { buildTree } from '../pack-program.ts';
import { out } from '../paths.ts';
import { olderTargets } from './older-runtime.ts';
import { sqliteModule, testElectronFolder } from './runtime.ts';

/** A tree with the program built for the runtime of the tests: what Electron is started with, and what is packed. */
export const testTree: string = join(out, 'test-electron', 'tree');
const built: Built = {
  name: 'desktop for the Electron of the tests',
  sources: [
    'electron/**/*.ts',
    'shared/**/*.ts',
    'renderer/**/*',
    'build/vite.*.ts',
    'build/test-electron/*',
    'build/pack-program.ts',
    'package-lock.json',
  ],
  result: join(testTree, '.out', 'page', 'index.html'),
  besides: sqliteModule,
};

/** Builds it unless it is up to date. @throws an error with what vite said */
export async function buildTestTree(): Promise<void> {
  if (!isStale(built)) return;
  const print = fingerprint(built);
  process.stdout.write(`Building the ${built.name}.\n`);
  await buildTree(testTree, {
    hostConfig: 'test-electron/vite.host.ts',
    pageConfig: 'test-electron/vite.page.ts',
    preloadTarget: olderTargets.page,
  });
  markFresh(built, print);
}

/** The environment that tests find the program by. */
export function testDesktopEnvironment(): NodeJS.ProcessEnv {
  return {
    VITRINE_ELECTRON: join(testElectronFolder, 'electron'),
    ELECTRON_OVERRIDE_DIST_PATH: testElectronFolder,
    VITRINE_DESKTOP: testTree,
  };
}
