import { expect, test } from 'vitest';
import type { UploadFile } from '../../../shared/domain/upload.ts';
import { uploadFile } from './upload-file.fixture.ts';
import { standingOf } from './file-standing.ts';

const archive = (state: 'opening' | 'open' | 'locked' | 'refused'): Partial<UploadFile> => ({
  archive: {
    state,
    members: 0,
    failure: state === 'refused' ? { kind: 'archive-damaged', name: 'a.zip', reason: 'The end is missing' } : null,
    nameEncoding: null,
  },
});

test.each<[Partial<UploadFile>, string, string | null]>([
  [{}, 'New', null],
  [{ presence: 'unasked' }, 'Checking…', null],
  [{ presence: 'there' }, 'Already there', 'Not sent again'],
  [{ presence: 'unanswered', presenceFailure: { kind: 'host-gone' } }, 'No response', 'Vitrine is not responding'],
  [
    {
      presence: 'unanswered',
      presenceFailure: {
        kind: 'action-unknown',
        service: 'repository',
        address: 'https://samples.example/api.php',
        action: 'getfile',
      },
    },
    'Not checked',
    'does not support',
  ],
  [{ presence: 'held', isTicked: false }, 'Not checked', 'from the watched folder'],
  [{ state: 'hashing' }, 'Hashing…', null],
  [{ state: 'empty' }, 'Empty, skipped', 'Empty files'],
  [{ state: 'same', sameAs: 7 }, 'Same as first.bin', 'sent once'],
  [{ state: 'unreadable', failure: { kind: 'file-gone', name: 'a' } }, 'Missing', 'moved or deleted'],
  [{ state: 'unreadable', failure: { kind: 'file-changed', name: 'a' } }, 'Changed', 'not the file you reviewed'],
  [
    { state: 'unreadable', failure: { kind: 'two-samples-one-md5', md5: 'a', sha256s: [] } },
    'MD5 collision',
    'stored separately',
  ],
  [
    { state: 'unreadable', parentId: 3, failure: { kind: 'archive-name-refused', name: '../x', reason: 'dotted' } },
    'Not extracted',
    'unsafe name',
  ],
  [archive('opening'), 'Opening…', null],
  [archive('open'), 'New', null],
  [archive('locked'), 'Locked', 'No known password'],
  [archive('refused'), 'Not opened', 'the end is missing'],
])('a file shows its state in a word, with the reason: %j', (facts, word, then) => {
  const standing = standingOf({ ...uploadFile, ...facts }, 'first.bin');
  expect(standing.word).toBe(word);
  if (then === null) expect(standing.then).toBeNull();
  else expect(standing.then).toContain(then);
});
