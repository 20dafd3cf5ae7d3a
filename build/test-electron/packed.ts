import { join } from 'node:path';
import { type Built, fingerprint, isStale, markFresh } from '../freshness.ts';
import { packProgram } from '../pack-program.ts';
import { packaging } from '../packaging.ts';
import { out, root } from '../paths.ts';
import { testTree } from './built-desktop.ts';
import { testElectronFolder, testElectronVersion } from './runtime.ts';

/**
 * The program packed twice around the runtime of the tests: `shipped` with every fuse burnt, as the installers have it,
 * and `inspectable` with the one left on by which Playwright reaches the page.
 */
const kinds = ['shipped', 'inspectable'] as const;
type Kind = (typeof kinds)[number];

const output = (kind: Kind): string => join(out, 'test-electron', 'packed', kind);
const executable = (kind: Kind): string => join(output(kind), 'linux-unpacked', 'vitrine');

const packed = (kind: Kind): Built => ({
  name: `${kind} program of the tests`,
  sources: [
    '.out/stamps/desktop for the Electron of the tests',
    'build/pack*.ts',
    'build/test-electron/packed.ts',
    'build/icons/*',
  ],
  result: executable(kind),
  besides: testElectronFolder,
});

/** Packs both unless they are up to date. */
export async function packTestPrograms(): Promise<void> {
  for (const kind of kinds) {
    const built = packed(kind);
    if (!isStale(built)) continue;
    const print = fingerprint(built);
    process.stdout.write(`Packing the ${built.name}.\n`);
    await packProgram({
      tree: testTree,
      dir: true,
      linux: [],
      electronDist: testElectronFolder,
      changes: {
        electronVersion: testElectronVersion,
        directories: { output: output(kind), buildResources: join(root, 'build', 'icons') },
        ...(kind === 'inspectable'
          ? { electronFuses: { ...packaging.electronFuses, enableNodeCliInspectArguments: true } }
          : {}),
      },
    });
    markFresh(built, print);
  }
}

/** The environment that tests find both by. */
export const packedEnvironment = (): NodeJS.ProcessEnv => ({
  VITRINE_PACKED: executable('shipped'),
  VITRINE_PACKED_INSPECTABLE: executable('inspectable'),
});
