import { expect, test } from 'vitest';
import { documentOf, figuresIn, unmeasuredIn } from './document.ts';
import { figuresOf } from './report.ts';
import type { Row } from './row.ts';

const measure: Row['measure'] = async () => ({ ratio: 1, residentMiB: null });
const fast: Row = {
  name: 'fast',
  reference: 'tar | md5sum *',
  limit: 'The disk.',
  aim: 0.5,
  must: 0.8,
  residentMustMiB: 400,
  longestMustMs: 50,
  measure,
};
const light: Row = {
  name: 'light',
  reference: 'memory only',
  limit: 'Nothing | yet.',
  aim: null,
  must: null,
  residentMustMiB: null,
  measure,
};
const figures = figuresOf({
  row: fast,
  ratio: 0.456,
  residentMiB: 123.4,
  longest: [{ what: 'page', ms: 20, ownMs: 10 }],
  held: [{ what: 'heap', value: 1, must: 2 }],
});

test('the benchmark page has each row with its figures, its reference and its limit', () => {
  const page = documentOf([fast, light], new Map([['fast', figures]]));
  expect(page).toContain(
    '| fast | 0.46 | 0.5 | 0.8 | 123 ≤ 400 | page 20.0 ≤ 50 ms (10.0 running); heap 1.00 ≤ 2 | tar \\| md5sum \\* |\n',
  );
  expect(page).toContain('| light | – | – | – | – |  | memory only |\n');
  expect(page).toContain('| light | Nothing \\| yet. |\n');
  expect(unmeasuredIn(page)).toEqual(['light']);
});

test('the benchmark page marks a figure that misses its required value', () => {
  const missed = figuresOf({
    row: fast,
    ratio: 0.81,
    residentMiB: 401,
    longest: [{ what: 'page', ms: 51, ownMs: 10 }],
    held: [{ what: 'heap', value: Number.NaN, must: 2 }],
  });
  expect(missed).toEqual({
    ratio: '0.81 > 0.8',
    memory: '401 > 400',
    besides: 'page 51.0 > 50 ms (10.0 running); heap NaN > 2',
  });
});

test('the benchmark page stays the same when it is generated again from its own figures', () => {
  const page = documentOf([fast, light], new Map([['fast', figures]]));
  expect(figuresIn(page).get('fast')).toEqual(figures);
  expect(documentOf([fast, light], figuresIn(page))).toBe(page);
});

test('the benchmark page is outdated when a row is added, removed or held to another limit', () => {
  const page = documentOf([fast], new Map([['fast', figures]]));
  for (const rows of [[fast, light], [], [{ ...fast, must: 0.7 }], [{ ...fast, limit: 'The network.' }]])
    expect(documentOf(rows, figuresIn(page))).not.toBe(page);
});
