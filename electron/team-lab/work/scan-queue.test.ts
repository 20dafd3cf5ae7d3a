import { expect, test } from 'vitest';
import { LabLog } from '../watch.ts';
import { reportable } from './scan-queue.ts';

test('an error that the queue emits as a plain object is in the log with its message', () => {
  const lines: string[] = [];
  const log = new LabLog((line) => void lines.push(line), []);
  const error = new Error('it is away');
  log.error(reportable({ ...error, message: error.message, stack: error.stack }));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'The queue failed: it is away', stack: error.stack });
  expect(reportable(error)).toBe(error);
  expect(reportable('text')).toBe('text');
});
