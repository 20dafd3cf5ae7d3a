import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ProcessTerminal, type TerminalOptions } from './process-terminal.ts';
import { type Column, Records, shownTime } from './records.ts';
import { cutTo, textWidth } from './table-columns.ts';

interface Row {
  hash: string;
  size: number | null;
  name: string | null;
}

const columns: readonly Column<Row>[] = [
  { head: 'HASH', value: ({ hash }) => hash, cut: 'hash' },
  { head: 'SIZE', value: ({ size }) => size, align: 'right' },
  { head: 'NAME', value: ({ name }) => name, cut: 'text' },
];
const rows: readonly Row[] = [
  { hash: 'a'.repeat(32), size: 12_345, name: 'invoice.exe' },
  { hash: 'b'.repeat(32), size: null, name: '請求書.exe' },
];

const terminalOver = (output: PassThrough, options: Partial<Omit<TerminalOptions, 'streams'>>): ProcessTerminal =>
  new ProcessTerminal({
    format: null,
    isQuiet: false,
    environment: { NO_COLOR: '1' },
    signal: new AbortController().signal,
    onEnd: () => {},
    ...options,
    streams: { output, errors: new PassThrough(), input: () => new PassThrough(), writeFile: null },
  });

async function written(
  given: readonly Row[],
  { width, ...options }: Partial<Omit<TerminalOptions, 'streams'>> & { width?: number },
): Promise<string> {
  const output = Object.assign(new PassThrough(), width === undefined ? {} : { isTTY: true, columns: width });
  const terminal = terminalOver(output, options);
  const records = new Records(terminal, columns, () => 'alarm');
  for (const row of given) await (terminal.isJson ? terminal.json(row) : records.add(row));
  if (!terminal.isJson) await records.end();
  await terminal.end(true);
  return String(output.read() ?? '');
}

test('a list in a terminal is a table with headings, aligned by visible width', async () => {
  expect(await written(rows, { width: 80 })).toBe(
    [
      'HASH                                SIZE  NAME',
      `${'a'.repeat(32)}  12,345  invoice.exe`,
      `${'b'.repeat(32)}       -  請求書.exe`,
      '',
    ].join('\n'),
  );
});

test('a table is cut to the terminal width, hashes before names, and drops columns last', async () => {
  for (const [width, line] of [
    [50, `${'a'.repeat(28)}…  12,345  invoice.exe`],
    [30, `${'a'.repeat(8)}…  12,345  invoice.exe`],
    [28, `${'a'.repeat(14)}…  invoice.exe`],
    [20, `${'a'.repeat(7)}…  invoice.e…`],
  ] as const) {
    const lines = (await written(rows, { width })).split('\n');
    expect(lines[1]).toBe(line);
    expect(lines.filter((one) => textWidth(one) > width)).toEqual([]);
  }
});

test('a row after the measured ones is not wider than the terminal', async () => {
  const many = Array.from({ length: 501 }, (_, at): Row => ({
    hash: '',
    size: at < 500 ? 1 : 10 ** 15,
    name: '請'.repeat(9),
  }));
  for (const width of [20, 24, 30]) {
    const lines = (await written(many, { width })).split('\n');
    expect(lines.filter((one) => textWidth(one) > width)).toEqual([]);
  }
});

test('a terminal that reports no width counts as 80 columns wide', async () => {
  const wide: Row = { hash: 'a'.repeat(64), size: 1, name: 'n'.repeat(64) };
  expect(await written([wide], { width: 0 })).toBe(await written([wide], { width: 80 }));
});

test('a single value as CSV has CRLF line ends and headings in words', async () => {
  const output = new PassThrough();
  const terminal = terminalOver(output, { format: 'csv' });
  await terminal.value({ withBytes: 1, name: 'a\nb', parts: { noteText: true } });
  expect(String(output.read())).toBe('with bytes,name,parts\r\n1,a\\u000ab,"{""noteText"":true}"\r\n');
});

test('a list in a pipe is lines with tabs and without headings, and is never cut', async () => {
  expect(await written(rows, {})).toBe(`${'a'.repeat(32)}\t12345\tinvoice.exe\n${'b'.repeat(32)}\t-\t請求書.exe\n`);
});

test('--format table, csv, jsonl and json write the same rows', async () => {
  const [row] = rows;
  expect(await written(rows.slice(0, 1), { format: 'table' })).toContain('SIZE  NAME\n');
  expect(await written(rows, { format: 'csv' })).toBe(
    `hash,size,name\r\n${'a'.repeat(32)},12345,invoice.exe\r\n${'b'.repeat(32)},,請求書.exe\r\n`,
  );
  expect(await written(rows.slice(0, 1), { format: 'jsonl' })).toBe(`${JSON.stringify(row)}\n`);
  expect(JSON.parse(await written(rows, { format: 'json' }))).toEqual(rows);
  expect(JSON.parse(await written([], { format: 'json' }))).toEqual([]);
  expect(await written([], { format: 'csv' })).toBe('hash,size,name\r\n');
});

test('a CSV cell is quoted and never a formula', async () => {
  expect(await written([{ hash: '', size: 1, name: '=1+1,"x"' }], { format: 'csv' })).toBe(
    'hash,size,name\r\n,1,"\'=1+1,""x"""\r\n',
  );
});

test('colors appear only in terminals, and never with NO_COLOR or a dumb terminal', async () => {
  const escape = '\u001b[31m';
  expect(await written(rows, { width: 80, environment: {} })).toContain(escape);
  expect(await written(rows, { width: 80, environment: { NO_COLOR: '' } })).toContain(escape);
  for (const environment of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect(await written(rows, { width: 80, environment })).not.toContain('\u001b');
  expect(await written(rows, { environment: {} })).not.toContain('\u001b');
});

test.each(['\n', '\t', '\u0085', '\u2028', '\u2029', '\u202e', '\u001b[31m', '\u200b', '\u0007'])(
  'characters in a cell that would hide, redirect or end a line are escaped: %j',
  async (hidden) => {
    const name = `a${hidden}b`;
    for (const options of [{}, { width: 80 }]) {
      const text = await written([{ hash: '', size: 1, name }], options);
      expect(text).toContain(`a\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`);
      expect(text.trimEnd().split(/[\n\u0085\u2028\u2029]/)).toHaveLength('width' in options ? 2 : 1);
    }
  },
);

test('the width of a text equals its display width in a terminal', () => {
  expect(['abc', 'é', 'e\u0301', '請', '👍', '👨‍👩‍👧', '\u200b'].map(textWidth)).toEqual([3, 1, 1, 2, 2, 2, 0]);
  expect([cutTo('請求書', 4), cutTo('e\u0301e\u0301e\u0301', 2), cutTo('abc', 3)]).toEqual(['請…', 'e\u0301…', 'abc']);
});

test('a time keeps its zone, or counts as server time', () => {
  expect(
    ['2026-11-09 07:40:12', '2026-11-09T09:40:12+02:00', '2026-11-09T07:40:12.345Z', 'yesterday'].map(shownTime),
  ).toEqual(['2026-11-09 07:40:12 server time', '2026-11-09T07:40:12Z', '2026-11-09T07:40:12Z', 'yesterday']);
});
