import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filteredError, filteredLogLine, stepOf } from './log-filter.ts';

const asItIs = (text: string): string => text;
const electron = join(import.meta.dirname, '..', '..');
const lineOf = (entry: object): Record<string, unknown> => filteredLogLine(JSON.stringify(entry), asItIs);

test('the log filter knows every step that the code logs by its name', () => {
  const sources = globSync('**/*.ts', {
    cwd: electron,
    exclude: (name) => /(?:test|fixture|fuzz)\.ts$|^(?:testing|lab)$/.test(name),
  });
  const logged = sources.flatMap((path) =>
    [
      ...readFileSync(join(electron, path), 'utf8').matchAll(
        /(?:(?:logDefect|defectLog|\.defect|log\.write)\((?:[^()']|\(\))*|log\.write\('\w+', )'([\w.-]+)'/g,
      ),
    ].map(([, step = '']) => step),
  );
  const steps = [...new Set(logged)].filter((step) => step !== 'info' && step !== 'warn');
  expect(steps.length).toBeGreaterThan(15);
  expect(steps.filter((step) => stepOf(step) !== step)).toEqual([]);
});

test('the log filter hides a name that is no step of the code', () => {
  expect(lineOf({ level: 'warn', event: 'invoice', operation: 'invoice.exe', id: 'invoice', time: 'invoice' })).toEqual(
    { level: 'warn', event: 'another step', operation: 'another step' },
  );
});

test('the log filter keeps an error’s class, code, known message phrases and places in the code', () => {
  const stack = [
    "TypeError: Cannot read properties of undefined (reading 'invoice')",
    '    at async Samples.lookup (file:///opt/Vitrine/electron/services/samples.ts:120:13)',
    '    at C:\\Users\\me\\electron\\cases\\electron\\storage\\log\\log.ts:3:4',
    '    at Object.parse (/home/me/vitrine/node_modules/zod/v4/core/parse.js:9:1)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    '    at run invoice now (/home/me/case/tool.js:1:1)',
  ].join('\n');
  expect(
    filteredError(
      {
        name: 'TypeError',
        message: "Cannot read properties of undefined (reading 'invoice')",
        stack,
        code: 'ERR_INVALID_ARG_TYPE',
      },
      asItIs,
    ),
  ).toEqual({
    name: 'TypeError',
    code: 'ERR_INVALID_ARG_TYPE',
    message: 'Cannot read properties of undefined; [message of 55 characters left out]',
    frames: [
      'electron/services/samples.ts:120:13',
      'electron/storage/log/log.ts:3:4',
      'node_modules/zod/v4/core/parse.js:9:1',
      'node:105:5',
      '(elsewhere):1:1',
    ],
  });
});

test('the log filter keeps a process’s last output like an error', () => {
  const lastWords =
    'file:///home/me/vitrine/electron/lab/invoice.ts:3\nError: Invalid digest: invoice\n' +
    '    at invoice (file:///home/me/vitrine/electron/lab/lab.ts:56:17)\n' +
    '    at run (/vitrine/electron/invoice/lab.ts:1:1)';
  const facts = { end: 'exit code 1', lastWords, restart: 2, pauseMs: null };
  expect(lineOf({ level: 'warn', event: 'lab.exit', facts })).toEqual({
    level: 'warn',
    event: 'lab.exit',
    facts: {
      end: 'exit code 1',
      restart: 2,
      lastWords: {
        message: `Invalid digest; [message of ${lastWords.length} characters left out]`,
        frames: ['electron/lab/lab.ts:56:17', '(elsewhere):1:1'],
      },
    },
  });
  expect(lineOf({ level: 'warn', event: 'lab.exit', facts: { end: 'invoice', lastWords: '' } })).toEqual({
    level: 'warn',
    event: 'lab.exit',
    facts: {},
  });
});

test('the log filter keeps nested causes and errors to a limited depth', () => {
  const deep = (depth: number): object => ({
    name: 'Error',
    message: '',
    stack: '',
    ...(depth > 0 && { cause: deep(depth - 1) }),
  });
  expect(JSON.stringify(filteredError(deep(9), asItIs)).match(/"name"/g)).toHaveLength(4);
  expect(
    filteredError(
      {
        name: 'AggregateError',
        message: '',
        stack: '',
        errors: [{ name: 'RangeError', message: 'invoice', stack: '' }],
      },
      asItIs,
    ),
  ).toMatchObject({ errors: [{ name: 'RangeError' }] });
});

test('the log filter keeps a failure’s facts that are no text, and hides another version’s kind', () => {
  expect(
    lineOf({
      level: 'info',
      event: 'lab',
      facts: { state: 'stopped', restarts: 8, failure: { kind: 'lab-down', restarts: 8 } },
    }),
  ).toEqual({
    level: 'info',
    event: 'lab',
    facts: { state: 'stopped', restarts: 8, failure: { kind: 'lab-down', restarts: 8 } },
  });
  expect(lineOf({ level: 'info', event: 'lab', facts: { failure: { kind: 'invoice', path: '/invoice' } } })).toEqual({
    level: 'info',
    event: 'lab',
    facts: { failure: { kind: 'unknown to this version' } },
  });
});
