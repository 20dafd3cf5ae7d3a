import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { ProcessTerminal, type TerminalOptions } from './process-terminal.ts';

/** A stream that a person sits at. */
const atTerminal = <Stream extends object>(stream: Stream): Stream & { isTTY: boolean } =>
  Object.assign(stream, { isTTY: true });
const codeError = (code: string): Error => Object.assign(new Error(code), { code });

function terminalWith({
  streams,
  ...more
}: Partial<Omit<TerminalOptions, 'streams'>> & { streams?: Partial<TerminalOptions['streams']> } = {}) {
  const output = new PassThrough();
  const ended: Error[] = [];
  const terminal = new ProcessTerminal({
    format: null,
    environment: {},
    isQuiet: false,
    signal: new AbortController().signal,
    onEnd: (why) => ended.push(why),
    ...more,
    streams: { output, errors: new PassThrough(), input: () => new PassThrough(), writeFile: null, ...streams },
  });
  return { terminal, output, ended };
}

test('a file receives the complete output, even when it accepts only a part at a time', async () => {
  const written: number[] = [];
  const { terminal } = terminalWith({
    streams: { writeFile: (bytes) => written.push(...bytes.subarray(0, 2)) && Math.min(2, bytes.length) },
  });
  await terminal.line('seven!');
  expect(Buffer.from(written).toString()).toBe('seven!\n');
});

test.each([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'disk-full'],
  ['EIO', 'disk-failed'],
])('a disk that refuses the output (%s) is a failure', async (code, kind) => {
  const { terminal, ended } = terminalWith({
    streams: {
      writeFile: () => {
        throw codeError(code);
      },
    },
  });
  await expect(terminal.line('lost')).rejects.toMatchObject({ failure: { kind } });
  expect(ended).toEqual([]);
});

test.each([
  ['EPIPE', { name: 'OutputGone' }],
  ['EIO', { failure: { kind: 'disk-failed', code: 'EIO' } }],
])('only a closed pipe counts as a reader that stopped (%s)', async (code, why) => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(codeError(code)) });
  const { terminal, ended } = terminalWith({ streams: { output } });
  for (const text of ['one', 'two']) await expect(terminal.line(text)).rejects.toMatchObject(why);
  expect(ended).toMatchObject([why]);
});

test('a JSON value is one line for every line reader', async () => {
  const { terminal, output } = terminalWith({ format: 'jsonl' });
  await terminal.json({ name: 'a\u2028b\u2029c' });
  expect(String(output.read())).toBe('{"name":"a\\u2028b\\u2029c"}\n');
});

test.each([
  ['y\n', true],
  ['no\n', false],
  ['\u0004', false],
])('a prompt reads %j as yes or no', async (typed, answer) => {
  const input = atTerminal(new PassThrough());
  const { terminal } = terminalWith({ streams: { errors: atTerminal(new PassThrough()), input: () => input } });
  const asked = terminal.ask('Sure?');
  input.write(typed);
  expect(await asked).toBe(answer);
});

test('Ctrl-C at a prompt ends with 130', async () => {
  const input = atTerminal(new PassThrough());
  const { terminal } = terminalWith({ streams: { errors: atTerminal(new PassThrough()), input: () => input } });
  const asked = terminal.ask('Sure?');
  input.write('\u0003');
  await expect(asked).rejects.toMatchObject({ name: 'ExitError', code: 130 });
});

test('an open pipe is read no further after Ctrl-C', async () => {
  const interrupt = new AbortController();
  const { terminal } = terminalWith({ signal: interrupt.signal });
  const read = async (): Promise<void> => {
    for await (const piece of terminal.input() ?? []) expect(piece).toBeNull();
  };
  const reading = read();
  interrupt.abort();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test.each(['complain', 'print'] as const)('a line end in a message on standard error is escaped (%s)', (method) => {
  const errors = new PassThrough();
  const { terminal } = terminalWith({ streams: { errors } });
  terminal[method]('unknown command "a\u001b[31m\nb"');
  expect(String(errors.read())).toBe('unknown command "a\\u001b[31m\\u000ab"\n');
});

test('Ctrl-C ends the wait for a reader that does not read the output', async () => {
  const interrupt = new AbortController();
  const output = new Writable({ highWaterMark: 1, write: () => {} });
  const { terminal, ended } = terminalWith({ signal: interrupt.signal, streams: { output } });
  const writing = terminal.line('never read');
  interrupt.abort();
  await expect(writing).rejects.toBe(interrupt.signal.reason);
  expect(ended).toEqual([]);
});
