import { type QueryTerm, readLibraryQuery } from '../../shared/domain/library-query.ts';
import type { LibraryRow } from '../../shared/domain/library.ts';
import { fieldNamed } from '../../shared/domain/query-fields.ts';
import { type QueryProblem, queryProblemSentence, repaired } from '../../shared/domain/query-problems.ts';
import { fail, FailureError, type FailureKind } from '../../shared/failure.ts';
import type { CommandRun } from './command.ts';
import { exitCodes, inUsage, ExitError, wrongUsage } from './exit.ts';
import type { Terminal } from './terminal.ts';

/** Whether a part of a command line is an excluded term, such as `-tag:a`, `-"a b"` or `-(a OR b)`, and no options. */
export function isExcludedTerm(part: string): boolean {
  const [begin, field] = /^-(?:["(]|([a-z0-9]+):)/i.exec(part) ?? [];
  return begin !== undefined && (field === undefined || fieldNamed(field) !== null);
}

/**
 * What the words of a command line look for in the library, as its field of the page reads them. @throws UsageError for
 * what cannot be read
 */
export function queryTermsOf(words: readonly string[], now: Date): QueryTerm[] {
  const query = words.join(' ');
  const read = readLibraryQuery(query, now);
  if (read.kind === 'terms') return read.terms;
  const { what, example } = queryProblemSentence(read.problem);
  return wrongUsage(inUsage(what), placeLines(query, read.problem, example));
}

/** So many characters of a query are shown, the place of its problem among them. */
const widestPlace = 76;

/** The query with marks below what is meant, and how it may be meant instead, or an example. */
function placeLines(query: string, problem: QueryProblem, example: string): string[] {
  const { at, length } = problem;
  const from = Math.max(0, Math.min(at - 20, query.length - widestPlace));
  const shown = query.slice(from, from + widestPlace).replaceAll(/[\p{C}\s]/gu, ' ');
  const marked = Math.max(1, Math.min(length, shown.length - (at - from)));
  const meant = repaired(query, problem);
  return [
    `  ${shown}`,
    `  ${' '.repeat(at - from)}${'^'.repeat(marked)}`,
    meant === null || meant.length > widestPlace ? `For example: ${example}` : `Did you mean: ${meant}`,
  ];
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

/**
 * What was prepared of the samples of a query.
 *
 * @throws ExitError where it matches none
 */
export async function ofMatches<Prepared>(
  terminal: Pick<Terminal, 'complain'>,
  preparing: Promise<Prepared>,
): Promise<Prepared> {
  try {
    return await preparing;
  } catch (error) {
    if (!(error instanceof FailureError) || !matchesNone.has(error.failure.kind)) throw error;
    terminal.complain('No sample matches this query. Nothing was written.');
    throw new ExitError(exitCodes.notFound);
  }
}

const isHash = (text: string): boolean => /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text);

/** A hash as it was typed, in lower case; null for what is none. */
export const typedHash = (text: string): string | null => (isHash(text) ? text.toLowerCase() : null);

/** @throws UsageError for what is not a hash */
export const neededHash = (text: string): string =>
  typedHash(text) ?? wrongUsage(`"${text}" is not an MD5, SHA-1 or SHA-256`);

/** What the library knows of it. @throws FailureError `not-in-library` */
export async function librarySample(run: CommandRun, hash: string): Promise<LibraryRow> {
  const { row } = await run.ask('library.sample', { hash });
  return row;
}

/** What the repository is asked by. @throws FailureError `not-in-library`, `needs-md5` */
export async function md5Of(run: CommandRun, hash: string): Promise<string> {
  if (hash.length === 32) return hash;
  const { md5 } = await librarySample(run, hash);
  return md5 ?? fail({ kind: 'needs-md5', hash });
}
