import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are parted by commas, and null is an empty one', () => {
  expect(csvLine(['a', 0, null, ''])).toBe('a,0,,\r\n');
});

test('a cell with a comma, a quote or the end of a line is quoted', () => {
  expect(csvLine(['a,b', 'say "x"', 'a\nb', 'a\rb'])).toBe('"a,b","say ""x""","a\nb","a\rb"\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%j is no formula to a spreadsheet', (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`);
});

test('a formula behind the end of a line is quoted, too', () => {
  expect(csvLine(['\n=1', '\r=1'])).toBe('"\'\n=1","\'\r=1"\r\n');
});

test('a number stays one, whatever its sign', () => {
  expect(csvLine([-1])).toBe('-1\r\n');
});
