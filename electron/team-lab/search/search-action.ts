import { z } from 'zod';
import { readLibraryQuery } from '../../../shared/domain/library-query.ts';
import type { QueryTerm } from '../../../shared/domain/query-fields.ts';
import { queryProblemSentence } from '../../../shared/domain/query-problems.ts';
import { type Action, atMost, sendJson } from '../../lab/action.ts';
import { LabError } from '../../lab/errors.ts';
import { sampleReply } from '../../lab/repository-service.ts';
import type { PgDatabase } from '../postgres/pg-database.ts';
import { mostOfPage, searchOrders, SearchRefused, searchSamples } from './pg-search.ts';

/** Each holds a connection of the pool, of which uploads and downloads need some too. */
const searchesAtOnce = 4;
const usualPage = 50;

const orderParameter = z.enum(searchOrders);
const limitParameter = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .pipe(z.number().min(1).max(mostOfPage));

/**
 * `query`, `order`, `after`, `limit` → `{"files": […], "next", "total", "more"}`: a page of the samples that a query of
 * the library's language finds, each as `getfile` sends it, without its comments. Without a query all are found. `next`
 * is the `after` of the next page, or null; `total` counts to 1,000, and `more` states that there are more. A query
 * that cannot be read, or names a field that a team lab does not have, is `bad-parameter` with a sentence for the
 * person. Restricted samples are among them: only their bytes need another right.
 */
export function searchFiles(database: PgDatabase, now: () => Date = () => new Date()): Action {
  const refusal = `The lab answers ${searchesAtOnce} searches at a time.`;
  return {
    method: 'GET',
    right: 'read',
    answer: atMost(searchesAtOnce, refusal, async ({ parameters, response }) => {
      const text = parameters.get('query') ?? '';
      const request = {
        text,
        terms: readQuery(text, now()),
        order: readParameter(orderParameter, parameters.get('order') ?? 'newest', orderSentence),
        limit: readParameter(limitParameter, parameters.get('limit') ?? String(usualPage), limitSentence),
        after: parameters.get('after') ?? null,
      };
      const { samples, ...page } = await refused(searchSamples(database, request));
      const files = samples.map((sample) => {
        const { comments: _, ...record } = sampleReply(sample, []);
        return record;
      });
      sendJson(response, 200, { files, ...page });
    }),
  };
}

const orderSentence = `"order" takes one of ${searchOrders.join(', ')}.`;
const limitSentence = `"limit" must be a number from 1 to ${mostOfPage}.`;

function readQuery(text: string, now: Date): QueryTerm[] {
  const read = readLibraryQuery(text, now);
  if (read.kind === 'problem') throw new LabError('bad-parameter', queryProblemSentence(read.problem).what);
  return read.terms;
}

function readParameter<Shape extends z.ZodType>(shape: Shape, text: string, sentence: string): z.output<Shape> {
  const read = shape.safeParse(text);
  if (!read.success) throw new LabError('bad-parameter', sentence);
  return read.data;
}

async function refused<T>(search: Promise<T>): Promise<T> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof SearchRefused) throw new LabError('bad-parameter', error.message);
    throw error;
  }
}
