import { expect, test } from 'vitest';
import { failureExamples } from './failure-examples.fixture.ts';
import { canBeRetried } from './failure-retry.ts';
import { sentenceFor } from './failure-sentences.ts';

const kindsThat = (fits: (kind: (typeof failureExamples)[number]) => boolean): string[] =>
  failureExamples.filter(fits).map(({ kind }) => kind);

test.each([
  'unreachable',
  'timed-out',
  'connection-lost',
  'slow-down',
  'service-failed',
  'lab-down',
  'disk-full',
  'storage-busy',
  'host-gone',
  'token-refused',
])('the failure %s can be retried', (kind) => {
  expect(kindsThat(canBeRetried)).toContain(kind);
});

test.each([
  'bad-input',
  'hash-wrong-length',
  'needs-md5',
  'file-empty',
  'comment-too-long',
  'third-party-refused',
  'passphrase-wrong',
  'workspace-missing',
])('the failure %s has its cause in the request itself', (kind) => {
  expect(kindsThat(canBeRetried)).not.toContain(kind);
});

test('a request that may have arrived is never offered for a retry', () => {
  expect(kindsThat(canBeRetried)).not.toContain('may-have-arrived');
  expect(kindsThat(canBeRetried)).not.toContain('upload-unconfirmed');
});

test('a message that advises a retry is of a retryable kind', () => {
  const advised = failureExamples.filter((failure) => /\btry (it )?again\b/i.test(sentenceFor(failure).then));
  expect(advised.length).toBeGreaterThan(8);
  expect(advised.filter((failure) => !canBeRetried(failure)).map(({ kind }) => kind)).toEqual([]);
});
