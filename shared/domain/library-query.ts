export { type QueryProblem, queryProblem } from './query-problems.ts';
export { longestQuery, mostQueryTerms, type QueryTerm, queryTerm, queryTerms } from './query-term.ts';
