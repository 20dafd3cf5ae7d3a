import { expect, test } from 'vitest';
import { PageInbox } from './main-window.ts';

test('the last message is kept until the page can take it, and given once', () => {
  const inbox = new PageInbox<string>();
  const taken: string[] = [];
  inbox.put('first');
  inbox.put('second');
  inbox.open((message) => taken.push(message));
  inbox.open((message) => taken.push(message));
  expect(taken).toEqual(['second']);
});

test('a message is handed on at once while the page is there, and kept again when it is gone', () => {
  const inbox = new PageInbox<string>();
  const taken: string[] = [];
  inbox.open((message) => taken.push(message));
  inbox.put('first');
  inbox.close();
  inbox.put('second');
  expect(taken).toEqual(['first']);
  inbox.open((message) => taken.push(message));
  expect(taken).toEqual(['first', 'second']);
});
