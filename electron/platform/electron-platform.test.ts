import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FailureError } from '../../shared/failure.ts';
import { createElectronPlatform, type ElectronParts } from './electron-platform.ts';

function parts(change: Partial<ElectronParts> = {}): ElectronParts {
  const none = (): never => {
    throw new Error('not expected');
  };
  return {
    safeStorage: {
      isAsyncEncryptionAvailable: async () => false,
      encryptStringAsync: none,
      decryptStringAsync: none,
      getSelectedStorageBackend: none,
    },
    showOpenDialog: none,
    shell: { openPath: none },
    keepAwake: none,
    canNotify: true,
    isPackaged: true,
    session: { resolveProxy: none },
    restart: none,
    fork: none,
    ...change,
  };
}
const platform = (change: Partial<ElectronParts>) =>
  createElectronPlatform(parts(change), { dataDirectory: '/data', namedDirectory: null, system: 'linux' });

test('the Electron platform is the desktop, with all desktop features and no browser download', async () => {
  expect(await platform({})).toMatchObject({
    kind: 'desktop',
    capabilities: {
      chooseFolder: true,
      openFolders: true,
      browserDownload: false,
      windowControls: true,
      notifications: true,
      staysInTray: true,
      restarts: true,
    },
    dataDirectory: '/data',
    namedDirectory: null,
    keychain: null,
  });
});

test('the Electron platform reports when it runs from sources', async () => {
  expect([(await platform({})).isPackaged, (await platform({ isPackaged: false })).isPackaged]).toEqual([true, false]);
});

test('the Electron platform reports no notifications on a system without them', async () => {
  expect((await platform({ canNotify: false })).capabilities.notifications).toBe(false);
});

test.each([
  [{ canceled: false, filePaths: ['/exports'] }, '/exports'],
  [{ canceled: true, filePaths: [] }, null],
  [{ canceled: false, filePaths: [] }, null],
])('the folder dialog %j gives %j', async (answer, folder) => {
  expect(await (await platform({ showOpenDialog: async () => answer })).chooseFolder('exports')).toBe(folder);
});

test('the folder dialog states the purpose of the folder', async () => {
  const asked: (string | undefined)[] = [];
  const desktop = await platform({
    showOpenDialog: async ({ title, buttonLabel }) => {
      asked.push(title, buttonLabel);
      return { canceled: true, filePaths: [] };
    },
  });
  await desktop.chooseFolder('exports');
  await desktop.chooseFolder('data');
  expect(asked).toEqual([
    'Choose an export folder',
    'Choose',
    'Choose an empty folder for all local data',
    'Move here',
  ]);
});

test('the Electron platform restarts with the given arguments', async () => {
  const started: (readonly string[])[] = [];
  (await platform({ restart: (args) => started.push(args) })).restart?.(['--flag']);
  expect(started).toEqual([['--flag']]);
});

test('a refusal of the file manager is a failure', async () => {
  const refusing = await platform({ shell: { openPath: async () => 'No application' } });
  await expect(refusing.openPath('/data')).rejects.toSatisfy(
    (error) => error instanceof FailureError && error.failure.kind === 'disk-failed',
  );
  const opened: string[] = [];
  await (await platform({ shell: { openPath: async (path) => (opened.push(path), '') } })).openPath('/data');
  expect(opened).toEqual(['/data']);
});

test('the Electron platform reads the proxy for an address from the system', async () => {
  const proxied = await platform({
    session: { resolveProxy: async (address) => (address === 'https://a/' ? 'PROXY p:1' : 'DIRECT') },
  });
  expect([await proxied.proxyFor('https://a/'), await proxied.proxyFor('https://b/')]).toEqual(['http://p:1', null]);
});

test('the lab and the scanner run as processes of Electron, from existing files', async () => {
  const started: { path: string; serviceName: string }[] = [];
  const desktop = await platform({
    fork: (path, _args, { serviceName }) => {
      started.push({ path, serviceName });
      return {
        postMessage: () => {},
        on: () => undefined,
        once: () => undefined,
        kill: () => true,
        stderr: null,
        pid: undefined,
      };
    },
  });
  desktop.startProcess('lab');
  desktop.startProcess('scanner');
  expect(started).toEqual([
    { path: expect.stringMatching(/lab\.ts$/), serviceName: 'Vitrine lab' },
    { path: expect.stringMatching(/scanner\.ts$/), serviceName: 'Vitrine scanner' },
  ]);
  expect(started.every(({ path }) => existsSync(path))).toBe(true);
});
