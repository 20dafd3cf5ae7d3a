import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StderrTail } from './process.ts';

function written(...chunks: string[]) {
  const [stream, passedOn] = [new PassThrough(), new PassThrough()];
  const words = new StderrTail(stream, passedOn);
  for (const chunk of chunks) stream.write(chunk);
  return { stream, passedOn, words };
}

test('the last output is everything written when that is little, and all of it is passed on', async () => {
  const { stream, passedOn, words } = written('first\n', 'secönd\n');
  stream.end();
  expect(await words.read()).toBe('first\nsecönd\n');
  expect(String(passedOn.read())).toBe('first\nsecönd\n');
});

test('the last output is the last 4 KB when more was written', async () => {
  const lines = Array.from({ length: 1000 }, (_, number) => `line ${number}`).join('\n');
  const { stream, words } = written(lines.slice(0, 5000), lines.slice(5000));
  stream.end();
  expect(await words.read()).toBe(lines.slice(-4096));
});

test('the last output is given without the end of the stream when another process holds it open', async () => {
  const { words } = written('out of memory\n');
  expect(await words.read()).toBe('out of memory\n');
});

test('the last output is empty without a stream', async () => {
  expect(await new StderrTail(null).read()).toBe('');
});
