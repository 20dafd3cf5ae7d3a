import { z } from 'zod';
import { caseOptions } from '../../shared/domain/case.ts';
import { type CaseFormat, caseFormat } from '../../shared/domain/job.ts';

const key = 'vitrine.case-habits';
const firstFormats: CaseFormat[] = ['misp'];
const habits = z.object({
  formats: z.array(caseFormat).min(1).catch(firstFormats),
  author: caseOptions.shape.author.catch(''),
});
export type CaseHabits = z.infer<typeof habits>;

const atFirst: CaseHabits = { formats: firstFormats, author: '' };

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
