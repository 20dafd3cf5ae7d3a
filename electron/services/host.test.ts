import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodePlatform } from '../platform/node-platform.ts';
import { HostService } from './host.ts';

async function hostWatching(watches: (folder: string) => string | null): Promise<{ host: HostService; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-exports-'));
  const platform = createNodePlatform({ dataDirectory: join(folder, 'data'), exportFolder: folder });
  return { folder, host: new HostService({ platform, version: '1.0.0', exportFolder: folder, logPath: '', watchedFolder: () => watches(folder) }) };
}

test('exports go to the folder that was chosen, or to one that was named at a terminal', async () => {
  const { host, folder } = await hostWatching(() => null);
  expect([await host.folderFor(undefined), await host.folderTo('folder'), await host.folderTo('browser')]).toEqual([folder, folder, null]);
  expect(await host.folderFor(host.nameFolder('/named'))).toBe('/named');
  await expect(host.folderFor('nobody')).rejects.toMatchObject({ failure: { kind: 'folder-not-named' } });
});

test('none goes into the folder that is watched, where it would come back as a new file; the browser has it', async () => {
  const { host, folder } = await hostWatching((path) => path);
  const refused = { failure: { kind: 'export-into-watched', path: folder } };
  await expect(host.folderTo('folder')).rejects.toMatchObject(refused);
  await expect(host.folderFor(undefined)).rejects.toMatchObject(refused);
  await expect(host.folderFor(host.nameFolder(folder))).rejects.toMatchObject(refused);
  expect(await host.folderTo('browser')).toBeNull();
});
