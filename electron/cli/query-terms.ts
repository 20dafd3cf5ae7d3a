import { type QueryTerm, readLibraryQuery } from '../../shared/domain/library-query.ts';
import { queryProblemSentence } from '../../shared/domain/query-problems.ts';
import { wrongUsage } from './usage-error.ts';

/**
 * What the words of a command line look for in the library, as its field of the page reads them. @throws UsageError for
 * what cannot be read
 */
export function queryTermsOf(words: readonly string[], now: Date): QueryTerm[] {
  const read = readLibraryQuery(words.join(' '), now);
  if (read.kind === 'terms') return read.terms;
  const { what, example } = queryProblemSentence(read.problem);
  return wrongUsage(`${what} For example: ${example}`);
}

/**
 * The same for a command that changes or exports what it finds: an empty variable of a script must not mean the whole
 * library. `instead`: how all samples are selected, where they can be. @throws UsageError
 */
export function neededTermsOf(words: readonly string[], instead = 'name the samples'): QueryTerm[] {
  const terms = queryTermsOf(words, new Date());
  return terms.length === 0 ? wrongUsage(`QUERY is blank: ${instead}`) : terms;
}
