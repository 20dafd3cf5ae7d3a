import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './database.ts';
import { makeTestFolder, openTestDesk, recordWith, type TestDesk, type TestFolder } from './desk.fixture.ts';
import { foundByWords } from './found-by-words.fixture.ts';
import { LibraryStore } from './library-store.ts';
import { scanHashesOf, sha256Of } from './scan.fixture.ts';

let folder: TestFolder;
let desk: TestDesk;
beforeEach(() => {
  folder = makeTestFolder();
  desk = openTestDesk(folder.path);
});
afterEach(() => {
  desk.db.close();
  folder.remove();
});

const pieces = ({ sql }: Database): number =>
  z.object({ pieces: z.number() }).parse(sql.prepare('SELECT count(DISTINCT segid) AS pieces FROM sample_text_idx').get()).pieces;

/** Each in a transaction of its own. */
function learn(from: number, to: number): void {
  const library = new LibraryStore(desk.db, desk.journal);
  for (let number = from; number <= to; number += 1) {
    const { md5 } = scanHashesOf(number);
    library.recordLookup({ workspaceId: 'lab', md5, record: recordWith({ md5, sha256: sha256Of(number), name: `invoice-${number}` }), outcome: 'ok' });
  }
}

test('no commit merges the words of those before, and the turns after it do', async () => {
  learn(1, 12);
  expect(pieces(desk.db)).toBe(12);
  await expect.poll(() => pieces(desk.db)).toBeLessThan(4);
  expect(foundByWords(desk.db, 'invoice')).toHaveLength(12);
});

test('pieces stay few while words are written turn after turn', async () => {
  let most = 0;
  for (let number = 1; number <= 60; number += 1) {
    learn(number, number);
    await nextTurn();
    most = Math.max(most, pieces(desk.db));
  }
  expect(most).toBeLessThan(16);
  expect(foundByWords(desk.db, 'invoice')).toHaveLength(60);
});

test('what was closed meanwhile is left alone', async () => {
  learn(1, 12);
  desk.db.close();
  await nextTurn();
  desk = openTestDesk(folder.path);
  expect(pieces(desk.db)).toBe(12);
  learn(13, 13);
  await expect.poll(() => pieces(desk.db)).toBeLessThan(4);
});
