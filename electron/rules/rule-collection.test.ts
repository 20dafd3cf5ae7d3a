import { expect, test } from 'vitest';
import { RuleCollection } from './rule-collection.ts';

const text = Buffer.from('rule a { condition: true }\n');
const utf16 = (words: string): Buffer => Buffer.from(words, 'utf16le');

test('a collection stops at its limit of files, refused ones included, or of bytes read', async () => {
  const files = new RuleCollection({ limits: { files: 2, bytes: 1000 } });
  await files.add('a.yar', text);
  files.refuse('b.yar', 'It is locked');
  await expect(files.add('c.yar', text)).rejects.toMatchObject({
    failure: { kind: 'archive-limit', limit: 'members', value: 2 },
  });
  const bytes = new RuleCollection({ limits: { files: 9, bytes: 30 } });
  await bytes.add('a.yar', text);
  expect(bytes.bytesLeft).toBe(30 - text.length);
  await expect(bytes.add('b.yar', text)).rejects.toMatchObject({
    failure: { kind: 'package-too-large', limitBytes: 30 },
  });
  const wide = new RuleCollection({ limits: { files: 9, bytes: 30 } });
  await expect(wide.add('wide.yar', utf16(`\ufeff${'汉'.repeat(12)}`))).rejects.toMatchObject({
    failure: { kind: 'package-too-large' },
  });
});

test('a large file is read in pieces to the same text, whatever its encoding', async () => {
  const line = 'a line with é, 汉 and 😀 in it';
  const words = `${line}\n`.repeat(100_000);
  const collection = new RuleCollection();
  await collection.add('./wide.yar', utf16(`\ufeff${words}`));
  await collection.add('narrow.yar', Buffer.from(words));
  await collection.add('mac.yar', Buffer.from(words.replaceAll('\n', '\r')));
  const { files, reading } = collection.collected();
  expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString() === words])).toEqual([
    ['wide.yar', true],
    ['narrow.yar', true],
    ['mac.yar', true],
  ]);
  expect(reading).toMatchObject({ utf16: 1, bareReturns: 1, latin1: 0 });
});

test('an unread file’s name has its control characters escaped', () => {
  const collection = new RuleCollection();
  collection.refuse('turn\u202e.yar', 'It is locked');
  expect(collection.collected().unread).toEqual([
    { rule: null, file: 'turn\\u202e.yar', line: 0, kind: 'file', text: 'It is locked' },
  ]);
});
