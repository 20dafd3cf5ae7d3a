import { expect, test } from 'vitest';
import { sampleRecord, sandboxWords, virusTotalWords } from './sample.ts';

const record = (
  sandbox: string | null,
  unknown: Record<string, string | number> = {},
  state: 'unknown' | null = null,
) =>
  sampleRecord.parse({
    ...Object.fromEntries(Object.keys(sampleRecord.shape).map((name) => [name, null])),
    tags: [],
    urls: [],
    comments: [],
    listsComments: false,
    commentsOmitted: 0,
    virusTotal: { state, score: null, link: null },
    sandbox: { state: sandbox, link: null },
    unknown,
  });

test.each([
  [null, null],
  ['0', 'found'],
  ['-1', 'analysis running'],
  ['-2', 'not analyzed'],
  ['1', 'code 1'],
  ['-6', 'code -6'],
  ['reported', 'reported'],
])('the sandbox state %j is shown as %j', (state, words) => {
  expect(sandboxWords(record(state))).toBe(words);
});

test('a VirusTotal state is shown in words, and an unknown code as such', () => {
  expect(virusTotalWords(record(null, {}, 'unknown'))).toBe('not found');
  expect(virusTotalWords(record(null, { virustotal_status: '-3' }))).toBe('code -3');
  expect(virusTotalWords(record(null, { virustotal_status: 5 }))).toBe('code 5');
  expect(virusTotalWords(record(null))).toBeNull();
});
