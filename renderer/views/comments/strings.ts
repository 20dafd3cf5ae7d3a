const number = (count: number): string => count.toLocaleString('en');

/** English of the comments of all samples. */
export const text = {
  title: 'Comments',
  line: (count: number, find: string) =>
    find === '' ? `${number(count)} in the library, latest first` : `${number(count)} found`,
  list: 'All comments',
  column: 'Comment',
  find: 'Find in text and authors',
  unnamedSample: 'No name',
  unnamedAuthor: 'unknown author',
  you: 'You',
  states: { pending: 'sending', sent: null, failed: 'not sent', 'may-have-arrived': 'may have arrived' },
  emptyTitle: 'No comments yet',
  emptySentence: 'Comments on samples you look up are listed here, with your own.',
  emptyAction: 'Look up a sample',
  noneTitle: 'No comments found',
  noneSentence: (find: string) => `No comment text or author matches "${find}".`,
  showAll: 'Show all comments',
  lookUp: 'Look up',
  lookUpThis: 'Look up this sample',
} as const;
