/** When a mute ends, as a person chooses it. `kept`: as it was before it is edited. */
export const muteTerms = ['never', '7', '30', '90', 'date'] as const;
export type MuteTerm = 'kept' | (typeof muteTerms)[number];

export interface MuteEnd {
  term: MuteTerm;
  /** Of the term `date`: `YYYY-MM-DD`, the last day. */
  date: string;
}

const dayMs = 86_400_000;
const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * When it ends, as UTC in ISO 8601; null: when it is taken back. undefined where the date is none, or over. `kept`
 * stands for `before`.
 */
export function expiryOf({ term, date }: MuteEnd, now: Date, before: string | null): string | null | undefined {
  if (term === 'kept') return before;
  if (term === 'never') return null;
  if (term !== 'date') return new Date(now.getTime() + Number(term) * dayMs).toISOString();
  const last = new Date(`${date.trim()}T23:59:59.000Z`);
  return day.test(date.trim()) && last.getTime() > now.getTime() ? last.toISOString() : undefined;
}
