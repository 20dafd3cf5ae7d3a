import type { JournalRow } from '../../../shared/domain/journal.ts';
import { text } from './text.ts';

/** The outcomes that mean it was done; any other outcome is why it was not. */
const done: ReadonlySet<string> = new Set(['found', 'done', 'already-here', 'ok', 'sent']);
/** What these say is said by the verb already. */
const plain: ReadonlySet<string> = new Set(['found', 'done', 'ok']);

/** `Downloaded`, or `Download` with its reason: a row never claims more than its outcome. */
export function historyWords({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): { what: string; aside: string } {
  const words = outcome.replaceAll('-', ' ');
  if (!done.has(outcome)) return { what: `${text.attempted[operation]}: ${words}`, aside: '' };
  return { what: text.operations[operation], aside: plain.has(outcome) ? '' : words };
}
