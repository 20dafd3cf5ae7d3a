import { expect, test } from 'vitest';
import { bundledSample } from '../../../shared/domain/bundle.ts';
import { databaseForEachTest } from '../testing/database-of-tests.fixture.ts';
import { recordWith, type TestDatabase } from '../testing/database.fixture.ts';
import { readTotal } from './library-list.ts';
import { LibraryStore } from './library-store.ts';

let database: TestDatabase;
databaseForEachTest((opened) => {
  database = opened;
});

test('implausible sizes are summed up to the largest safe number', () => {
  const library = new LibraryStore(database.db, database.journal);
  for (const digit of ['a', 'b', 'c'])
    library.noteRecord({
      workspaceId: 'lab',
      md5: digit.repeat(32),
      record: recordWith({ sizeBytes: Number.MAX_SAFE_INTEGER }),
    });
  expect(readTotal(database.db.sql, [])).toEqual({ samples: 3, bytes: Number.MAX_SAFE_INTEGER });
  expect(readTotal(database.db.sql, [{ field: 'invault', negated: false, value: false }])).toEqual({
    samples: 3,
    bytes: Number.MAX_SAFE_INTEGER,
  });
  expect(library.count()).toMatchObject({ samples: 3, vaultBytes: 0 });
});

test('a bundle cannot claim a larger size than a sample can have', () => {
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
