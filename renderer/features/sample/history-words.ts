import type { JournalOperation, JournalRow } from '../../../shared/domain/journal.ts';
import { text } from './text.ts';

/** The outcomes that mean it was done; any other outcome is why it was not. */
const done: ReadonlySet<string> = new Set(['found', 'done', 'already-here', 'ok', 'sent']);
/** What these say is said by the verb already. */
const plain: ReadonlySet<string> = new Set(['found', 'done', 'ok']);

/** `Downloaded`, or `Download` with its reason: a row never claims more than its outcome. */
export function historyWords({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): {
  what: string;
  aside: string;
} {
  // It left the desk with this row, whatever came of it.
  if (isHandedOver({ operation, outcome })) return { what: text.sentForScan, aside: '' };
  const words = outcome.replaceAll('-', ' ');
  if (!done.has(outcome) || fetchedNothing({ operation, outcome }))
    return { what: `${text.attempted[operation]}: ${words}`, aside: '' };
  return { what: text.operations[operation], aside: plain.has(outcome) ? '' : words };
}

const isHandedOver = ({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): boolean =>
  operation === 'scan' && outcome === 'sending';

export const directions = ['from', 'to', 'here'] as const;
export type Direction = (typeof directions)[number];

const directionOfOperation: Partial<Record<JournalOperation, Direction>> = {
  'look-up': 'from',
  download: 'from',
  upload: 'to',
  comment: 'to',
  export: 'to',
};

/** What was in the vault already was not fetched. */
const fetchedNothing = ({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): boolean =>
  operation === 'download' && outcome === 'already-here';

/** Whether something of the sample came to this desk, left it, or stayed. A scan leaves it where a service did it. */
export function directionOf({
  operation,
  outcome,
  detail,
}: Pick<JournalRow, 'operation' | 'outcome' | 'detail'>): Direction {
  if (operation === 'scan') return 'receiver' in detail || 'service' in detail ? 'to' : 'here';
  const direction = directionOfOperation[operation] ?? 'here';
  return direction === 'from' && (!done.has(outcome) || fetchedNothing({ operation, outcome })) ? 'here' : direction;
}

/**
 * Whom it came from or went to; null: nobody else had to do with it. `workspace` is the name of the row's own.
 * Untrusted text.
 */
export function placeOf(
  row: Pick<JournalRow, 'operation' | 'outcome' | 'detail'>,
  workspace: string | null,
): string | null {
  const direction = directionOf(row);
  const other = otherOf(row) ?? workspace;
  if (other === null || direction === 'here') return null;
  if (row.operation === 'scan') return isHandedOver(row) ? text.to(other) : text.by(other);
  return direction === 'from' ? text.from(other) : text.to(other);
}

function otherOf({ operation, detail: { receiver, to } }: Pick<JournalRow, 'operation' | 'detail'>): string | null {
  if (typeof receiver === 'string') return receiver;
  return operation === 'export' && (to === 'folder' || to === 'browser') ? text.exportedInto[to] : null;
}
