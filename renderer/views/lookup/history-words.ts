import type { JournalRow } from '../../../shared/domain/journal.ts';
import { text } from './text.ts';

/** The outcomes that mean it was done; any other outcome is why it was not. */
const done: ReadonlySet<string> = new Set(['found', 'done', 'already-here', 'ok', 'sent']);

/** `Downloaded`, or `Download` with its reason: a row never claims more than its outcome. */
export function historyWords({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): { what: string; aside: string } {
  const words = outcome.replaceAll('-', ' ');
  return done.has(outcome) ? { what: text.operations[operation], aside: words } : { what: `${text.attempted[operation]}: ${words}`, aside: '' };
}
