import { caseOptions, type CaseOptions, isCaseTable, mostCaseSamples } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tlp.ts';
import type { Strictest } from './strictest.ts';

/** What a person chose of a case so far. */
export interface CaseDraft extends Pick<CaseOptions, 'format' | 'title' | 'author' | 'tlp' | 'include'> {
  withSamples: boolean;
  password: string;
}

export const isTooMany = (format: CaseFormat, count: number): boolean => count > mostCaseSamples && !isCaseTable(format);

export const newDraft = (draft: Pick<CaseDraft, 'format' | 'title' | 'author' | 'password'>, count: number): CaseDraft => ({
  ...draft,
  format: isTooMany(draft.format, count) ? 'csv' : draft.format,
  tlp: null,
  // What was written for this desk's own eyes, or heard from others, leaves only when it is ticked.
  include: { notes: false, comments: false, hits: true },
  withSamples: false,
});

export const isTitle = (title: string): boolean => caseOptions.shape.title.safeParse(title).success;
export const isAuthor = (author: string): boolean => caseOptions.shape.author.safeParse(author).success;

export const isLessStrict = (level: TlpLevel, strictest: Strictest | undefined): boolean =>
  strictest?.isKnown === true && strictest.level !== null && tlpLevels.indexOf(level) < tlpLevels.indexOf(strictest.level);

/** As it is sent; null while something of it is not fit to be. */
export function optionsOf({ format, title, author, tlp, include, withSamples, password }: CaseDraft, strictest: Strictest | undefined): CaseOptions | null {
  const samples = format === 'misp' && withSamples ? { password } : null;
  if (samples?.password === '') return null;
  const options = caseOptions.safeParse({ format, title: title.trim(), author: author.trim(), tlp: tlp === null || isLessStrict(tlp, strictest) ? null : tlp, include, samples });
  return options.success ? options.data : null;
}
