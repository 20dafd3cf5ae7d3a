import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rowSections } from '../rows/sections.ts';
import { runWays } from '../ways/run-ways.ts';
import { ways } from '../ways/ways.ts';
import { actionNames } from './actions.ts';
import { lineOfRow, rowOf, waysHeading } from './document.ts';
import { dueSentences } from './due-sentences.fixture.ts';
import { expected } from './expected/expected.ts';
import { faultNames, faults } from './faults.ts';
import { everyCell, type RanCell, runMatrix } from './matrix.ts';
import { makeCertificates } from './throw-away-certificates.ts';

/** The lines of the document's tables by heading, without their heads. */
async function documentedRows(): Promise<Map<string, string[]>> {
  const text = await readFile(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  const sections = text
    .split(/^## /m)
    .slice(1)
    .map((section) => section.split('\n'));
  return new Map(
    sections.map(([heading = '', ...lines]) => [
      heading,
      lines.filter((line) => line.startsWith('| ') && !/^\| (?:Fault|Way) \|/.test(line)),
    ]),
  );
}

const cellsOf = (row: string): string[] =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

test('the fault matrix document has each action and fault with its result in product messages', async () => {
  const rows = await documentedRows();
  expect([...rows.keys()]).toEqual([...actionNames, ...rowSections.map(({ heading }) => heading), waysHeading]);
  expect(everyCell).toHaveLength(actionNames.length * faultNames.length);
  for (const action of actionNames) {
    const cells = (rows.get(action) ?? []).map(cellsOf);
    const due = faultNames.map((fault): string[] => {
      const { ends, failure, requests, kept } = expected[action][fault];
      return [faults[fault].words, ends, failure ?? '', requests, kept];
    });
    expect(cells.map((cell) => cell.toSpliced(3, 1))).toEqual(due);
    // Every failure has a sentence for what happened and one for what to do.
    for (const [, , failure, sentence] of cells) expect(sentence).toMatch(failure === '' ? /^$/ : /^\S.*\. \S/);
    for (const [index, fault] of faultNames.entries()) {
      const { failure } = expected[action][fault];
      expect(failure === null ? [''] : dueSentences(failure, action, fault), `${action}/${fault}`).toContain(
        cells[index]?.[3],
      );
    }
  }
});

test('the fault matrix marks a failing cell in its line', () => {
  const ran: RanCell = { action: 'getfile', fault: 'stall', seen: null, wrong: ['a | b', 'c'] };
  expect(rowOf(ran)).toBe(`| ${faults.stall.words} | not as expected | | a \\| b; c | | |`);
});

test('some cells of the fault matrix hold against the real host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-matrix-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { ran, left } = await runMatrix(
    [
      { action: 'getfile', fault: 'redirect-elsewhere' },
      { action: 'downloadfile', fault: 'length-too-short' },
      { action: 'uploadfiles', fault: 'reset-before-headers' },
      { action: 'addcomment', fault: 'text-after' },
      { action: 'scanfile', fault: 'status-200-html' },
    ],
    folder,
    () => {},
  );
  expect(ran.map(({ action, fault, wrong }) => [action, fault, wrong])).toEqual(
    ran.map(({ action, fault }) => [action, fault, []]),
  );
  expect(ran).toHaveLength(5);
  expect(left).toEqual([]);
});

test.each(rowSections)(
  'the fault matrix document has each row of the section $name as expected',
  async ({ heading, rows }) => {
    const documented = (await documentedRows()).get(heading) ?? [];
    expect(documented).toEqual(rows.map((row) => lineOfRow({ row, seen: row.due, wrong: [] })));
    for (const { due } of rows) expect(due.sentence).toMatch(due.failure === null ? /^$/ : /^\S.*\. \S/);
    // A row is found by its words.
    expect(new Set(rows.map(({ action, words }) => `${action}/${words}`)).size).toBe(rows.length);
  },
);

const someRows: readonly string[] = [
  'breaks at later bytes each time, ranges honoured',
  '206 from another place',
  '206 with other bytes, then the whole file',
  'breaks before two stray bytes `{}` each time',
  'breaks once, in the second sample',
  'the first try broke in the second sample',
  'a PHP notice as HTML before JSON',
  'gzip unasked, a bomb (compressed twice)',
  '`files:[]` after a form over the limit: a small and a large file',
  'a ZIP of 30 files is unpacked, 25 are kept',
  'a comment is decoded once more',
];

test.each(rowSections)('some rows of the section $name hold against the real host', async ({ run }) => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-rows-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { ran, left } = await run(
    ({ words }) => someRows.includes(words),
    folder,
    () => {},
  );
  expect(ran.map(({ row, wrong }) => [row.words, wrong])).toEqual(ran.map(({ row }) => [row.words, []]));
  expect(ran.length).toBeGreaterThan(3);
  expect(left).toEqual([]);
});

test('the fault matrix document has each way to a service with its result in product messages', async () => {
  const rows = ((await documentedRows()).get(waysHeading) ?? []).map(cellsOf);
  expect(rows.map((cells) => cells.toSpliced(2, 1))).toEqual(
    ways.map(({ words, failure, seen }) => [words, failure ?? '', seen]),
  );
  for (const [, failure, sentence] of rows) expect(sentence).toMatch(failure === '' ? /^$/ : /^\S.*\. \S/);
});

test('some ways to a service hold against the real host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-ways-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const some = ways.filter(({ words }) =>
    [
      'an https proxy with a login',
      'a SOCKS5 proxy with a login',
      'a proxy of an unsupported kind (`quic`)',
      'a Basic login is required',
    ].includes(words),
  );
  const ran = await runWays(some, folder, await makeCertificates(), () => {});
  expect(ran.map(({ way, wrong }) => [way.words, wrong])).toEqual(some.map(({ words }) => [words, []]));
  expect(ran).toHaveLength(4);
});
