import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createPackage } from '@electron/asar';
import { FuseV1Options, FuseVersion } from '@electron/fuses';
import { z } from 'zod';

/**
 * What `@electron/fuses` looks for in a binary: these bytes, the version and the number of fuses, and then each of
 * them.
 */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron delivers them. */
const delivered: Readonly<Record<FuseV1Options, '0' | '1'>> = {
  [FuseV1Options.RunAsNode]: '1',
  [FuseV1Options.EnableCookieEncryption]: '0',
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: '1',
  [FuseV1Options.EnableNodeCliInspectArguments]: '1',
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: '0',
  [FuseV1Options.OnlyLoadAppFromAsar]: '0',
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: '0',
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: '1',
  [FuseV1Options.WasmTrapHandlers]: '1',
};

/** The version of Electron that is pinned here, whose runtime need not be there. */
export const electronVersion: string = z
  .object({ version: z.string() })
  .parse(createRequire(import.meta.url)('electron/package.json')).version;

/**
 * A folder that electron-builder takes for the runtime of Electron on Linux, for machines that cannot have it: nothing
 * in it can be started, and it has fuses to be burnt. @returns the folder
 */
export async function standInRuntime(folder: string): Promise<string> {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  await createPackage(join(folder, 'locales'), join(folder, 'resources', 'default_app.asar'));
  const fuses = Object.values(delivered).join('');
  writeFileSync(
    join(folder, 'electron'),
    Buffer.concat([Buffer.from(sentinel), Buffer.from([Number(FuseVersion.V1), fuses.length]), Buffer.from(fuses)]),
  );
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'version'), electronVersion);
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
}
