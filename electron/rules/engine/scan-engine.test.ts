import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { engineVersions, readEngineError } from './scan-engine.ts';

const report = (title: string, label: string): string =>
  `error[E001]: ${title}\n --> line:12:5\n   |\n12 | rule a { "taken" }\n   |          ${label}`;

test('an engine error joins title and label in one line, and has its place', () => {
  expect(readEngineError(report('syntax error', '^^^^ expecting `{`, found `rule`'))).toEqual({
    code: 'E001',
    line: 12,
    text: 'syntax error: expecting `{`, found `rule`',
  });
});

test('an engine error does not repeat the rule’s text', () => {
  expect(readEngineError(report('syntax error', '^^^^ expecting `}`, found `"evil text"`'))?.text).toBe(
    'syntax error: expecting `}`, found something else',
  );
  expect(readEngineError(report('syntax error', '^^^^ expecting `}`, found `/a`evil` b/`'))?.text).toBe(
    'syntax error: expecting `}`, found something else',
  );
  expect(readEngineError(report('bad `some evil text`', '^ here'))?.text).toBe('bad `…`: here');
});

test('an engine error does not use the second label of a line as the first', () => {
  expect(readEngineError(report('duplicate pattern `$a`', '--     ^^ duplicate declaration of `$a`'))?.text).toBe(
    'duplicate pattern `$a`: duplicate declaration of `$a`',
  );
  expect(readEngineError(report('mismatching types', '^^   --- this expression is `string`'))?.text).toBe(
    'mismatching types',
  );
});

test('an engine error shows a note, whose place may be missing', () => {
  const text =
    'error[E009]: unknown identifier `pe`\n' +
    '  = note: there is a module named `pe`, but the `import "pe"` statement is missing';
  expect(readEngineError(text)).toEqual({
    code: 'E009',
    line: null,
    text: 'unknown identifier `pe`: there is a module named `pe`, but the `import "pe"` statement is missing',
  });
});

test('a text that is no engine report gives no engine error', () => {
  for (const message of ['', 'unreachable', 'Maximum call stack size exceeded', 'memory access out of bounds'])
    expect(readEngineError(message)).toBeNull();
});

test('an engine error is one short line for any report', () => {
  const words = fc.string({
    unit: fc.constantFrom('`', '^', '|', '-', '"', ' ', 'a', '\n', '\r', '\u2028', '\u202e', '\ud800', 'found '),
    maxLength: 400,
    size: 'max',
  });
  fc.assert(
    fc.property(words, words, (title, label) => {
      const { text } = readEngineError(report(`t${title}`, `^ ${label}`)) ?? { text: '\n' };
      expect(text).toMatch(/^[^\p{C}\u2028\u2029]{1,300}$/u);
    }),
  );
});

test('the engine versions are those of the installed packages', () => {
  const packages = z.record(z.string(), z.string());
  const read = z
    .object({
      dependencies: packages.default({}),
      devDependencies: packages.default({}),
      optionalDependencies: packages.default({}),
    })
    .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));
  const pinned = { ...read.dependencies, ...read.devDependencies, ...read.optionalDependencies };
  for (const name of ['@litko/yara-x', '@virustotal/yara-x'])
    expect(Object.values(engineVersions)).toContain(`${name} ${pinned[name]}`);
});
