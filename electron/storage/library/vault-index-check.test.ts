import { expect, test } from 'vitest';
import { makeTestFolder, openTestDatabase } from '../testing/database.fixture.ts';
import { VaultCheckStore } from './vault-index.ts';

test('the last check is the one recorded last', () => {
  const folder = makeTestFolder();
  const { db } = openTestDatabase(folder.path);
  const checks = new VaultCheckStore(db);
  expect(checks.last()).toBeNull();
  checks.record({ ended: '2030-01-01T00:00:00.000Z', samples: 9, missing: 1, altered: 2 });
  checks.record({ ended: '2030-01-02T00:00:00.000Z', samples: 8, missing: 0, altered: 1 });
  expect(checks.last()).toEqual({ ended: '2030-01-02T00:00:00.000Z', samples: 8, missing: 0, altered: 1 });
  db.close();
  folder.remove();
});
