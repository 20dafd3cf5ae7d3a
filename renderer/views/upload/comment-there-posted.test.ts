import { expect, test } from 'vitest';
import { postedText } from './comment-there.tsx';

test('the posted text is the comment and a line of tags, with the TLP as one of them', () => {
  expect(postedText('Mail wave.\nCase 114 ', { tags: ['family:tinlark', 'macro'], tlp: 'green' })).toBe(
    'Mail wave.\nCase 114 \nTags: family:tinlark, macro, tlp:green',
  );
});

test('the posted text omits missing parts', () => {
  expect(postedText(' \n', { tags: ['macro'], tlp: null })).toBe('Tags: macro');
  expect(postedText('Case 114', { tags: [], tlp: null })).toBe('Case 114');
  expect(postedText('', { tags: [], tlp: null })).toBe('');
});
