import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure } from '../failure.ts';
import { anyUnit } from '../testing/any-unit.ts';
import { csvHead, csvRows, hashLines, jsonHead, jsonRows, jsonTail } from './job-table.ts';
import { itemStates, type JobItem } from './job.ts';
import { visibleLine } from './visible-text.ts';

const md5 = 'a'.repeat(32);
const sha256 = 'b'.repeat(64);
const item = (facts: Partial<JobItem>): JobItem => ({
  position: 1,
  hash: md5,
  md5,
  sha256: null,
  state: 'waiting',
  sizeBytes: null,
  name: null,
  failure: null,
  ...facts,
});
const refused = (text: string): Failure => ({
  kind: 'forbidden',
  service: 'repository',
  address: 'https://h/api.php',
  status: 403,
  text,
});

test('a CSV row names the SHA-256 first, then the requested hash of the sample and its outcome', () => {
  const rows = csvRows([
    item({ state: 'already-here', sha256, sizeBytes: 12 }),
    item({ state: 'unknown', failure: { kind: 'unknown-hash', service: 'repository', hash: md5 } }),
  ]);
  expect(`${csvHead}${rows}`).toBe(
    [
      'sha256,md5,hash,outcome,reason,size_bytes,name',
      `${sha256},${md5},${md5},already here,,12,`,
      `,${md5},${md5},unknown,"The repository does not know this hash. Check the hash, or look it up in ` +
        'another workspace.",,',
      '',
    ].join('\r\n'),
  );
});

test('a requested SHA-256 is in its column even without bytes', () => {
  expect(csvRows([item({ hash: sha256, md5: null, state: 'needs-md5' })])).toBe(
    `${sha256},,${sha256},needs an MD5,,,\r\n`,
  );
});

const unguarded = (cell = ''): string => cell.replaceAll("'", '');

/** A reading of RFC 4180 that knows nothing of how the rows were written. */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows;
}

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1'])('a cell that begins as %j can be no formula', (text) => {
  // The only texts from outside are within sentences; this one begins with what was quoted.
  const rows = csvRows([item({ state: 'failed', failure: { kind: 'unknown-operation', name: text } })]);
  expect(cellsOf(rows)[0]?.[4]).toContain(text);
  const begins = csvRows([item({ hash: text })]);
  expect(cellsOf(begins)[0]?.[2]).toBe(`'${text}`);
  expect(cellsOf(csvRows([item({ name: text })]))[0]?.[6]).toBe(`'${text}`);
});

test('any text of a service or name of a file stays in its cell', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...itemStates), fc.string({ unit: anyUnit })), { minLength: 1, maxLength: 5 }),
      (facts) => {
        const items = facts.map(([state, text]) => item({ state, name: text, failure: refused(text) }));
        const rows = cellsOf(csvRows(items)).slice(0, items.length);
        expect(rows.map((row) => row.length)).toEqual(items.map(() => 7));
        for (const [index, [, text]] of facts.entries()) {
          const shown = unguarded(visibleLine(text.toWellFormed()));
          expect(unguarded(rows[index]?.[4])).toContain(shown);
          expect(unguarded(rows[index]?.[6])).toBe(shown);
        }
      },
    ),
  );
});

test.each([[[]], [[1]], [[1, 2]], [[2, 0, 3]]])('JSON in pages of %j items is one array', (pages) => {
  let isFirst = true;
  let text = jsonHead;
  for (const count of pages) {
    const items = Array.from({ length: count }, (_, index) =>
      item({ position: index + 1, failure: refused('"quoted"\nand more') }),
    );
    text += jsonRows(items, isFirst);
    isFirst &&= count === 0;
  }
  const read: unknown = JSON.parse(`${text}${jsonTail}`);
  expect(read).toHaveLength(pages.reduce((sum, count) => sum + count, 0));
  expect(text.split('\n').every((line) => line.length < 300)).toBe(true);
});

test.each(['\u2028', '\u2029', '\n', '\r', '"'])('%j within a reason is unchanged in JSON', (text) => {
  const read: unknown = JSON.parse(
    `${jsonHead}${jsonRows([item({ failure: refused(`a${text}b`) })], true)}${jsonTail}`,
  );
  expect(read).toEqual([expect.objectContaining({ reason: expect.stringContaining(`a${text}b`) })]);
});

test('JSON has the same facts as CSV', () => {
  expect(
    JSON.parse(
      `${jsonHead}${jsonRows([item({ sha256, state: 'done', sizeBytes: 3, name: 'fontcache.dat' })], true)}${jsonTail}`,
    ),
  ).toEqual([{ sha256, md5, hash: md5, outcome: 'done', reason: null, sizeBytes: 3, name: 'fontcache.dat' }]);
});

test('the hashes alone are one per line', () => {
  expect(hashLines([item({}), item({ hash: sha256 })])).toBe(`${md5}\n${sha256}\n`);
});
