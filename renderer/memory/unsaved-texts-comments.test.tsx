import { afterEach, expect, test, vi } from 'vitest';
import { unsavedUploadComments } from './unsaved-texts.ts';

afterEach(() => {
  vi.restoreAllMocks();
  globalThis.localStorage.clear();
});

test('each workspace has its own comment, until it is cleared', () => {
  unsavedUploadComments.keep('lab', 'half a sen');
  unsavedUploadComments.keep('__proto__', '');
  expect(unsavedUploadComments.read('lab')).toBe('half a sen');
  expect(unsavedUploadComments.read('w-1')).toBeNull();
  unsavedUploadComments.clear('lab');
  expect(unsavedUploadComments.read('lab')).toBeNull();
});

test('a removed workspace loses its comment', () => {
  unsavedUploadComments.keep('lab', 'stays');
  unsavedUploadComments.keep('w-1', 'goes');
  unsavedUploadComments.keepOnly(['lab']);
  expect([unsavedUploadComments.read('lab'), unsavedUploadComments.read('w-1')]).toEqual(['stays', null]);
});

test.each(['{', '[1]', '{"lab":7}'])('a foreign value in the storage (%s) counts as no comment', (stored) => {
  globalThis.localStorage.setItem('vitrine.upload-comments', stored);
  expect(unsavedUploadComments.read('lab')).toBeNull();
});

test('a browser without storage keeps nothing and reports nothing', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  unsavedUploadComments.keep('lab', 'x');
  expect(unsavedUploadComments.read('lab')).toBeNull();
});
