import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { NamedMatch } from '../../shared/domain/query-fields.ts';
import { lowerLetters } from '../../shared/domain/visible-text.ts';
import type { FoundBy } from './library-found-sets.ts';
import { rowsOf } from './named-rows.ts';
import { phraseExpression } from './search-expression.ts';

type TextColumn = 'name' | 'threat';
/** A name that is looked for: the whole of it, or how it begins. */
export type SoughtName = Exclude<NamedMatch, { kind: 'any' }>;

const ruleRow = z.object({ id: z.number() });

/** A phrase in one column of the words of samples, the last letters left open. A text without a word is nowhere. */
export function phraseIn(column: TextColumn, text: string): FoundBy[] {
  const phrase = phraseExpression(text);
  return phrase === null
    ? []
    : [
        {
          select: 'SELECT rowid FROM sample_text WHERE sample_text MATCH :words',
          parameters: { words: `${column} : ${phrase}` },
        },
      ];
}

/** A phrase in one comment, listed or this desk's own. */
export function phraseInComment(text: string): FoundBy[] {
  const phrase = phraseExpression(text);
  const select = `SELECT sample.id FROM comment_text CROSS JOIN comment ON comment.number = comment_text.rowid
    CROSS JOIN sample ON sample.md5 = comment.md5
    WHERE comment_text MATCH :words`;
  return phrase === null ? [] : [{ select, parameters: { words: `content : ${phrase}` } }];
}

export function phraseInNote(text: string): FoundBy[] {
  const words = phraseExpression(text);
  const owns = `SELECT sample_own.sha256 FROM note_text CROSS JOIN sample_own ON sample_own.id = note_text.rowid
      WHERE note_text MATCH :words`;
  return words === null ? [] : [{ select: `SELECT id FROM sample WHERE sha256 IN (${owns})`, parameters: { words } }];
}

/** A phrase in any words of a sample, in one of its comments, in its note, or in the name of a rule that hit it. */
export function phraseAnywhere(sql: DatabaseSync, text: string): FoundBy[] {
  const words = phraseExpression(text);
  if (words === null) return [];
  const inWords = {
    select: 'SELECT rowid FROM sample_text WHERE sample_text MATCH :words',
    parameters: { words: `{name hashes tags threat} : ${words}` },
  };
  return [
    inWords,
    ...phraseInComment(text),
    ...phraseInNote(text),
    ...hitBy(sql, 'instr(lower(rule), :rule) > 0', lowerLetters(text)),
  ];
}

/** Rules are compared as they are written, in any workspace. */
export const hitByRule = (sql: DatabaseSync, { kind, value }: SoughtName): FoundBy[] =>
  hitBy(sql, kind === 'exact' ? 'rule = :rule' : 'substr(rule, 1, length(:rule)) = :rule', value);

/** Hits have no index by rule: all of them are read, and therefore only when there is such a rule. */
function hitBy(sql: DatabaseSync, condition: string, rule: string): FoundBy[] {
  const ids = rowsOf(sql, ruleRow, `SELECT id FROM hit_rule WHERE ${condition}`, { rule }).map(({ id }) => id);
  if (ids.length === 0) return [];
  const samples = 'SELECT sample_id FROM sample_hit WHERE rule_id IN (SELECT value FROM json_each(:rules))';
  const select = `SELECT sample.id FROM hit_sample CROSS JOIN sample ON sample.sha256 = hit_sample.sha256
    WHERE hit_sample.id IN (${samples})`;
  return [{ select, parameters: { rules: JSON.stringify(ids) } }];
}

const isThis = "instr(sample.tags, ',' || :tag || ',') > 0";
const beginsSo = "instr(sample.tags, ',' || :tag) > 0";
const asciiWord = /[a-z0-9]/;
const endsInAsciiWord = /[a-z0-9]{2}$/;

/**
 * The words of the tag lead to the samples that may have it, and their tags decide. A tag whose words are not surely
 * seen as such, as in `:::`, or of whose beginning only a letter is known, is looked for in every row. Of a sample with
 * more than 20,000 characters of tags those behind them are found in the latter way alone.
 */
export function hasTag({ kind, value }: SoughtName): FoundBy {
  const [decides, leads] = kind === 'exact' ? [isThis, asciiWord.test(value)] : [beginsSo, endsInAsciiWord.test(value)];
  const phrase = leads ? phraseExpression(value) : null;
  if (phrase === null) return { select: `SELECT id FROM sample WHERE ${decides}`, parameters: { tag: value } };
  const select = `SELECT sample.id FROM sample_text CROSS JOIN sample ON sample.id = sample_text.rowid
    WHERE sample_text MATCH :words AND ${decides}`;
  return { select, parameters: { tag: value, words: `tags : ${phrase}` } };
}
