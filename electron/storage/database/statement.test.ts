import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { JournalKeys } from '../journal/journal-chain.ts';
import { Journal } from '../journal/journal.ts';
import { LibraryStore } from '../library/library-store.ts';
import { makeTestFolder, type TestFolder } from '../testing/database.fixture.ts';
import { statementsOf } from '../testing/written-statements.fixture.ts';
import { openDatabase } from './database.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

const step = z.object({ detail: z.string() });

/** A million rows must cost what ten cost: nothing is scanned from end to end, and no whole table is sorted. */
test('every statement of the journal and the library finds its rows by an index', () => {
  const db = openDatabase(folder.path);
  const texts = statementsOf(db, () => {
    const journal = new Journal(db, new JournalKeys(db));
    expect(new LibraryStore(db, journal).count().samples).toBe(0);
  }).filter((text) => !text.includes('journal_key'));
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) {
    const plan = db
      .query(step, `EXPLAIN QUERY PLAN ${text}`)
      .all()
      .map(({ detail }) => detail);
    // The last row, read from the end of the table, is called a scan as well: it stops at once and sorts nothing.
    const scans = plan.filter((detail) => /^SCAN (journal|sample|record)\b/.test(detail));
    if (scans.length > 0)
      expect([text, plan]).toEqual([expect.stringMatching(/ORDER BY journal\.number DESC LIMIT 1$/), scans]);
  }
  db.close();
});
