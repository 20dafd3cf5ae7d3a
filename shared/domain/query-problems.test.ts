import { expect, test } from 'vitest';
import { readLibraryQuery } from './library-query.ts';
import { queryProblemSentence } from './query-problems.ts';

const now = new Date('2026-11-05T10:30:00.000Z');

function sentenceOf(text: string): { what: string; example: string } {
  const read = readLibraryQuery(text, now);
  if (read.kind === 'terms') throw new TypeError(`${text} can be read`);
  return queryProblemSentence(read.problem);
}

test.each([
  'a'.repeat(1001),
  'a '.repeat(33),
  '"a',
  'tag:a"b',
  '-',
  '*',
  'name:',
  'size:',
  'tlp:',
  'tgs:x',
  'sise:1',
  'lastsen:<7d',
  'size:x',
  'filesize:x',
  'hits:x',
  'comments:x',
  'seen:x',
  'first:x',
  'hash:x',
  'md5:x',
  'sha1:x',
  'sha256:x',
  'tlp:x',
  'invault:x',
  'tag:a,b',
  `${'('.repeat(17)}a`,
  '(a',
  'a)',
  '()',
  'tag:(a OR b)',
  'a || b',
  'tag=a',
  'a OR',
  'NOT',
  'colour:red',
])('the example given for %.20j can be typed unchanged', (text) => {
  const { what, example } = sentenceOf(text);
  expect(what).toMatch(/^.{15,120}\.$/u);
  expect(readLibraryQuery(example, now)).toMatchObject({
    kind: 'terms',
    terms: expect.arrayContaining([expect.anything()]),
  });
});

test.each([
  ['sise:1', 'Unknown field “sise:”. Did you mean “size:”? Quote it to search for the text.'],
  ['vault:x', '“invault:” takes one of yes, no.'],
  ['lastseen:', 'Add a value after “seen:”.'],
])('the problem of %s is a message that names the field', (text, what) => {
  expect(sentenceOf(text).what).toBe(what);
});
