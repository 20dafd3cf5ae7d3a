import { expect, test } from 'vitest';
import type { BundledRecord, BundledSample } from '../../../shared/domain/bundle.ts';
import { longestNote } from '../../../shared/domain/library.ts';
import { FailureError } from '../../../shared/failure.ts';
import { CommentStore } from '../comments/comment-store.ts';
import { LibraryStore } from '../library/library-store.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith } from '../testing/database.fixture.ts';
import { BundleStore, type TakenAs } from './bundle-store.ts';

let library: LibraryStore;
let comments: CommentStore;
let bundles: BundleStore;
databaseForEachTest(({ db, journal }) => {
  library = new LibraryStore(db, journal);
  comments = new CommentStore(db, journal);
  bundles = new BundleStore(db, journal);
});

const [md5, sha1, sha256] = ['a'.repeat(32), 'b'.repeat(40), 'c'.repeat(64)];
const said = (content: string) => ({ id: '7', parentId: null, author: 'someone', content, created: null });
const reported = (content: string): BundledRecord => ({
  readAt: '2026-01-01T00:00:00.000Z',
  record: recordWith({ md5, name: 'theirs', comments: [said(content)], listsComments: true }),
});
const sampleWith = (facts: Partial<BundledSample> = {}): BundledSample => ({
  sha256,
  md5,
  sha1,
  sizeBytes: 1,
  tags: ['theirs'],
  tlp: null,
  note: null,
  ...facts,
});
const take = (sample: BundledSample, records: BundledRecord[] = []): TakenAs | undefined =>
  bundles.takeIn([{ sample, records, stored: null }], {
    workspaceId: 'lab',
    fingerprint: 'f'.repeat(64),
    name: 'Ada',
    jobId: 1,
  })[0];
const keep = (): void =>
  library.recordUploads([{ workspaceId: 'lab', md5, hashes: { md5, sha1, sha256 }, sizeBytes: 1, outcome: 'done' }]);

test('a bundle comment does not count as local and cannot be answered at the service', () => {
  keep();
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ md5, listsComments: true }) });
  const mine = comments.begin('lab', md5, { text: 'mine', parentId: null });
  comments.settle(mine, { state: 'sent', remoteId: '7' });
  const waiting = comments.begin('lab', md5, { text: 'the same words', parentId: null });
  take(sampleWith(), [reported('the same words')]);
  const thread = comments.thread('lab', md5).comments;
  expect(thread.map(({ content, own }) => [content, own?.id ?? null, own?.isListed ?? null])).toEqual([
    ['the same words', null, null],
    ['mine', mine, false],
    ['the same words', waiting, false],
  ]);
  const answer = (): unknown => comments.begin('lab', md5, { text: 'an answer', parentId: thread[0]?.id ?? '' });
  expect(answer).toThrow(FailureError);
  expect(answer).toThrow(expect.objectContaining({ failure: { kind: 'comment-of-bundle' } }));
});

test('a sample of other bytes with the same MD5 does not delete the local record', () => {
  keep();
  library.noteRecord({ workspaceId: 'lab', md5, record: recordWith({ md5, sha256, name: 'ours' }) });
  expect(
    take(sampleWith({ sha256: 'd'.repeat(64), sha1: null }), [
      { ...reported('theirs'), readAt: new Date(Date.now()).toISOString() },
    ]),
  ).toBe('contradicted');
  expect(library.sample(sha256)?.row).toMatchObject({ name: 'ours', comments: 0 });
  expect(library.history('d'.repeat(64))[0]).toMatchObject({ operation: 'bundle', outcome: 'bundle-contradicts' });
});

test('the journal records a sample whose note had no space left', () => {
  keep();
  library.setNote(sha256, 'n'.repeat(longestNote));
  expect(take(sampleWith({ note: { text: 'theirs', changed: '2026-01-01T00:00:00.000Z' } }))).toBe('full');
  expect(library.history(sha256)[0]).toMatchObject({ operation: 'bundle', outcome: 'bundle-note-full' });
});

test('a sample is refused when its other hashes differ from those of the local bytes', () => {
  keep();
  const row = library.sample(sha256)?.row;
  for (const wrong of [{ md5: 'e'.repeat(32) }, { sha1: 'e'.repeat(40) }])
    expect(take(sampleWith({ ...wrong, tlp: 'red' }), [reported('theirs')])).toBe('refused');
  expect(library.sample(sha256)?.row).toEqual(row);
  expect(library.history(sha256)[0]).toMatchObject({ operation: 'bundle', outcome: 'bundle-contradicts' });
  expect(take(sampleWith({ sha1: null }))).toBe('changed');
  expect(library.sample(sha256)?.row.tags).toEqual(['theirs']);
});
