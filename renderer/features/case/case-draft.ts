import { caseOptions, type CaseOptions, isCaseTable, mostCaseSamples } from '../../../shared/domain/case.ts';
import type { CaseFormat } from '../../../shared/domain/job.ts';
import { type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import type { Strictest } from './strictest-tlp.ts';

/** What a person chose of a case so far. */
export interface CaseDraft extends Pick<CaseOptions, 'title' | 'author' | 'tlp' | 'vouched' | 'include'> {
  /** Each is a file of its own. */
  formats: readonly CaseFormat[];
  withSamples: boolean;
  password: string;
}

const strictestLevel: TlpLevel = 'red';

export const isTooMany = (format: CaseFormat, count: number): boolean =>
  count > mostCaseSamples && !isCaseTable(format);

export const newDraft = (
  draft: Pick<CaseDraft, 'formats' | 'title' | 'author' | 'password'>,
  count: number,
): CaseDraft => ({
  ...draft,
  formats: fitting(draft.formats, count),
  tlp: null,
  vouched: false,
  // What was written for local eyes, or heard from others, leaves only when it is ticked.
  include: { notes: false, comments: false, hits: true },
  withSamples: false,
});

function fitting(formats: readonly CaseFormat[], count: number): readonly CaseFormat[] {
  const fit = formats.filter((format) => !isTooMany(format, count));
  return fit.length > 0 ? fit : ['csv'];
}

export const isTitle = (title: string): boolean => caseOptions.shape.title.safeParse(title).success;
export const isAuthor = (author: string): boolean => caseOptions.shape.author.safeParse(author).success;

/**
 * The least strict TLP that a case may have: where the TLP of a sample is not known, and no one vouches for it, the
 * strictest there is. null: there is no limit.
 */
export function leastStrict(
  { vouched }: Pick<CaseDraft, 'vouched'>,
  strictest: Strictest | undefined,
): TlpLevel | null {
  if (strictest?.isKnown !== true) return null;
  return strictest.unknown > 0 && !vouched ? strictestLevel : strictest.level;
}

export const isLessStrict = (level: TlpLevel, least: TlpLevel | null): boolean =>
  least !== null && tlpLevels.indexOf(level) < tlpLevels.indexOf(least);

/** As it is sent, for each format; null while something of it is not fit to be. */
export function optionsOf(draft: CaseDraft, strictest: Strictest | undefined): CaseOptions[] | null {
  const all = draft.formats.map((format) => optionsAs(format, draft, strictest));
  const fit = all.filter((options) => options !== null);
  return fit.length > 0 && fit.length === all.length ? fit : null;
}

function optionsAs(
  format: CaseFormat,
  { title, author, tlp, vouched, include, withSamples, password }: CaseDraft,
  strictest: Strictest | undefined,
): CaseOptions | null {
  const samples = format === 'misp' && withSamples ? { password } : null;
  if (samples?.password === '') return null;
  const least = leastStrict({ vouched }, strictest);
  const options = caseOptions.safeParse({
    format,
    title: title.trim(),
    author: author.trim(),
    tlp: tlp === null || isLessStrict(tlp, least) ? ownTlp(least, strictest) : tlp,
    vouched,
    include,
    samples,
  });
  return options.success ? options.data : null;
}

/** null, as its strictest sample, where it is to be no stricter than that. */
const ownTlp = (least: TlpLevel | null, strictest: Strictest | undefined): TlpLevel | null =>
  strictest?.isKnown === true && strictest.level !== least ? least : null;
