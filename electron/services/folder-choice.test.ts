import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderListing, type FolderListing, folderName } from '../../shared/domain/host.ts';
import { FolderChoice } from './folder-choice.ts';

let home: string;
let choice: FolderChoice;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'vitrine-folders-')));
  for (const folder of ['incoming/mail', '.ssh', 'data/vault', 'disk 10', 'disk 2'])
    await mkdir(join(home, folder), { recursive: true });
  await writeFile(join(home, 'a-file'), '');
  choice = new FolderChoice({
    folderPlaces: [
      { path: join(home, 'missing'), place: 'named' },
      { path: home, place: 'home' },
      { path: join(home, 'disk 2'), place: 'disk' },
      { path: home, place: 'named' },
    ],
    dataDirectory: join(home, 'data'),
  });
});

afterEach(() => rm(home, { recursive: true, force: true }));

const names = ({ folders }: FolderListing): string[] => folders.map(({ name }) => name);
const idOf = ({ folders }: FolderListing, name: string): string =>
  folders.find((folder) => folder.name === name)?.id ?? expect.fail(`no folder ${name}`);

test('folders are chosen from places that exist, each once, without an empty disk', async () => {
  const places = folderListing.parse(await choice.list(null));
  expect(places).toMatchObject({ folder: null, parent: null, folders: [{ name: home, place: 'home' }] });
  await mkdir(join(home, 'disk 2', 'stick'));
  expect(names(await choice.list(null))).toEqual([home, join(home, 'disk 2')]);
});

test('a folder lists folders alone, without hidden ones, links and the data directory', async () => {
  await symlink('/etc', join(home, 'etc'));
  const inHome = folderListing.parse(await choice.list(idOf(await choice.list(null), home)));
  expect(names(inHome)).toEqual(['disk 2', 'disk 10', 'incoming']);
  expect(inHome).toMatchObject({ folder: { path: home }, parent: null, isCut: false });
  const incoming = await choice.list(idOf(inHome, 'incoming'));
  expect(names(incoming)).toEqual(['mail']);
  expect(incoming.parent).toBe(inHome.folder?.id);
  expect(await choice.pathOf(idOf(incoming, 'mail'))).toBe(join(home, 'incoming', 'mail'));
});

test('an id that was not given names no folder', async () => {
  const id = '0'.repeat(32);
  expect(await choice.pathOf(id)).toBeNull();
  await expect(choice.list(id)).rejects.toMatchObject({ failure: { kind: 'folder-not-named' } });
  await expect(choice.make(id, 'new')).rejects.toMatchObject({ failure: { kind: 'folder-not-named' } });
});

test('a folder is made in a listed one, and one that is there is taken', async () => {
  const inHome = await choice.list(idOf(await choice.list(null), home));
  const made = await choice.make(inHome.folder?.id ?? '', 'backup');
  expect(made).toMatchObject({ folder: { path: join(home, 'backup') }, parent: inHome.folder?.id, folders: [] });
  expect(names(await choice.make(inHome.folder?.id ?? '', 'incoming'))).toEqual(['mail']);
});

test.each(['..', '.', '', '.hidden', 'a/b', 'a\\b', 'a\0b', 'C:', 'end.', 'end ', 'x'.repeat(101)])(
  'a name of a new folder that leads elsewhere, or that a system does not take, is refused: %j',
  (name) => {
    expect(folderName.safeParse(name).success).toBe(false);
  },
);

test('the data directory is not listed under the name of a new folder', async () => {
  const { id } = (await choice.list(null)).folders[0] ?? expect.fail('no place');
  await expect(choice.make(id, 'data')).rejects.toMatchObject({ failure: { kind: 'folder-not-named' } });
});

test('a listed folder that became a link is not followed', async () => {
  const inHome = await choice.list(idOf(await choice.list(null), home));
  await rename(join(home, 'incoming'), join(home, 'moved'));
  await symlink(join(home, '.ssh'), join(home, 'incoming'));
  const refusal = { failure: { kind: 'folder-unreadable', path: join(home, 'incoming'), code: 'ELOOP' } };
  await expect(choice.list(idOf(inHome, 'incoming'))).rejects.toMatchObject(refusal);
  await expect(choice.make(idOf(inHome, 'incoming'), 'new')).rejects.toMatchObject(refusal);
  await expect(choice.pathOf(idOf(inHome, 'incoming'))).rejects.toMatchObject(refusal);
});

test('a folder that is missing, or is a file by now, is reported with its path', async () => {
  const inHome = await choice.list(idOf(await choice.list(null), home));
  await rm(join(home, 'incoming'), { recursive: true });
  await expect(choice.list(idOf(inHome, 'incoming'))).rejects.toMatchObject({
    failure: { kind: 'folder-unreadable', code: 'ENOENT' },
  });
  await writeFile(join(home, 'incoming'), '');
  await expect(choice.list(idOf(inHome, 'incoming'))).rejects.toMatchObject({
    failure: { kind: 'folder-unreadable', code: 'ENOTDIR' },
  });
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that may not be read or written is reported',
  async () => {
    const inHome = await choice.list(idOf(await choice.list(null), home));
    await chmod(join(home, 'incoming'), 0o000);
    await expect(choice.list(idOf(inHome, 'incoming'))).rejects.toMatchObject({
      failure: { kind: 'folder-unreadable', code: 'EACCES' },
    });
    await chmod(join(home, 'incoming'), 0o500);
    await expect(choice.make(idOf(inHome, 'incoming'), 'new')).rejects.toMatchObject({
      failure: { kind: 'not-writable' },
    });
    await chmod(join(home, 'incoming'), 0o700);
  },
);

test('a host with a picker lists no folder', async () => {
  const none = new FolderChoice({ folderPlaces: [], dataDirectory: join(home, 'data') });
  expect(await none.list(null)).toEqual({ folder: null, parent: null, folders: [], isCut: false });
});
