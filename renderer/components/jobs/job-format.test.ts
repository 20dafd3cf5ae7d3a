import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import {
  endSentence,
  jobShare,
  formatJobState,
  jobStateWithin,
  jobTitle,
  formatMissing,
  newsOf,
  sizePair,
} from './job-format.ts';
import { bulkJob, huntJob, scanJob } from './job.fixture.ts';

const ended = (counts: Partial<Job['counts']>, items: number): Job => ({
  ...bulkJob,
  state: 'done',
  items,
  counts: { ...bulkJob.counts, waiting: 0, ...counts },
});

test.each([
  [ended({ done: 3 }, 3), '3 samples downloaded and verified'],
  [ended({ done: 2, 'already-here': 1 }, 3), '3 samples in the vault: 2 downloaded, 1 already here'],
  [ended({ 'already-here': 12 }, 12), '12 samples were already in the vault'],
  [ended({ done: 102, unknown: 9, failed: 1 }, 112), '10 of 112 not downloaded'],
  [{ ...ended({ done: 5, cancelled: 7 }, 12), state: 'cancelled' } as const, 'Cancelled with 5 of 12 in the vault'],
])('the summary of a finished job is a sentence', (job, sentence) => {
  expect(endSentence(job)).toBe(sentence);
  expect(newsOf(job)).toBe(`Job 218 ended: ${sentence}`);
});

test('the summary of a scan shows no transferred bytes and counts the scanned files', () => {
  expect(endSentence(scanJob)).toBe('1 file scanned');
  expect(endSentence({ ...scanJob, items: 14, counts: { ...scanJob.counts, done: 12, failed: 2 } })).toBe(
    '2 of 14 not scanned',
  );
  const hunted: Job = { ...huntJob, state: 'done', counts: { ...huntJob.counts, waiting: 0, done: 8214 } };
  expect(endSentence(hunted)).toBe('8,214 samples scanned');
  const found: Job = {
    ...hunted,
    task: { ...hunted.task, ...(hunted.task.kind === 'hunt' && { found: { added: 3, samples: 2, lost: 1 } }) },
  };
  expect(newsOf(found)).toBe('Job 222 ended: 8,214 samples scanned: 3 new hits in 2 samples, 1 hit lost');
  expect(
    endSentence({
      ...huntJob,
      state: 'cancelled',
      counts: { ...huntJob.counts, waiting: 0, done: 8000, cancelled: 214 },
    }),
  ).toBe('Cancelled with 8,000 of 8,214 scanned');
});

test('the summary of a vault check separates intact samples from others', () => {
  const check: Job = {
    ...bulkJob,
    task: { kind: 'vault-check' },
    workspaceId: null,
    state: 'done',
    items: 3,
    counts: { ...bulkJob.counts, waiting: 0, done: 3 },
  };
  expect(endSentence(check)).toBe('3 samples checked, all intact');
  const damaged: Job = { ...check, counts: { ...check.counts, done: 1, mismatch: 1, vanished: 1 } };
  expect(endSentence(damaged)).toBe('2 of 3 not intact');
  expect(formatMissing(damaged)).toBe('1 missing, 1 modified');
});

test('the summary of a sample change lists unchanged and skipped ones, that of a removal the forgotten ones', () => {
  const change: Job = {
    ...bulkJob,
    task: { kind: 'library-change', what: 'change', add: ['a'], remove: [], addsNote: false },
    state: 'done',
    items: 3,
    counts: { ...bulkJob.counts, waiting: 0, done: 2, 'already-here': 1 },
  };
  expect([jobTitle(change), endSentence(change)]).toEqual(['Change samples', '3 samples: 2 changed, 1 unchanged']);
  const partly: Job = { ...change, counts: { ...change.counts, done: 1, unknown: 1 } };
  expect([endSentence(partly), formatMissing(partly)]).toEqual(['1 of 3 not changed', '1 skipped']);
  const forgetting = {
    ...change,
    task: { kind: 'library-change' as const, what: 'all' as const, add: [], remove: [], addsNote: false },
  };
  expect([jobTitle(forgetting), endSentence(forgetting)]).toEqual([
    'Forget samples',
    '3 samples: 2 forgotten, 1 had nothing to forget',
  ]);
  const removal: Job = { ...forgetting, task: { ...forgetting.task, what: 'bytes' } };
  expect([jobTitle(removal), endSentence(removal)]).toEqual([
    'Remove vault copies',
    '3 samples: 2 vault copies removed, 1 had none',
  ]);
  const whole: Job = { ...removal, counts: { ...change.counts, done: 3, 'already-here': 0 } };
  expect(endSentence(whole)).toBe('3 copies in the vault removed');
});

test('the summary names why items are missing, by number', () => {
  expect(formatMissing(ended({ done: 1, unknown: 3, forbidden: 1 }, 5))).toBe('3 unknown, 1 forbidden');
  expect(formatMissing(ended({ done: 1, 'needs-md5': 1 }, 2))).toBe('1 needs MD5');
  expect(formatMissing(ended({ done: 1, 'needs-md5': 2 }, 3))).toBe('2 need MD5');
});

test('the progress share is of the bytes where known, and reaches 100 only at the end', () => {
  expect(jobShare({ ...bulkJob, bytes: 74, expectedBytes: 100 })).toBe(74);
  expect(jobShare({ ...bulkJob, bytes: 200, expectedBytes: 100 })).toBe(99);
  expect(jobShare({ ...bulkJob, items: 4, counts: { ...bulkJob.counts, waiting: 3, done: 1 } })).toBe(25);
  expect(jobShare(ended({ done: 1 }, 1))).toBe(100);
});

test('a halted job is distinguished from a paused one', () => {
  const awake = { resumesAt: null, failure: null } as const;
  expect(formatJobState({ ...awake, state: 'paused' })).toBe('Paused');
  expect(formatJobState({ ...awake, state: 'paused', failure: { kind: 'host-gone' } })).toBe('Halted');
  expect(formatJobState({ ...awake, state: 'running', step: 'compiling' })).toBe('Compiling rules');
  expect(formatJobState({ ...awake, state: 'paused', step: 'compiling' })).toBe('Paused');
});

test('a sleeping job shows until when, alone and within a sentence', () => {
  const asleep = { state: 'waiting', resumesAt: '2030-01-02T09:25:00.000Z', failure: null } as const;
  expect(formatJobState(asleep)).toBe('Waiting until 2030-01-02 09:25Z');
  expect(jobStateWithin(asleep)).toBe('waiting until 2030-01-02 09:25Z');
  expect(formatJobState({ ...asleep, state: 'paused' })).toBe('Paused');
});

test.each([
  [1.39 * 2 ** 30, 1.88 * 2 ** 30, '1.39 of 1.88 GiB'],
  [980 * 2 ** 10, 1.88 * 2 ** 30, '980 KiB of 1.88 GiB'],
  [12, 90, '12 of 90 bytes'],
])('a pair of sizes shows its unit once', (part, whole, words) => {
  expect(sizePair(part, whole)).toBe(words);
});
