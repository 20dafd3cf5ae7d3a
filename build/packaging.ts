import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { out } from './paths.ts';

/**
 * What electron-builder makes: AppImage, deb, NSIS, dmg. Everything is bundled, so no package is packed; and the
 * fuses take out of the binary what would let someone run other code under its name.
 */
export const packaging: Configuration = {
  appId: 'org.vitrine.Vitrine',
  productName: 'Vitrine',
  copyright: 'Copyright the Vitrine authors. Apache-2.0.',
  directories: { output: join(out, 'packages'), buildResources: 'build/icons' },
  files: ['package.json', '.out/host/**', '.out/page/**', '!**/node_modules/**', '!**/*.map'],
  asar: true,
  // The system loads native code from a file of its own.
  asarUnpack: ['**/*.node'],
  // A deb is not made without a home page, and there is none yet: `.invalid` is nobody's, now and later (RFC 2606).
  extraMetadata: { author: { name: 'The Vitrine authors' }, homepage: 'https://vitrine.invalid/' },
  npmRebuild: false,
  publish: null,
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
    executableName: 'vitrine',
    synopsis: 'A desktop workstation for malware samples and detection rules',
    syncDesktopName: true,
  },
  win: { target: ['nsis'], icon: 'icon.png' },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true, deleteAppDataOnUninstall: false },
  mac: { target: ['dmg'], icon: 'icon.png', category: 'public.app-category.developer-tools' },
};
