import type { JournalBreak, JournalVerification } from '../../../shared/domain/journal.ts';

const number = (count: number): string => count.toLocaleString('en');
const entriesWords = (count: number): string => `${number(count)} ${count === 1 ? 'entry' : 'entries'}`;

/** What is broken, in a sentence without its end. `rows`: how many there are now. */
function brokenTitle(broken: JournalBreak, rows: number): string {
  switch (broken.reason) {
    case 'edited':
      return `Entry ${number(broken.number)} was modified`;
    case 'removed':
      return broken.count === 1
        ? `Entry ${number(broken.number)} was removed`
        : `${entriesWords(broken.count)} were removed, starting with entry ${number(broken.number)}`;
    case 'cut-off':
      return `The end was cut off: ${number(rows)} of ${entriesWords(broken.were)} left`;
    case 'rewritten':
      return `Entry ${number(broken.number)} or earlier entries were rewritten`;
    case 'added':
      return `Entry ${number(broken.number)} was not written by Vitrine`;
    case 'end-missing':
      return 'The end record of the journal is missing';
    case 'end-edited':
      return 'The end record of the journal was modified';
    case 'key-replaced':
      return 'The key in the database is not the key of this journal';
    default:
      return broken satisfies never;
  }
}

/** English of the check of the journal, wherever it is shown. */
export const text = {
  verify: 'Verify journal',
  verifying: 'Verifying…',
  holds: (rows: number) => `Journal intact: ${entriesWords(rows)}`,
  notProven: (rows: number) => `Not checked for tampering: ${entriesWords(rows)}`,
  assurance: {
    tampering: 'No entry was modified or removed. The key is in the token store, so tampering is detected.',
    'accidents-only':
      'The chain is complete. Without a stored key only accidental damage is detected: ' +
      'anyone who can write to the database could rebuild the chain.',
    locked:
      'The chain is complete. Tampering was not checked, because the token store with the key is locked. ' +
      'Unlock it and verify again.',
    'key-missing':
      'The chain is complete, but its key is missing from the token store, so tampering cannot be checked. ' +
      'Unless you forgot the tokens here, someone may have removed the key to rewrite the journal.',
  } satisfies Record<JournalVerification['assurance'], string>,
  brokenTitle,
  brokenMeaning: {
    edited: 'It is not what Vitrine wrote. Earlier entries are intact; later ones were not checked.',
    removed: 'Earlier entries are intact; later ones were not checked.',
    'cut-off': 'The remaining entries are intact. The content of the last ones is lost.',
    rewritten: 'The entries match each other but not their seal. Someone with the database key rebuilt the chain.',
    added: 'Another program added it. Earlier entries are intact.',
    'end-missing': 'The remaining entries are intact, but the last ones may be missing, or the journal was replaced.',
    'end-edited': 'The remaining entries are intact, but the last ones may be missing.',
    'key-replaced': 'No entry could be checked, because another key was used. Someone replaced the key or the entries.',
  } satisfies Record<JournalBreak['reason'], string>,
  show: ({ reason }: JournalBreak) => (reason === 'removed' || reason === 'cut-off' ? 'Show position' : 'Show entry'),
  notShown: (why: string) => `The entry could not be shown: ${why}`,
  putAway: 'Dismiss',
  open: 'Open Journal',
} as const;
