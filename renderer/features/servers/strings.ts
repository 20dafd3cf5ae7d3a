import type { RecordPart } from '../../../shared/domain/server-record.ts';

/** English of what depends on the actions that a server has. */
export const text = {
  change: 'Change record…',
  changeTitle: 'Change the record at the repository?',
  reading: 'Fetching the record',
  receiver: (name: string) => `Sent to ${name}, where it replaces the parts below for everyone.`,
  comment: 'Comment',
  threat: 'Threat',
  tags: 'Tags',
  tagPlaceholder: 'Add a tag',
  ownTags: (count: number) => (count === 1 ? 'Add the local tag' : `Add ${count} local tags`),
  hasThreads: 'This repository has comment threads, which are not changed here.',
  locked: 'The record is locked',
  lockedThen: 'The repository refuses changes to it until its owner unlocks it.',
  changes: 'Changes',
  parts: { comment: 'Comment', tags: 'Tags', threat: 'Threat' } satisfies Record<RecordPart, string>,
  nothingChanged: 'Nothing is changed yet.',
  empty: '(none)',
  before: 'Before',
  after: 'After',
  send: 'Change record',
  cancel: 'Cancel',
  close: 'Close',
  altered: 'The repository stored something else',
  alteredThen: (parts: string) => `${parts}: not stored as sent. Compare the record on the page of the sample.`,
  changed: 'Record changed',

  noRecords: 'This repository has no records to look up',
  searchInstead: 'Search it from the library instead.',
  libraryInstead: 'Samples in the library can still be opened.',

  noComments: 'This repository has no comment threads',
  canReplace: 'Its record has one text, which you can replace with yours.',
  cannotReplace: 'Your text stays here as a draft.',
  replace: 'Replace the text…',
  checkAgain: 'Check again',
  checking: 'Checking',

  altering: {
    title: (count: string, one: boolean) =>
      one ? '1 record differs from what was sent' : `${count} records differ from what was sent`,
    repair: 'Repair',
    repairing: 'Repairing',
    repaired: (count: string) => (count === '1' ? '1 record repaired' : `${count} records repaired`),
  },
} as const;
