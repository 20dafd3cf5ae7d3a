import { expect, test, vi } from 'vitest';
import { UnsavedNotes } from './unsaved-texts.ts';

let databases = 0;
const freshName = (): string => `notes-${(databases += 1)}`;

test('a later page finds the typed note, until it is cleared', async () => {
  const name = freshName();
  expect(await new UnsavedNotes(name).keep('a', { text: 'half a sen', basedOn: ['half'] })).toBe(true);
  expect(await new UnsavedNotes(name).read('a')).toEqual({ text: 'half a sen', basedOn: ['half'] });
  expect(await new UnsavedNotes(name).read('b')).toBeNull();
  expect(await new UnsavedNotes(name).samples()).toEqual(['a']);
  await new UnsavedNotes(name).clear('a');
  expect(await new UnsavedNotes(name).read('a')).toBeNull();
});

test('a browser without a database reports that the note is not kept', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no', 'SecurityError');
  });
  const notes = new UnsavedNotes(freshName());
  expect(await notes.keep('a', { text: 'x', basedOn: [] })).toBe(false);
  expect(await notes.read('a')).toBeNull();
  expect(await notes.samples()).toEqual([]);
  open.mockRestore();
});
