import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { vaultSample } from '../../shared/domain/scan.ts';
import { isInVault, missingOfTotal } from './library-vault.ts';
import { rowsOf } from './named-rows.ts';
import type { VaultAnswer, VaultRequest } from './reading-messages.ts';
import { searchExpression } from './search-expression.ts';

const totalRow = z.object({ total: z.number() });
const columns =
  'sample.sha256, sample.md5, sample.name, ifnull(sample.size_bytes, 0) AS sizeBytes, sample.last_seen AS lastSeen';
const order = 'ORDER BY sample.last_seen DESC, sample.id DESC LIMIT :limit OFFSET :offset';
const every = `FROM sample INDEXED BY sample_in_vault_by_time WHERE ${isInVault}`;
const found = `FROM sample_text CROSS JOIN sample ON sample.id = sample_text.rowid WHERE sample_text MATCH :words
  AND ${isInVault}`;

/** Samples whose bytes the vault has, seen last first. A text without a word finds nothing. */
export function readVault(sql: DatabaseSync, { find, offset, limit }: VaultRequest): VaultAnswer {
  const words = searchExpression(find);
  if (words === null && find.trim() !== '') return { samples: [], total: 0 };
  const which = words === null ? every : found;
  const total =
    words === null
      ? `SELECT in_vault - (SELECT samples FROM (${missingOfTotal})) AS total FROM library_total`
      : `SELECT count(*) AS total ${which}`;
  return {
    samples: rowsOf(sql, vaultSample, `SELECT ${columns} ${which} ${order}`, { words, limit, offset }),
    total: rowsOf(sql, totalRow, total, { words })[0]?.total ?? 0,
  };
}
