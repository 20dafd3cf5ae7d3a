import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import { lowerLetters } from '../../shared/domain/visible-text.ts';
import { tagsBeginningWith } from './known-tags.ts';
import { rowsOf } from './named-rows.ts';
import type { SuggestRequest } from './reading-messages.ts';

const mostSuggested = 20;
/** A library of any size answers at once: what it had lately is what is looked for. */
const samplesLooked = 50_000;
const choiceRow = z.object({ choice: z.string() });

/**
 * At most twenty: tags that begin so, or whose value does, the most used first; rules with it in their names, the
 * shortest first; types and threats that begin so, the most frequent first among the 50,000 samples seen last.
 */
export function suggestions(sql: DatabaseSync, { kind, beginning }: SuggestRequest): string[] {
  switch (kind) {
    case 'tag':
      return tagsBeginningWith(sql, beginning);
    case 'rule':
      return choices(
        sql,
        `SELECT DISTINCT rule AS choice FROM hit_rule WHERE instr(lower(rule), :sought) > 0
          ORDER BY length(rule), rule`,
        beginning,
      );
    case 'type':
    case 'threat':
      return choices(sql, ofLatest(kind), beginning);
    default:
      return assertNever(kind);
  }
}

const ofLatest = (column: 'type' | 'threat'): string =>
  `SELECT ${column} AS choice FROM (SELECT ${column} FROM sample INDEXED BY sample_by_last_seen
    ORDER BY last_seen DESC, id DESC LIMIT ${samplesLooked})
  WHERE substr(lower(${column}), 1, length(:sought)) = :sought GROUP BY ${column} ORDER BY count(*) DESC, ${column}`;

const choices = (sql: DatabaseSync, text: string, beginning: string): string[] =>
  rowsOf(sql, choiceRow, `${text} LIMIT ${mostSuggested}`, { sought: lowerLetters(beginning).toWellFormed() }).map(
    ({ choice }) => choice,
  );
