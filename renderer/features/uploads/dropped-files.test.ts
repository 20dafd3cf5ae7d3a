import { expect, test } from 'vitest';
import { mostDraftFiles } from '../../../shared/domain/upload.ts';
import { type DroppedEntry, type FoundFile, type RefusedFile, walkEntries } from './dropped-files.ts';
import { fileEntry, folderEntry } from './file-system.fixture.ts';

async function walk(dropped: readonly DroppedEntry[], isOver: (found: number) => boolean = () => false) {
  const found: FoundFile[] = [];
  const refused: RefusedFile[] = [];
  await walkEntries(dropped, {
    found: (files) => void found.push(...files),
    refused: (file) => void refused.push(file),
    isOver: () => isOver(found.length),
  });
  return { found, refused, places: found.map(({ path, name }) => [path, name]) };
}

test('files and folders of a drop are found in its order, each with its parent folders', async () => {
  const inner = folderEntry('wave 2', () => [fileEntry('b.js')]);
  const outer = folderEntry('case 114', () => [
    inner,
    fileEntry('a.js'),
    folderEntry('empty', () => []),
    folderEntry('wave 3', () => [fileEntry('d.js')]),
  ]);
  const { places, refused } = await walk([new File(['x'], 'first.bin'), outer, fileEntry('e.js')]);
  expect(places).toEqual([
    ['', 'first.bin'],
    ['case 114', 'a.js'],
    ['case 114/wave 2', 'b.js'],
    ['case 114/wave 3', 'd.js'],
    ['', 'e.js'],
  ]);
  expect(refused).toEqual([]);
});

test('a picked folder gives the path of each of its files', async () => {
  const picked = new File(['x'], 'a.js');
  Object.defineProperty(picked, 'webkitRelativePath', { value: 'case 114/wave 2/a.js' });
  expect((await walk([picked])).places).toEqual([['case 114/wave 2', 'a.js']]);
});

test('a folder is read to its end when the browser returns a hundred entries at a time', async () => {
  const files = Array.from({ length: 250 }, (_, index) => fileEntry(`${index}.bin`));
  expect((await walk([folderEntry('many', () => files)])).found.map(({ name }) => name)).toEqual(
    files.map(({ name }) => name),
  );
});

test('folder contents are sorted by name, with numbers in natural order', async () => {
  const folder = folderEntry('case', () =>
    ['b.bin', 'file-10.bin', 'a.bin', 'file-9.bin'].map((name) => fileEntry(name)),
  );
  expect((await walk([folder])).found.map(({ name }) => name)).toEqual(['a.bin', 'b.bin', 'file-9.bin', 'file-10.bin']);
});

test('an unreadable folder is reported by its name, and the others are read', async () => {
  const shut = folderEntry('shut', () => {
    throw Object.assign(new Error('no'), { name: 'NotReadableError' });
  });
  const { places, refused } = await walk([
    folderEntry('case', () => [shut, folderEntry('open', () => [fileEntry('a.js')])]),
  ]);
  expect(places).toEqual([['case/open', 'a.js']]);
  expect(refused).toEqual([
    { name: 'case/shut', failure: { kind: 'file-unreadable', name: 'case/shut', code: 'NotReadableError' } },
  ]);
});

test('a folder that contains itself is left at a depth of 64, and that is reported', async () => {
  const loop: FileSystemDirectoryEntry = folderEntry('loop', () => [fileEntry('a.js'), loop]);
  const { found, refused } = await walk([loop]);
  expect(found).toHaveLength(64);
  expect(refused).toEqual([
    { name: Array(65).fill('loop').join('/'), failure: { kind: 'file-unreadable', name: 'loop', code: 'ELOOP' } },
  ]);
});

test('reading ends also for folders that contain themselves twice', async () => {
  const loop: FileSystemDirectoryEntry = folderEntry('loop', () => [loop, loop]);
  const { found, refused } = await walk([loop]);
  expect(found).toEqual([]);
  expect(refused.at(-1)?.failure).toEqual({ kind: 'draft-too-large', limit: mostDraftFiles });
});

test('no more files are found than a draft holds, and that is reported once', async () => {
  const page = Array.from({ length: 100 }, (_, index) => fileEntry(`${index}.bin`));
  const folder = folderEntry('inner', () => page);
  const { found, refused } = await walk([folderEntry('endless', () => Array.from({ length: 1_005 }, () => folder))]);
  expect(found).toHaveLength(mostDraftFiles);
  expect(refused).toEqual([{ name: 'endless/inner', failure: { kind: 'draft-too-large', limit: mostDraftFiles } }]);
});

test('reading stops when its result is no longer needed', async () => {
  const folders = Array.from({ length: 10 }, (_, index) =>
    folderEntry(`${index}`, () => [fileEntry('a'), fileEntry('b')]),
  );
  expect((await walk([folderEntry('top', () => folders)], (found) => found >= 4)).found).toHaveLength(4);
});
