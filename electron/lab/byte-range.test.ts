import { expect, test } from 'vitest';
import { readRange } from './action.ts';
import { LabError } from './errors.ts';

test.each([
  ['no header', undefined, null],
  ['from the start', 'bytes=0-', { first: 0, last: 99 }],
  ['a piece', 'bytes=10-19', { first: 10, last: 19 }],
  ['a piece that ends beyond the end', 'bytes=90-500', { first: 90, last: 99 }],
  ['the last bytes', 'bytes=-5', { first: 95, last: 99 }],
  ['more last bytes than there are', 'bytes=-500', { first: 0, last: 99 }],
  ['several ranges, ignored', 'bytes=0-1,4-5', null],
  ['another unit, ignored', 'lines=1-2', null],
  ['ends before it starts, ignored', 'bytes=9-3', null],
  ['nothing, ignored', 'bytes=-', null],
  ['no number, ignored', 'bytes=a-b', null],
  ['a number too long to be one, ignored', `bytes=0-${'9'.repeat(400)}`, null],
])('the range reader reads a header: %s', (_title, header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test.each([
  ['starts at the end', 'bytes=100-', 100],
  ['an empty suffix', 'bytes=-0', 100],
  ['of an empty file', 'bytes=-1', 0],
])('the range reader finds a range not satisfiable: %s', (_title, header, size) => {
  expect(() => readRange(header, size)).toThrow(LabError);
});
