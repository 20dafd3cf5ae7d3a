import { expect, test } from 'vitest';
import { bundledSample } from '../../../shared/domain/bundle.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { readTotal } from './library-list.ts';
import { LibraryStore } from './library-store.ts';

let desk: TestDatabase;
databaseForEachTest((opened) => {
  desk = opened;
});

test('sizes that nobody’s sample has are counted up to the largest number there is', () => {
  const library = new LibraryStore(desk.db, desk.journal);
  for (const digit of ['a', 'b', 'c'])
    library.noteRecord({
      workspaceId: 'lab',
      md5: digit.repeat(32),
      record: recordWith({ sizeBytes: Number.MAX_SAFE_INTEGER }),
    });
  expect(readTotal(desk.db.sql, [])).toEqual({ samples: 3, bytes: Number.MAX_SAFE_INTEGER });
  expect(readTotal(desk.db.sql, [{ field: 'invault', negated: false, value: false }])).toEqual({
    samples: 3,
    bytes: Number.MAX_SAFE_INTEGER,
  });
  expect(library.count()).toMatchObject({ samples: 3, vaultBytes: 0 });
});

test('a bundle claims no larger size than a sample can have', () => {
  const sizeOf = (sizeBytes: number): boolean =>
    bundledSample.safeParse({
      sha256: null,
      md5: 'a'.repeat(32),
      sha1: null,
      sizeBytes,
      tags: [],
      tlp: null,
      note: null,
    }).success;
  expect([sizeOf(2 ** 50), sizeOf(2 ** 50 + 1)]).toEqual([true, false]);
});
