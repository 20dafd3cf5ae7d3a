import { Fragment } from 'react';
import type { QueryProblem } from '../../../../shared/domain/library-query.ts';
import { type QueryRun, queryRuns } from '../../../../shared/domain/query-completion.ts';
import { classNames } from '../../../styles/class-names.ts';
import styles from './query-field.module.css';

/** What is typed, coloured, above a field whose own text is not painted: letter for letter in the same place. */
export function QueryText({ query, problem }: { query: string; problem: QueryProblem | null }) {
  return (
    <>
      {queryRuns(query).map((run) => (
        <Fragment key={run.at}>
          {cutAt(run, problem).map((piece) => (
            <span key={piece.at} className={classNames(styles[run.kind], piece.isWrong && styles.wrong)}>
              {piece.text}
            </span>
          ))}
        </Fragment>
      ))}
    </>
  );
}

interface Piece {
  at: number;
  text: string;
  isWrong: boolean;
}

/** A run in pieces: what the problem is about, and what is beside that. */
export function cutAt({ text, at }: QueryRun, problem: QueryProblem | null): Piece[] {
  const end = at + text.length;
  const [from, until] = problem === null ? [end, end] : [problem.at, problem.at + problem.length];
  const edges = [at, ...[from, until].filter((edge) => edge > at && edge < end), end];
  return edges.slice(0, -1).map((edge, index) => ({
    at: edge,
    text: text.slice(edge - at, (edges[index + 1] ?? end) - at),
    isWrong: edge >= from && edge < until,
  }));
}
