/**
 * Allowed imports, as data. A file belongs to the first layer that holds it. Every import counts: type-only, dynamic
 * and re-exported ones too, because a type from a wrong layer is a dependency on that layer.
 */
export interface Layer {
  name: string;
  /** Folders (ending in `/`) and single files. */
  holds: readonly string[];
  /** Layers it may import besides itself. */
  layers: readonly string[];
  /** Packages it may import; `node:` means all of Node's own modules, `name/*` a scope or a family. */
  packages: readonly string[];
  /** Each entry of the folder is a layer of its own: one view never imports another, nor does a service. */
  isolated?: true;
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
  'socks',
  'file-type',
  '@virustotal/yara-x',
  '@litko/yara-x',
  '@noble/hashes',
];
/** What the team lab is made with besides: no program of the desktop is bundled with them. */
const teamLibraries = ['pg', 'pg-boss', 'prom-client'];
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

export const layers: readonly Layer[] = [
  { name: 'manifest', holds: ['package.json'], layers: [], packages: [] },
  { name: 'shared', holds: ['shared/'], layers: [], packages: ['zod'] },

  // Tests alone: the host in memory and the whole page over it. Tests of every layer of the page are set up with them.
  {
    name: 'page tests',
    holds: ['renderer/test/'],
    layers: ['shell', 'views', 'features', 'page state', 'page furniture', 'shared'],
    packages: web,
  },
  // The frame around the views; it puts everything together
  {
    name: 'shell',
    holds: ['renderer/shell/', 'renderer/main.tsx', 'renderer/virtual-licences.d.ts'],
    layers: ['views', 'features', 'page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
  },
  {
    name: 'views',
    holds: ['renderer/views/'],
    layers: ['features', 'page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
    isolated: true,
  },
  // What several views and the shell are put together from
  {
    name: 'features',
    holds: ['renderer/features/'],
    layers: ['page state', 'page furniture', 'page tests', 'shared'],
    packages: web,
  },
  // What everything above knows of the page: which view is shown, the jobs, the settings, the focus and the keys
  {
    name: 'page state',
    holds: ['renderer/state/', 'renderer/keyboard/'],
    layers: ['page furniture', 'page tests', 'shared'],
    packages: web,
  },
  {
    name: 'page furniture',
    holds: ['renderer/bridge/', 'renderer/components/', 'renderer/memory/', 'renderer/styles/'],
    layers: ['page tests', 'shared'],
    packages: web,
  },

  // The four places that may import the electron module
  {
    name: 'desktop entry',
    holds: ['electron/main.ts'],
    layers: [...plainHost, 'base', 'windows', 'desktop platform'],
    packages: ['electron', node],
  },
  {
    name: 'preload',
    holds: ['electron/preload.ts'],
    layers: ['shared', 'transports', 'windows'],
    packages: ['electron', 'zod'],
  },
  {
    name: 'windows',
    holds: ['electron/windows/'],
    layers: ['event hub', 'shared'],
    packages: ['electron', node, 'zod'],
  },
  {
    name: 'desktop platform',
    holds: ['electron/platform/electron-platform.ts'],
    layers: ['platform', 'platform port', 'keychain port', 'shared'],
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
    layers: [...plainHost, 'manifest', 'base', 'command line'],
    packages: [node, ...hostLibraries],
  },
  // Tests alone: processes that attack the readers, each with the targets that sit beside them
  {
    name: 'fuzzing',
    holds: ['electron/fuzz/'],
    layers: [...plainHost, 'container format', 'features'],
    packages: [node, 'zod'],
  },
  // Reads the command line and writes to a terminal; reaches the host through a client that an entry opens
  { name: 'command line', holds: ['electron/cli/'], layers: ['base', 'shared'], packages: [node] },
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
    layers: [...plainHost, 'manifest'],
    packages: [node, ...hostLibraries],
  },
  // Tests alone: scans with processes of the real platform
  {
    name: 'scans over the platform',
    holds: ['electron/services/scans/testing/'],
    layers: ['services', 'rules', 'vault', 'platform', 'platform port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  {
    name: 'services',
    holds: ['electron/services/'],
    layers: [...below, 'container format', 'base', ...ports, 'shared'],
    packages: [node, ...hostLibraries],
    isolated: true,
  },
  {
    name: 'lab',
    holds: ['electron/lab/'],
    layers: ['rules', 'vault', 'archive', 'storage', 'base', 'shared'],
    packages: [node, ...hostLibraries],
  },
  // The lab over servers, for several people: nothing of it is in the desktop's package
  {
    name: 'team lab entry',
    holds: ['electron/team-lab.ts'],
    layers: ['team lab', 'lab', 'platform', 'base', 'shared'],
    packages: [node],
  },
  // Tests alone: the same samples in a team's database and in a library, whose search is the measure
  {
    name: 'search over both',
    holds: ['electron/team-lab/testing/stocked-search.fixture.ts'],
    layers: ['team lab', 'lab', 'api', 'storage', 'shared'],
    packages: [node, 'zod'],
  },
  {
    name: 'team lab',
    holds: ['electron/team-lab/'],
    layers: ['search over both', 'lab', 'rules', 'vault', 'container format', 'archive', 'storage', 'base', 'shared'],
    packages: [node, ...hostLibraries, ...teamLibraries],
  },
  // A test alone: the page's bridge against the real web host
  {
    name: 'both ends of http',
    holds: ['electron/transports/http-bridge.ts'],
    layers: ['transports', 'page furniture', 'shared'],
    packages: [node],
  },
  {
    name: 'transports',
    holds: ['electron/transports/'],
    layers: ['dispatcher', 'event hub', 'base', 'shared'],
    packages: [node, ...hostLibraries],
  },
  { name: 'dispatcher', holds: ['electron/dispatcher.ts'], layers: ['shared'], packages: [node] },
  {
    name: 'event hub',
    holds: ['electron/event-hub.ts'],
    layers: ['shared'],
    packages: [],
  },
  {
    name: 'platform port',
    holds: ['electron/platform/platform.ts'],
    layers: ['keychain port', 'shared'],
    packages: [],
  },
  {
    name: 'platform',
    holds: ['electron/platform/'],
    layers: ['platform port', 'keychain port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  // A port that the token store is written over and each platform fills
  { name: 'keychain port', holds: ['electron/storage/tokens/keychain.ts'], layers: [], packages: [] },
  // What every layer may build on: durable files, file names, worker threads, secrets taken out of text
  { name: 'base', holds: ['electron/base/'], layers: ['shared'], packages: [node, 'jschardet'] },
  // A port that the job runner is written over and the storage fills
  { name: 'job store port', holds: ['electron/jobs/job-store.ts'], layers: ['shared'], packages: [] },
  // Tests alone: the job runner over the real storage
  {
    name: 'jobs over storage',
    holds: ['electron/jobs/testing/'],
    layers: ['jobs', 'storage', 'job store port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  { name: 'jobs', holds: ['electron/jobs/'], layers: ['job store port', 'shared'], packages: [node, ...hostLibraries] },
  // The form of the vault's files alone: a backup proves that what it copies is whole
  {
    name: 'container format',
    holds: ['electron/vault/container/', 'electron/vault/packs/pack-frame.ts'],
    layers: ['shared'],
    packages: [node],
  },
  {
    name: 'storage',
    holds: ['electron/storage/'],
    layers: ['container format', 'base', 'keychain port', 'job store port', 'shared'],
    packages: [node, ...hostLibraries],
  },
  {
    name: 'vault',
    holds: ['electron/vault/'],
    layers: ['container format', 'base', 'shared'],
    packages: [node, ...hostLibraries],
  },
  ...below.map((name): Layer => ({
    name,
    holds: [`electron/${name}/`],
    layers: ['base', 'shared'],
    packages: [node, ...hostLibraries],
  })),

  {
    name: 'e2e',
    holds: ['e2e/'],
    layers: ['shared'],
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
    layers: [],
    packages: [node],
    importsByPath: true,
  },
  {
    name: 'build',
    holds: ['build/'],
    layers: ['shared'],
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
 * A test beside a file may import what the file may, and these: among them what reads the Markdown that the host
 * writes, and signs requests to a store, as others do.
 */
export const testPackages = [
  'vitest',
  'fast-check',
  '@zip.js/zip.js',
  'fake-indexeddb',
  '@testing-library/*',
  'markdown-it',
  'aws4fetch',
];

/** Catch-all names: code without a layer is not yet understood. `index` would be a barrel. */
export const forbiddenNames = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'lib', 'shared-utils', 'index'];
