/**
 * Who may import whom, as data. A file belongs to the first room that holds it. Every import counts: type-only,
 * dynamic and re-exported ones too, because a type from a wrong room is a dependency on that room.
 */
export interface Room {
  name: string;
  /** Folders (ending in `/`) and single files. */
  holds: readonly string[];
  /** Rooms it may import besides itself. */
  rooms: readonly string[];
  /** Packages it may import; `node:` stands for all of Node's own modules, `name/*` for a scope or a family. */
  packages: readonly string[];
  /** Each entry of the folder is a room of its own: one view never imports another, nor does a service. */
  apart?: true;
  /**
   * It loads a program whose path it is given. Anywhere else, an import that is no plain string is refused, as no check
   * can follow it.
   */
  importsByPath?: true;
}

const node = 'node:';
/** What the host is bundled with. A new library is a decision: it is written here. */
export const hostLibraries: readonly string[] = [
  'zod',
  'jschardet',
  '@fastify/busboy',
  'file-type',
  '@virustotal/yara-x',
  '@litko/yara-x',
  '@noble/hashes',
];
/** What the page is bundled with. */
export const pageLibraries: readonly string[] = [
  'react',
  'react-dom',
  'react-aria-components',
  'lucide-react',
  '@tanstack/*',
  '@fontsource-variable/*',
  'dexie',
  'markdown-it',
  'zod',
];
const web = [...pageLibraries, 'vite', 'virtual:licences'];
const packagers = ['electron-builder', 'app-builder-lib', 'builder-util', '@electron/asar', '@electron/fuses'];
const below = ['api', 'jobs', 'vault', 'archive', 'rules', 'storage'];
const ports = ['platform port', 'keychain port', 'job store port', 'event hub'];
const plainHost = [...below, ...ports, 'services', 'lab', 'transports', 'dispatcher', 'platform', 'compose', 'shared'];

export const rooms: readonly Room[] = [
  { name: 'manifest', holds: ['package.json'], rooms: [], packages: [] },
  { name: 'shared', holds: ['shared/'], rooms: [], packages: ['zod'] },

  // Tests alone: the host in memory and the whole page over it. Tests of every layer of the page are set up with them.
  {
    name: 'page tests',
    holds: ['renderer/test/'],
    rooms: ['shell', 'views', 'features', 'page state', 'page furniture', 'shared'],
    packages: web,
  },
  // The frame around the views; it puts everything together
  {
    name: 'shell',
    holds: ['renderer/shell/', 'renderer/main.tsx', 'renderer/virtual-licences.d.ts'],
    rooms: ['views', 'features', 'page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
  },
  {
    name: 'views',
    holds: ['renderer/views/'],
    rooms: ['features', 'page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
    apart: true,
  },
  // What several views and the shell are put together from
  {
    name: 'features',
    holds: ['renderer/features/'],
    rooms: ['page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
  },
  // What everything above knows of the page: which view is shown, the jobs, the settings, the focus and the keys
  {
    name: 'page state',
    holds: ['renderer/state/', 'renderer/keyboard/'],
    rooms: ['page furniture', 'page tests', 'shared'],
    packages: web,
  },
  {
    name: 'page furniture',
    holds: ['renderer/bridge/', 'renderer/components/', 'renderer/memory/', 'renderer/styles/'],
    rooms: ['page tests', 'shared'],
    packages: web,
  },

  // The four places that may import the electron module
  {
    name: 'desktop entry',
    holds: ['electron/main.ts'],
    rooms: [...plainHost, 'base', 'windows', 'desktop platform'],
    packages: ['electron', node],
  },
  {
    name: 'preload',
    holds: ['electron/preload.ts'],
    rooms: ['shared', 'transports', 'windows'],
    packages: ['electron', 'zod'],
  },
  {
    name: 'windows',
    holds: ['electron/windows/'],
    rooms: ['event hub', 'shared'],
    packages: ['electron', node, 'zod'],
  },
  {
    name: 'desktop platform',
    holds: ['electron/platform/electron-platform.ts'],
    rooms: ['platform', 'platform port', 'keychain port', 'shared'],
    packages: ['electron', node],
  },

  {
    name: 'entries',
    holds: [
      'electron/web.ts',
      'electron/lab.ts',
      'electron/scanner.ts',
      'electron/cli.ts',
      'electron/cli-host.ts',
      'electron/cli-own-host.ts',
      'electron/cli-restoring.ts',
      'electron/cli-diagnostics.ts',
      'electron/cli-process.fixture.ts',
      'electron/cli-document.ts',
      'electron/bench.ts',
      'electron/bench/',
    ],
    rooms: [...plainHost, 'manifest', 'base', 'command line'],
    packages: [node, ...hostLibraries],
  },
  // Tests alone: processes that attack the readers, each with the targets that sit beside them
  {
    name: 'fuzzing',
    holds: ['electron/fuzz/'],
    rooms: [...plainHost, 'container format', 'features'],
    packages: [node, 'zod'],
  },
  // What is typed, and what is written to a terminal: it asks the host through a door that an entry opens
  { name: 'command line', holds: ['electron/cli/'], rooms: ['base', 'shared'], packages: [node] },
  {
    name: 'compose',
    holds: [
      'electron/compose.ts',
      'electron/compose.fixture.ts',
      'electron/services.ts',
      'electron/build-services.ts',
      'electron/build-connections.ts',
      'electron/build-transfers.ts',
      'electron/build-rules.ts',
      'electron/build-library.ts',
      'electron/build-upkeep.ts',
      'electron/build-jobs.ts',
      'electron/build-diagnostics.ts',
      'electron/handlers.ts',
    ],
    rooms: [...plainHost, 'manifest'],
    packages: [node, ...hostLibraries],
  },
  // Tests alone: scans with processes of the real platform
  {
    name: 'scans over the platform',
    holds: ['electron/services/scans/testing/'],
    rooms: ['services', 'rules', 'vault', 'platform', 'platform port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  {
    name: 'services',
    holds: ['electron/services/'],
    rooms: [...below, 'container format', 'base', ...ports, 'shared'],
    packages: [node, ...hostLibraries],
    apart: true,
  },
  {
    name: 'lab',
    holds: ['electron/lab/'],
    rooms: ['rules', 'vault', 'archive', 'storage', 'base', 'shared'],
    packages: [node, ...hostLibraries],
  },
  // A test alone: the page's bridge against the real web host
  {
    name: 'both ends of http',
    holds: ['electron/transports/http-bridge.ts'],
    rooms: ['transports', 'page furniture', 'shared'],
    packages: [node],
  },
  {
    name: 'transports',
    holds: ['electron/transports/'],
    rooms: ['dispatcher', 'event hub', 'shared'],
    packages: [node, ...hostLibraries],
  },
  { name: 'dispatcher', holds: ['electron/dispatcher.ts'], rooms: ['shared'], packages: [node] },
  {
    name: 'event hub',
    holds: ['electron/event-hub.ts'],
    rooms: ['shared'],
    packages: [],
  },
  { name: 'platform port', holds: ['electron/platform/platform.ts'], rooms: ['keychain port', 'shared'], packages: [] },
  {
    name: 'platform',
    holds: ['electron/platform/'],
    rooms: ['platform port', 'keychain port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  // A port that the token store is written over and each platform fills
  { name: 'keychain port', holds: ['electron/storage/tokens/keychain.ts'], rooms: [], packages: [] },
  // What every layer may build on: durable files, file names, worker threads, secrets taken out of text
  { name: 'base', holds: ['electron/base/'], rooms: ['shared'], packages: [node, 'jschardet'] },
  // A port that the job runner is written over and the storage fills
  { name: 'job store port', holds: ['electron/jobs/job-store.ts'], rooms: ['shared'], packages: [] },
  // Tests alone: the job runner over the real storage
  {
    name: 'jobs over storage',
    holds: ['electron/jobs/testing/'],
    rooms: ['jobs', 'storage', 'job store port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  { name: 'jobs', holds: ['electron/jobs/'], rooms: ['job store port', 'shared'], packages: [node, ...hostLibraries] },
  // The form of the vault's files alone: a backup proves that what it copies is whole
  {
    name: 'container format',
    holds: ['electron/vault/container/', 'electron/vault/packs/pack-frame.ts'],
    rooms: ['shared'],
    packages: [node],
  },
  {
    name: 'storage',
    holds: ['electron/storage/'],
    rooms: ['container format', 'base', 'keychain port', 'job store port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  {
    name: 'vault',
    holds: ['electron/vault/'],
    rooms: ['container format', 'base', 'shared'],
    packages: [node, ...hostLibraries],
  },
  ...below.map((name): Room => ({
    name,
    holds: [`electron/${name}/`],
    rooms: ['base', 'shared'],
    packages: [node, ...hostLibraries],
  })),

  {
    name: 'e2e',
    holds: ['e2e/'],
    rooms: ['shared'],
    packages: [
      node,
      ...hostLibraries,
      '@zip.js/zip.js',
      '@playwright/test',
      '@axe-core/playwright',
      '@electron/asar',
      '@electron/fuses',
    ],
  },
  {
    name: 'default app of the tests',
    holds: ['build/test-electron/default-app.mjs'],
    rooms: [],
    packages: [node],
    importsByPath: true,
  },
  {
    name: 'build',
    holds: ['build/'],
    rooms: ['shared'],
    packages: [
      node,
      'zod',
      'prettier',
      'vite',
      'vitest',
      'fast-check',
      '@vitejs/plugin-react',
      '@playwright/test',
      ...packagers,
    ],
  },
];

/**
 * A test beside a file may import what the file may, and these: among them what reads the Markdown that the host writes
 * as others do.
 */
export const testPackages = [
  'vitest',
  'fast-check',
  '@zip.js/zip.js',
  'fake-indexeddb',
  '@testing-library/*',
  'markdown-it',
];

/** Drawers: a thing with no room is a thing not yet understood. `index` would be a barrel. */
export const forbiddenNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'lib', 'shared-utils', 'index'];
