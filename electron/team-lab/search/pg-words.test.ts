import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { anyUnit } from '../../../shared/testing/any-unit.ts';
import { indexedText } from '../../storage/database/search-expression.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { phraseQuery, wordsIn } from './pg-words.ts';
import { letterRanges } from './word-table.ts';

const postgres = usePostgres();
const wordRow = z.object({ doc: z.number(), term: z.string() });

/** The words that the library's index has of each text, in their order. */
function indexedWords(texts: readonly string[]): string[][] {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE VIRTUAL TABLE text USING fts5(content, tokenize = 'unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE word USING fts5vocab(text, 'instance'); BEGIN`);
  const put = db.prepare('INSERT INTO text (rowid, content) VALUES (?, ?)');
  for (const [index, text] of texts.entries()) put.run(index, indexedText(text));
  const words = texts.map((): string[] => []);
  for (const row of db.prepare('SELECT doc, term FROM word ORDER BY doc, offset').iterate()) {
    const { doc, term } = wordRow.parse(row);
    words[doc]?.push(term);
  }
  db.close();
  return words;
}

async function openDatabase(): Promise<PgDatabase> {
  const database = new PgDatabase(readDatabaseAddress(await postgres.labDatabase(), {}));
  onTestFinished(() => database.close());
  return database;
}

/** The same of PostgreSQL. */
async function postgresWords(database: PgDatabase, texts: readonly string[]): Promise<string[][]> {
  const found = await database.query(
    {
      text: `SELECT ARRAY(SELECT lexeme FROM unnest(lab_words(ARRAY[text])), unnest(positions) AS place ORDER BY place)
        AS words FROM unnest($1::text[]) WITH ORDINALITY AS each (text, number) ORDER BY number`,
      row: z.object({ words: z.array(z.string()) }),
    },
    [texts],
  );
  return found.map(({ words }) => words);
}

/**
 * Each code point of the first two planes but NUL and halves of pairs, and the ends of what lies behind them, by itself
 * and between two letters.
 */
function tablePoints(): string[] {
  const ends = letterRanges.flatMap(([first, last]) => [first - 1, first, last, last + 1]);
  const points = new Set([...Array.from({ length: 0x2_0000 }, (_, point) => point), ...ends]);
  const characters = [...points]
    .filter((point) => point > 0 && point < 0x11_0000 && (point < 0xd800 || point > 0xdfff))
    .map((point) => String.fromCodePoint(point));
  return Array.from({ length: Math.ceil(characters.length / 64) }, (_, index) =>
    characters
      .slice(64 * index, 64 * index + 64)
      .flatMap((one) => [one, `q${one}z`])
      .join(' '),
  );
}

test('each character is cut in PostgreSQL and here as in the index of the library', { tags: ['long'] }, async () => {
  const texts = tablePoints();
  const expected = indexedWords(texts);
  expect(texts.map(wordsIn)).toEqual(expected);
  const database = await openDatabase();
  const words: string[][] = [];
  for (let from = 0; from < texts.length; from += 200)
    words.push(...(await postgresWords(database, texts.slice(from, from + 200))));
  expect(words).toEqual(expected);
});

const piece = fc.oneof(
  fc.constantFrom(...' ._-@/:\\é\u0301Ünٱक्षि中文ß'),
  fc.constantFrom('www.Example-site.org', 'a@b.example', '-1.5e3', 'C:\\Temp\\x', 'ИНВОЙС', '\u{F8FF}', '\x1f', "'"),
  fc.string({ maxLength: 4, unit: anyUnit }),
);

test('any text is cut in PostgreSQL and here as in the index of the library', async () => {
  const database = await openDatabase();
  const texts = fc.array(fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('').replaceAll('\0', '')));
  await fc.assert(
    fc.asyncProperty(texts, async (some) => {
      const expected = indexedWords(some);
      expect(some.map(wordsIn)).toEqual(expected);
      expect(await postgresWords(database, some)).toEqual(expected);
    }),
  );
});

test('a phrase becomes a query of words side by side, within one weight, whose last word is left open', () => {
  expect(phraseQuery('Cold  Invoice')).toBe("('cold' <-> 'invoice':*)");
  expect(phraseQuery('stage 2', 'A')).toBe("('stage':A <-> '2':A)");
  expect(phraseQuery("it's")).toBe("('it' <-> 's')");
  expect(phraseQuery('evil[.]example')).toBe("('evil' <-> 'example':*)");
  expect(phraseQuery('...')).toBeNull();
});
