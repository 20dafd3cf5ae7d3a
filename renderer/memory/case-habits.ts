import type { z } from 'zod';
import { caseOptions } from '../../shared/domain/case.ts';

const key = 'vitrine.case-habits';
const habits = caseOptions.pick({ format: true, author: true });
export type CaseHabits = z.infer<typeof habits>;

const atFirst: CaseHabits = { format: 'misp', author: '' };

/** Who writes cases, and for what: the same as the last time. */
export function rememberedCaseHabits(): CaseHabits {
  try {
    return habits.catch(atFirst).parse(JSON.parse(globalThis.localStorage.getItem(key) ?? 'null'));
  } catch {
    return atFirst;
  }
}

export function rememberCaseHabits(now: CaseHabits): void {
  try {
    globalThis.localStorage.setItem(key, JSON.stringify(now));
  } catch {
    // Not remembered; the next case begins as the first one did.
  }
}
