import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterPackContext, Configuration } from 'electron-builder';
import { navigationViews } from '../shared/domain/host.ts';
import { out } from './paths.ts';

const executableName = 'vitrine';

/**
 * The views in the menu of the program's icon (`Desktop Action` of the desktop entry specification), as the host reads
 * them.
 */
const desktopActions = Object.fromEntries(
  navigationViews.map(({ name, title }) => [name, { Name: title, Exec: `${executableName} --view=${name}` }]),
);

/**
 * A runtime that is given as a folder keeps what only development needs: the app that runs `electron FOLDER`, and a
 * file with its version (electron-builder, `cleanupAfterUnpack`). Before the archives are hashed for the integrity
 * check.
 */
async function removeDevelopmentFiles({ appOutDir }: AfterPackContext): Promise<void> {
  const found = globSync(['version', '{resources,*.app/Contents/Resources}/default_app.asar'], { cwd: appOutDir });
  for (const path of found) rmSync(join(appOutDir, path));
}

/**
 * What electron-builder makes: AppImage, deb, NSIS, dmg, of those files that the desktop comes to (desktop-files.ts).
 * Everything is bundled, so no package is packed; and the fuses take out of the binary what would let someone run other
 * code under its name.
 */
export const packaging: Configuration = {
  // The host sets the same for itself (electron/windows/app-identity.ts): Windows shows the notifications of no other.
  appId: 'org.vitrine.Vitrine',
  productName: 'Vitrine',
  copyright: 'Copyright the Vitrine authors. Apache-2.0.',
  directories: { output: join(out, 'packages'), buildResources: 'build/icons' },
  asar: true,
  // The system loads native code only from a file of its own. Threads, processes, WebAssembly and the page are read
  // from the archive: docs/release.md names the source of this.
  asarUnpack: ['**/*.node'],
  // A deb needs a home page, and there is none yet: `.invalid` belongs to no one, now and later (RFC 2606). The name of
  // the desktop file: Linux uses it to find the program of a window, notification or progress.
  extraMetadata: {
    desktopName: `${executableName}.desktop`,
    author: { name: 'The Vitrine authors' },
    homepage: 'https://vitrine.invalid/',
  },
  // What the program imports is built into its files: there is no package to install, to rebuild or to list.
  beforeBuild: async () => false,
  afterExtract: removeDevelopmentFiles,
  publish: null,
  // macOS and Linux read it from here; NSIS registers none, so on Windows the program does so itself.
  protocols: [{ name: 'Vitrine look-up', schemes: ['vitrine'] }],
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    // The page has a scheme of its own; files get no more than a stranger's page.
    grantFileProtocolExtraPrivileges: false,
    // Flipping a fuse breaks the ad-hoc signature that Apple silicon insists on.
    resetAdHocDarwinSignature: true,
  },
  linux: {
    target: ['AppImage', 'deb'],
    maintainer: 'The Vitrine authors',
    icon: 'icon.png',
    category: 'Development',
    executableName,
    // Left alone, electron-builder starts an AppImage without the sandbox, as Vitrine never runs.
    executableArgs: [],
    synopsis: 'A desktop workstation for malware samples and detection rules',
    syncDesktopName: true,
    desktop: { entry: { Actions: `${Object.keys(desktopActions).join(';')};` }, desktopActions },
  },
  win: { target: ['nsis'], icon: 'icon.png' },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
  mac: { target: ['dmg'], icon: 'icon.png', category: 'public.app-category.developer-tools' },
};
