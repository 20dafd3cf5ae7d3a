import { expect, test } from 'vitest';
import { postedText } from './comment-there.tsx';

test('the comment and a line of tags, with the TLP as one of them', () => {
  expect(postedText('Mail wave.\nCase 114 ', { tags: ['family:tinlark', 'macro'], tlp: 'green' })).toBe(
    'Mail wave.\nCase 114 \nTags: family:tinlark, macro, tlp:green',
  );
});

test('what is not there is left out', () => {
  expect(postedText(' \n', { tags: ['macro'], tlp: null })).toBe('Tags: macro');
  expect(postedText('Case 114', { tags: [], tlp: null })).toBe('Case 114');
  expect(postedText('', { tags: [], tlp: null })).toBe('');
});
