import { expect, test } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { type HostOptions, HostService } from './host.ts';

const folder = '/exports';
const capabilities = {
  chooseFolder: false,
  openFolders: false,
  browserDownload: true,
  windowControls: false,
  notifications: false,
  staysInTray: false,
  restarts: false,
};
const platform: HostOptions['platform'] = {
  kind: 'web',
  isPackaged: false,
  capabilities,
  dataDirectory: '/data',
  chooseFolder: async () => null,
  openPath: async () => {},
};
const hostWhere = (requireUnwatched: (path: string) => Promise<void>): HostService =>
  new HostService({ platform, version: '1.0.0', exportFolder: folder, logPath: '', requireUnwatched });

test('the host exports to the chosen folder, or to one named at a terminal', async () => {
  const host = hostWhere(async () => {});
  expect([await host.folderFor(undefined), await host.folderTo('folder'), await host.folderTo('browser')]).toEqual([
    folder,
    folder,
    null,
  ]);
  expect(await host.folderFor(host.nameFolder('/named'))).toBe('/named');
  await expect(host.folderFor('nobody')).rejects.toMatchObject({ failure: { kind: 'folder-not-named' } });
});

test('the host exports into no folder that would import it again, and the browser gets it', async () => {
  const host = hostWhere(async (path) => fail({ kind: 'export-into-watched', path }));
  const refused = { failure: { kind: 'export-into-watched', path: folder } };
  await expect(host.folderTo('folder')).rejects.toMatchObject(refused);
  await expect(host.folderFor(undefined)).rejects.toMatchObject(refused);
  await expect(host.folderFor(host.nameFolder(folder))).rejects.toMatchObject(refused);
  await expect(host.folderTo('command-line', host.nameFolder(folder))).rejects.toMatchObject(refused);
  expect([await host.folderTo('browser'), await host.folderTo('command-line')]).toEqual([null, null]);
});
