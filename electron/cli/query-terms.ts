import { type QueryTerm, readLibraryQuery } from '../../shared/domain/library-query.ts';
import { queryProblemSentence } from '../../shared/domain/query-fields.ts';
import { FailureError, type FailureKind } from '../../shared/failure.ts';
import { exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';
import { Told } from './told.ts';
import { inUsage, wrongUsage } from './usage-error.ts';

/**
 * What the words of a command line look for in the library, as its field of the page reads them. @throws UsageError for
 * what cannot be read
 */
export function queryTermsOf(words: readonly string[], now: Date): QueryTerm[] {
  const read = readLibraryQuery(words.join(' '), now);
  if (read.kind === 'terms') return read.terms;
  const { what, example } = queryProblemSentence(read.problem);
  return wrongUsage(`${inUsage(what)} For example: ${example}`);
}

/**
 * The same for a command that changes or exports what it finds: an empty variable of a script must not mean the whole
 * library. `instead`: how all samples are selected, where they can be. @throws UsageError
 */
export function neededTermsOf(words: readonly string[], instead = 'name the samples'): QueryTerm[] {
  const terms = queryTermsOf(words, new Date());
  return terms.length === 0 ? wrongUsage(`QUERY is blank: ${instead}`) : terms;
}

const matchesNone: ReadonlySet<FailureKind> = new Set<FailureKind>(['case-empty', 'nothing-selected']);

/** What was prepared of the samples of a query. @throws Told where it matches none */
export async function ofMatches<Prepared>(
  terminal: Pick<Terminal, 'complain'>,
  preparing: Promise<Prepared>,
): Promise<Prepared> {
  try {
    return await preparing;
  } catch (error) {
    if (!(error instanceof FailureError) || !matchesNone.has(error.failure.kind)) throw error;
    terminal.complain('No sample matches this query. Nothing was written.');
    throw new Told(exitCodes.notFound);
  }
}
