import { expect, test } from 'vitest';
import { arrivedAs } from './arrived-as.ts';

const listed = (id: string, content: string, parentId: string | null = null) => ({ id, parentId, author: 'desk', content, created: null });
const own = { content: 'Second stage\nsee below', parentId: null, knownIds: ['1'] };

test('a comment with the same text and parent that was not there before is the one that was sent', () => {
  expect(arrivedAs(own, { listsComments: true, comments: [listed('1', own.content), listed('2', 'other'), listed('3', 'Second stage\r\nsee below\n')] })).toBe('3');
});

test('the same text under another comment, or known before, is not', () => {
  expect(arrivedAs(own, { listsComments: true, comments: [listed('1', own.content), listed('2', own.content, '1')] })).toBeNull();
});

test('a service that lists no comments cannot tell', () => {
  expect(arrivedAs(own, { listsComments: false, comments: [listed('comment', own.content)] })).toBeNull();
});
