import { describe, expect, test } from 'vitest';
import { checkLayers, layerProblems } from './check-layers.ts';
import { PlantedTree } from './planted-tree.ts';

describe('an import into a forbidden layer', () => {
  test.each([
    ['a view of a view', 'renderer/views/lookup/record.tsx', "import { List } from '../library/list.tsx';"],
    ['a component of a view', 'renderer/components/hash.tsx', "import { Lookup } from '../views/lookup/lookup.tsx';"],
    ['a view of the shell', 'renderer/views/lookup/record.tsx', "import { Shell } from '../../shell/shell.tsx';"],
    ['a feature of a view', 'renderer/features/case/case.tsx', "import { List } from '../../views/library/list.tsx';"],
    ['a feature of the shell', 'renderer/features/case/case.tsx', "import { Shell } from '../../shell/shell.tsx';"],
    ['the page state of a feature', 'renderer/state/jobs.tsx', "import { Case } from '../features/case/case.tsx';"],
    [
      'a feature of a test',
      'renderer/features/case/case.tsx',
      "import { open } from '../../test/open-page.fixture.tsx';",
    ],
    ['a service of a service', 'electron/services/samples.ts', "import { start } from './downloads.ts';"],
    ['a service of a transport', 'electron/services/samples.ts', "import { serve } from '../transports/http.ts';"],
    [
      'a service of the dispatcher',
      'electron/services/samples.ts',
      "import type { Dispatch } from '../dispatcher.ts';",
    ],
    ['the page of the host', 'renderer/main.tsx', "import { compose } from '../electron/compose.ts';"],
    ['the page of Node', 'renderer/bridge/http.ts', "import { join } from 'node:path';"],
    ['the page of the electron module', 'renderer/bridge/http.ts', "import { ipcRenderer } from 'electron';"],
    ['the api of the storage', 'electron/api/probe.ts', "import { open } from '../storage/database.ts';"],
    ['the vault of the lab', 'electron/vault/vault.ts', "import { store } from '../lab/blob-store.ts';"],
    ['the lab of a service', 'electron/lab/server.ts', "import { find } from '../services/samples.ts';"],
    ['the lab of the api', 'electron/lab/server.ts', "import { client } from '../api/client.ts';"],
    ['the composition of a window', 'electron/compose.ts', "import { openWindow } from './windows/main-window.ts';"],
    [
      'the web host of the desktop platform',
      'electron/web.ts',
      "import { platform } from './platform/electron-platform.ts';",
    ],
    [
      'a transport of the platform',
      'electron/transports/http.ts',
      "import type { Platform } from '../platform/platform.ts';",
    ],
    [
      'a browser test of the program',
      'e2e/specs/lookup.spec.ts',
      "import { Lookup } from '../../renderer/views/lookup/lookup.tsx';",
    ],
    ['shared of the host', 'shared/contract.ts', "import { run } from '../electron/dispatcher.ts';"],
    ['shared of Node', 'shared/contract.ts', "import { createHash } from 'node:crypto';"],
    ['the build of the program', 'build/start.ts', "import { compose } from '../electron/compose.ts';"],
    ['a service of the electron module', 'electron/services/samples.ts', "import { app } from 'electron/main';"],
    ['a web library in the host', 'electron/api/probe.ts', "import { useState } from 'react';"],
    ['a package nobody decided on', 'electron/api/probe.ts', "import got from 'got';"],
    ['Node without its prefix', 'electron/api/probe.ts', "import { request } from 'http';"],
    ['a test of another service', 'electron/services/samples.test.ts', "import { start } from './downloads.ts';"],
    ['a test outside tests', 'electron/api/probe.ts', "import { serve } from './server.fixture.ts';"],
    ['vitest outside a test', 'electron/api/probe.ts', "import { vi } from 'vitest';"],
  ])('is found: %s', (_what, path, text) => {
    expect(layerProblems(path, text)).toHaveLength(1);
  });

  test.each([
    ['type-only', "import type { A } from '../lab/a.ts';"],
    ['re-exported', "export { a } from '../lab/a.ts';"],
    ['re-exported whole', "export * from '../lab/a.ts';"],
    ['re-exported, with no name of it', "export {} from '../lab/a.ts';"],
    ['exported behind its import', "import { a } from '../lab/a.ts';\nexport { a };"],
    ['dynamic', "export const a = await import('../lab/a.ts');"],
    ['dynamic with a template', 'export const a = await import(`../lab/${name}.ts`);'],
    ['the type of a module', "export type A = import('../lab/a.ts').A;"],
    ['the type of a whole module', "export type A = typeof import('../lab/a.ts');"],
    ['required', "const a = require('../lab/a.ts');"],
    ['import-required', "import a = require('../lab/a.ts');"],
    ['with side effects alone', "import '../lab/a.ts';"],
    ['through a detour', "import { a } from '../api/../lab/a.ts';"],
  ])('is found however it is written: %s', (_how, text) => {
    expect(layerProblems('electron/api/probe.ts', text)).toHaveLength(1);
  });
});

test.each([
  [
    'electron/services/samples.ts',
    "import { Vault } from '../vault/vault.ts';\nimport type { Platform } from '../platform/platform.ts';",
  ],
  [
    'electron/services/downloads/steps.ts',
    "import { rate } from './rate.ts';\nimport { start } from '../downloads.ts';",
  ],
  [
    'electron/services/samples.test.ts',
    "import { expect } from 'vitest';\nimport { find } from './samples.ts';\nimport { desk } from './desk.fixture.ts';",
  ],
  [
    'electron/services/desk.fixture.ts',
    "import { find } from './samples.ts';\nimport { start } from './downloads/downloads.ts';",
  ],
  ['renderer/test/open-page.tsx', "import { render } from '@testing-library/react';"],
  ['electron/api/probe.test.ts', "import { serve } from './server.fixture.ts';"],
  ['electron/api/server.fixture.ts', "import { onTestFinished } from 'vitest';"],
  ['renderer/views/lookup/record.tsx', "import { Hash } from '../../components/hash.tsx';\nimport './record.css';"],
  [
    'renderer/shell/app.tsx',
    "import { Lookup } from '../views/lookup/lookup.tsx';\nimport type { Bridge } from '../../shared/bridge.ts';",
  ],
  [
    'electron/main.ts',
    "import { app } from 'electron';\nimport { compose } from './compose.ts';\n" +
      "import { openWindow } from './windows/main-window.ts';",
  ],
  [
    'electron/transports/ipc.ts',
    "import type { Dispatch } from '../dispatcher.ts';\nimport type { EventHub } from '../event-hub.ts';",
  ],
  ['electron/web.ts', "import { compose } from './compose.ts';\nimport { createServer } from 'node:http';"],
  [
    'e2e/specs/lookup.spec.ts',
    "import { test } from '@playwright/test';\nimport type { Failure } from '../../shared/failure.ts';",
  ],
])('%s may import what its layer allows', (path, text) => {
  expect(layerProblems(path, text)).toEqual([]);
});

test.each([
  'electron/utils/text.ts',
  'renderer/components/helpers.tsx',
  'shared/common/a.ts',
  'electron/api/misc.ts',
  'renderer/components/index.ts',
  'electron/cache/a.ts',
  'electron/extra.ts',
])('the layer check reports an unknown name or place: %s', (path) => {
  expect(layerProblems(path, 'export const a = 1;')).toHaveLength(1);
});

test('the layer check walks the whole tree and gives the location of each problem', () => {
  using tree = new PlantedTree({
    'electron/api/probe.ts':
      "import { a } from './a.ts';\n\nimport { store } from '../lab/store.ts';\nexport const b = [a, store];\n",
    'electron/api/a.ts': 'export const a = 1;\n',
  });
  const { passed, report } = checkLayers(tree.path);
  expect({ passed, report }).toEqual({
    passed: false,
    report: 'electron/api/probe.ts:3: the layer "api" may not import "lab" (electron/lab/store.ts)',
  });
});

test('the layer check reports a file that does not parse', () => {
  expect(layerProblems('electron/api/probe.ts', 'import { from')).toEqual(['electron/api/probe.ts: does not parse']);
});
