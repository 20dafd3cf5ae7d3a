import { expect, test } from 'vitest';
import type { RuleHit, ScannedFile, ScanResult } from './scan.ts';
import { scanCsvFileHead, scanCsvRows, scanJsonHead, scanJsonRows, scanJsonTail } from './scan-table.ts';

const hit = (given: Partial<RuleHit> = {}): RuleHit => ({
  rule: 'ashveil_config',
  namespace: 'default',
  tags: ['ashveil', 'config'],
  meta: [],
  family: 'ashveil',
  strings: [],
  place: null,
  ...given,
});
const result = (given: Partial<ScanResult> = {}): ScanResult => ({
  side: 'local',
  state: 'scanned',
  engine: 'native',
  package: { sha256: null, version: '1.4', rules: 3 },
  elapsedMs: 4,
  hits: [],
  isCut: false,
  withoutGlobal: [],
  failure: null,
  raw: null,
  ...given,
});
const file = (given: Partial<ScannedFile> = {}): ScannedFile => ({
  position: 1,
  name: '=cmd|calc.exe',
  md5: null,
  sha256: 'ab'.repeat(32),
  sizeBytes: 9,
  inVault: false,
  tlp: null,
  paths: [],
  tags: [],
  results: [result()],
  muted: [],
  added: [],
  lost: [],
  known: null,
  ...given,
});
const cellsOf = (rows: string): string[][] =>
  rows
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

test('each match has a line, and a rule without strings has one too', () => {
  const strings = [
    {
      id: '$a',
      total: 2,
      isAtLeast: false,
      matches: [
        { offset: 4, length: 2, data: '4d5a' },
        { offset: 9, length: null, data: null },
      ],
    },
  ];
  const rows = cellsOf(scanCsvRows([file({ results: [result({ hits: [hit({ strings }), hit({ rule: 'any' })] })] })]));
  expect(rows.map((cells) => cells.slice(8, -1))).toEqual([
    ['ashveil_config', 'default', 'ashveil', 'ashveil config', 'no', '$a', '4', '2', '4d5a'],
    ['ashveil_config', 'default', 'ashveil', 'ashveil config', 'no', '$a', '9', '', ''],
    ['any', 'default', 'ashveil', 'ashveil config', 'no', '', '', '', ''],
  ]);
});

test('a result without hits, a failed one and an unreadable one have a line with that outcome', () => {
  const results = [
    result(),
    result({ side: 'service', state: 'failed', failure: { kind: 'interrupted' } }),
    result({
      side: 'service',
      state: 'not-understood',
      failure: { kind: 'scan-not-understood', service: 'rule-editor', address: 'https://rules.example/api.php' },
    }),
  ];
  expect(cellsOf(scanCsvRows([file({ results })])).map((cells) => [cells[3], cells[6]])).toEqual([
    ['local', 'clean'],
    ['rule editor', 'failed'],
    ['rule editor', 'not understood'],
  ]);
});

test('every line has as many cells as the header, and a name cannot be a formula', () => {
  const rows = cellsOf(scanCsvRows([file(), file({ results: [result({ hits: [hit()] })] })]));
  expect(new Set(rows.map((cells) => cells.length))).toEqual(
    new Set(cellsOf(scanCsvFileHead).map((cells) => cells.length)),
  );
  expect(rows[0]?.[1]).toBe("'=cmd|calc.exe");
});

test('the pieces make one JSON text, in which muted hits are marked', () => {
  const muted = [{ rule: 'any', reason: 'noisy', expires: null }];
  const text =
    scanJsonHead +
    scanJsonRows([file()], true) +
    scanJsonRows([file({ muted, results: [result({ hits: [hit({ rule: 'any' }), hit()] })] })], false) +
    scanJsonTail;
  expect(JSON.parse(text)).toMatchObject([
    { results: [{ outcome: 'clean' }] },
    {
      results: [
        {
          outcome: 'hit',
          hits: [
            { rule: 'any', muted: true },
            { rule: 'ashveil_config', muted: false },
          ],
        },
      ],
    },
  ]);
});
