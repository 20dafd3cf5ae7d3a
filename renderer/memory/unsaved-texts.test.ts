import { expect, test, vi } from 'vitest';
import { UnsavedDrafts } from './unsaved-texts.ts';

let databases = 0;
const freshName = (): string => `drafts-${(databases += 1)}`;
const draft = (text: string) => ({ text, parentId: null, basedOn: [] });

test('a later page finds the typed draft, until it is cleared', async () => {
  const name = freshName();
  expect(
    await new UnsavedDrafts(name).keep('lab', 'a', {
      text: 'half a sen',
      parentId: '7',
      basedOn: [{ text: 'half', parentId: null }],
    }),
  ).toBe(true);
  const later = new UnsavedDrafts(name);
  expect(await later.read('lab', 'a')).toEqual({
    text: 'half a sen',
    parentId: '7',
    basedOn: [{ text: 'half', parentId: null }],
  });
  await later.clear('lab', 'a');
  expect(await new UnsavedDrafts(name).read('lab', 'a')).toBeNull();
});

test('each sample of each workspace has its own draft', async () => {
  const drafts = new UnsavedDrafts(freshName());
  await drafts.keep('lab', 'a', draft('of the lab'));
  await drafts.keep('w-1', 'a', draft('of the team'));
  expect(await drafts.read('lab', 'a')).toEqual(draft('of the lab'));
  expect(await drafts.read('lab', 'b')).toBeNull();
});

test('a removed workspace loses its drafts', async () => {
  const drafts = new UnsavedDrafts(freshName());
  await drafts.keep('lab', 'a', draft('stays'));
  await drafts.keep('w-1', 'a', draft('goes'));
  await drafts.keepOnly(['lab']);
  expect(await drafts.read('w-1', 'a')).toBeNull();
  expect(await drafts.read('lab', 'a')).toEqual(draft('stays'));
});

test('a browser without a database reports that the draft is not kept', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no', 'SecurityError');
  });
  const drafts = new UnsavedDrafts(freshName());
  expect(await drafts.keep('lab', 'a', draft('x'))).toBe(false);
  expect(await drafts.read('lab', 'a')).toBeNull();
  open.mockRestore();
});
