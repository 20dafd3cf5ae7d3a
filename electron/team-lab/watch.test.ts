import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherLines, LabLog } from './watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an entry of the log is one line of JSON without control characters, whatever a name holds', () => {
  const lines: string[] = [];
  const log = new LabLog((line) => void lines.push(line), []);
  const name = 'ana\r\n{"level":"error"}\u0000\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\ud800';
  log.info(name, { caller: name });
  log.error(new Error(name, { cause: new Error(name) }));
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toMatch(/^[ -~]*$/);
    expect(JSON.parse(line)).toMatchObject({ message: name });
  }
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', caller: name });
});

test('gathered lines are written together, in their order, 20 ms after the first of them', () => {
  const written: string[] = [];
  const write = gatherLines((text) => void written.push(text));
  write('one');
  write('two');
  expect(written).toEqual([]);
  vi.advanceTimersByTime(20);
  write('three');
  expect(written).toEqual(['one\ntwo\n']);
  vi.advanceTimersByTime(20);
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
});
