import { isLeftOpen, isWordless, meantTexts } from '../../storage/database/search-expression.ts';
import { letterForm, letterRanges } from './word-table.ts';

/**
 * Words, as the library of Vitrine finds samples by them, in PostgreSQL: `lab_words` cuts a text as SQLite's tokenizer
 * does (`word-table.ts`) and gives a tsvector with the places of the words; a query is cut by `wordsIn`, which does the
 * same, and becomes a tsquery whose words are already cut. So neither side goes through a parser of PostgreSQL.
 *
 * Known differences from the library, all of them in hostile texts: of one word of a sample, PostgreSQL stores the
 * first 255 places, and no place behind 16,383, so that a phrase behind them is not found, or not as a phrase; and
 * words are compared by their first 500 characters.
 */

/** Of a text, so many characters are cut into words, as in the library: a hostile one must not stall the server. */
const longestText = 20_000;
/** Characters of a word: a lexeme of PostgreSQL has at most 2,046 bytes. */
const longestWord = 500;

const ranges = (code: (point: number) => string): string =>
  letterRanges.map(([first, last]) => `${code(first)}-${code(last)}`).join('');
const word = new RegExp(`[a-z0-9${ranges((point) => `\\u{${point.toString(16)}}`)}]+`, 'gu');
const formed = new RegExp(`[A-Z${[...letterForm.keys()].join('')}]`, 'gu');

/** The words of a text in their order, each as it is compared. */
export const wordsIn = (text: string): string[] =>
  (text.replaceAll(formed, (letter) => letterForm.get(letter) ?? letter.toLowerCase()).match(word) ?? []).map((one) =>
    [...one].slice(0, longestWord).join(''),
  );

/** Weights of the words of a sample: where they are from. */
export const wordsOf = { name: 'A', threat: 'B', tags: 'C' } as const;
type WordWeight = (typeof wordsOf)[keyof typeof wordsOf];

/**
 * A tsquery for the words of a text side by side, within what has the weight; words may begin with the last. Any of the
 * texts that may be meant counts. Null: nothing has such words. Words have no character that is syntax in quotes.
 */
export function phraseQuery(typed: string, weight: WordWeight | null = null): string | null {
  const phrases = phrasesOf(typed).map(({ words, isOpen }) =>
    words
      .map((one, index) => {
        const marks = `${isOpen && index === words.length - 1 ? '*' : ''}${weight ?? ''}`;
        return `'${one}'${marks === '' ? '' : ':'}${marks}`;
      })
      .join(' <-> '),
  );
  const different = [...new Set(phrases)];
  return different.length === 0 ? null : different.map((phrase) => `(${phrase})`).join(' | ');
}

/** The words of each text that may be meant by what was typed, at least one each. */
export const phrasesOf = (typed: string): { words: string[]; isOpen: boolean }[] =>
  meantTexts(typed)
    .filter((text) => !isWordless(text))
    .map((text) => ({ words: wordsIn(text), isOpen: isLeftOpen(text) }))
    .filter(({ words }) => words.length > 0);

const inPostgres = (point: number): string =>
  point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
/**
 * A control character that stays as a word of its own between two values: it counts as a place, and is then left out.
 */
const border = String.raw`\x1f`;

/** PostgreSQL compares a letter with each that `translate` names, so few are named at once: a script or two. */
const scripts = [0x80, 0x250, 0x370, 0x590, 0x2000, 0x11_0000];
const translations = scripts.slice(1).map((end, index) => {
  const forms = [...letterForm].filter(([letter]) => {
    const point = letter.codePointAt(0) ?? 0;
    return point >= (scripts[index] ?? 0) && point < end;
  });
  // Those without a form last: what has no counterpart is removed.
  const byForm = forms.toSorted(([, one], [, other]) => Number(one === '') - Number(other === ''));
  const [letters, others] = [byForm.map(([letter]) => letter).join(''), byForm.map(([, form]) => form).join('')];
  return `IF line ~ '[${letters}]' THEN line := translate(line, '${letters}', '${others}'); END IF;`;
});

/**
 * `lab_words(parts)`: the words of several texts, with their places; a place is left free between two texts, so that no
 * phrase runs from one into the next. PL/pgSQL, as it keeps its plan. It names nothing that a search path decides.
 */
export const wordFunction = `
  CREATE FUNCTION lab_words(parts text[]) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $body$
  DECLARE
    part text;
    line text := '';
  BEGIN
    FOREACH part IN ARRAY parts LOOP
      IF part IS NOT NULL THEN
        line := line || translate(left(part, ${longestText}), E'${border}', ' ') || E' ${border} ';
      END IF;
      EXIT WHEN length(line) > ${longestText};
    END LOOP;
    line := lower(left(line, ${longestText}) COLLATE "C");
    IF octet_length(line) > length(line) THEN
      ${translations.join('\n      ')}
    END IF;
    RETURN (
      SELECT coalesce(string_agg('''' || left(word, ${longestWord}) || ''':' || place, ' '), '')::tsvector
      FROM regexp_split_to_table(line, '[^a-z0-9${border}${ranges(inPostgres)}]+')
        WITH ORDINALITY AS found (word, place)
      WHERE word NOT IN ('', E'${border}'));
  END $body$;`;
