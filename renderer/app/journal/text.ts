import type { JournalBreak, JournalVerification } from '../../../shared/domain/journal.ts';

const number = (count: number): string => count.toLocaleString('en');
const rowsWords = (count: number): string => `${number(count)} ${count === 1 ? 'row' : 'rows'}`;

/** What is broken, in a sentence without its end. `rows`: how many there are now. */
function brokenTitle(broken: JournalBreak, rows: number): string {
  switch (broken.reason) {
    case 'edited':
      return `Row ${number(broken.number)} was edited`;
    case 'removed':
      return broken.count === 1
        ? `Row ${number(broken.number)} was removed`
        : `${rowsWords(broken.count)} were removed, from row ${number(broken.number)} on`;
    case 'cut-off':
      return `The end was cut off: there were ${rowsWords(broken.were)}, and ${number(rows)} ${rows === 1 ? 'is' : 'are'} left`;
    case 'rewritten':
      return `Row ${number(broken.number)}, or rows before it, were written anew`;
    case 'added':
      return `Row ${number(broken.number)} was added from outside`;
    case 'end-missing':
      return 'The record of where the journal ends is gone';
    case 'end-edited':
      return 'The record of where the journal ends was edited';
    case 'key-replaced':
      return 'The key in the database is not that of the journal';
    default:
      return broken satisfies never;
  }
}

/** English of the check of the journal, wherever it is shown. */
export const text = {
  verify: 'Verify the journal',
  verifying: 'Verifying',
  holds: (rows: number) => `The journal holds: ${rowsWords(rows)}`,
  notProven: (rows: number) => `Not checked against tampering: ${rowsWords(rows)}`,
  assurance: {
    tampering:
      'Every row is as it was written, and none is missing. Its key is in the token store: rows that somebody edited, removed or cut off would be found.',
    'accidents-only':
      'Every row fits the one before, and none is missing. Without a durable key in the token store this detects accidents only: whoever can write the database can chain it anew.',
    locked:
      'Every row fits the one before. Whether somebody tampered with them was not checked: the key that sealed them is in the token store, which is locked. Unlock it and verify again.',
    'key-missing':
      'Every row fits the one before. Whether somebody tampered with them cannot be checked: rows were sealed with a key that the token store does not have. Unless the tokens were forgotten here, somebody may have taken it away to write the journal anew.',
  } satisfies Record<JournalVerification['assurance'], string>,
  brokenTitle,
  brokenMeaning: {
    edited: 'It is not what this desk wrote. The rows before it hold; those after it were not checked.',
    removed: 'The rows before hold; those after were not checked.',
    'cut-off': 'The rows that are there hold. What the journal said of the last ones is lost.',
    rewritten:
      'The rows fit each other, but not their seal: somebody who could read the database’s own key chained them anew.',
    added: 'It was not written by this desk. The rows before it hold.',
    'end-missing':
      'The rows that are there hold, but rows may have been cut off with it, or the whole journal replaced.',
    'end-edited': 'The rows that are there hold, but rows may have been cut off.',
    'key-replaced':
      'Rows and end were linked with another key, so that none could be checked. Somebody replaced the key, or the rows.',
  } satisfies Record<JournalBreak['reason'], string>,
  show: ({ reason }: JournalBreak) => (reason === 'removed' || reason === 'cut-off' ? 'Show where' : 'Show the row'),
  notShown: (why: string) => `The row could not be shown: ${why}`,
  putAway: 'Put away',
  open: 'Open the journal',
} as const;
