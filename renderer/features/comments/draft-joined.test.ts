import { expect, test } from 'vitest';
import { draftsTogether } from './draft.ts';

const draft = (text: string, parentId: string | null = null) => ({ text, parentId });

test.each([
  ['nothing of one’s own', draft('a'), draft('a'), draft('b', '1'), draft('b', '1')],
  ['a reply of one’s own to another comment', draft('a'), draft('a', '2'), draft('b', '1'), draft('b', '2')],
  [
    'a text of one’s own, and a reply that was begun elsewhere',
    draft('a'),
    draft('ab'),
    draft('a', '1'),
    draft('ab', '1'),
  ],
  ['a text of each', draft(''), draft('mine'), draft('theirs'), draft('theirs\n\n---\n\nmine')],
  ['a text that was emptied here and written elsewhere', draft('a'), draft(''), draft('theirs'), draft('theirs')],
])('the merge of two drafts handles %s', (_what, base, own, stored, both) => {
  expect(draftsTogether({ base, own, stored })).toEqual(both);
});
