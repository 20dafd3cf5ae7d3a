import { expect, test } from 'vitest';
import { endInWords, plainWords, tellingLine } from './process-end.ts';

test.each([
  [{ code: 1, signal: null }, 'exit code 1'],
  [{ code: null, signal: 'SIGSEGV' }, 'SIGSEGV'],
  [{ code: null, signal: null }, 'killed'],
])('the end %j reads "%s"', (end, words) => {
  expect(endInWords(end)).toBe(words);
});

test('terminal sequences are removed and other control characters become visible', () => {
  expect(plainWords('\u001b[31mError:\u001b[0m \u001b]0;title\u0007no \u202e\u0000disk\r\n\u001bcnext\rline\n')).toBe(
    'Error: no \\u202e\\u0000disk\nnext\nline',
  );
});

test('a sequence truncated at the end stays, visible', () => {
  expect(plainWords('out of memory\u001b[3')).toBe('out of memory\\u001b[3');
});

test('a long output keeps its end, from the start of a line', () => {
  const lines = Array.from({ length: 500 }, (_, number) => `line ${number}`);
  const words = plainWords(`${lines.join('\n')}\n`).split('\n');
  expect(words).toEqual(lines.slice(-words.length));
  expect(words.join('\n').length).toBeGreaterThan(2000);
  expect(words.join('\n').length).toBeLessThanOrEqual(2048);
});

test('a long single line keeps its end', () => {
  expect(plainWords(`${'x'.repeat(5000)} the end`)).toMatch(/^x+ the end$/);
  expect(plainWords(`${'x'.repeat(5000)} the end`)).toHaveLength(2048);
});

const uncaught = `file:///program/lab.js:12
    throw new Error('Digest method not supported');
    ^

Error: Digest method not supported
    at Hash (node:crypto:90:3)
    at file:///program/lab.js:12:11

Node.js v24.21.0`;

test.each([
  ['an uncaught error', uncaught, 'Error: Digest method not supported'],
  ['a crash without a trace', 'warming up\n\n#\n# Fatal error in , line 0\n', '# Fatal error in , line 0'],
  [
    'a missing library',
    'node: error while loading shared libraries: libc.so.6\n',
    'node: error while loading shared libraries: libc.so.6',
  ],
  ['the tail of a trace', '    at one\n    at two\nNode.js v24.21.0', ''],
  ['nothing', '', ''],
])('the significant line of %s is found', (_what, words, line) => {
  expect(tellingLine(words)).toBe(line);
});
