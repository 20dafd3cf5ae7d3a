import { resolve } from 'node:path';
import type { RestoredData, RestoreOrder } from './cli/offline.ts';
import { defaultDataDirectory } from './platform/data-directory.ts';
import { restoreBackup } from './storage/backup/backup-restore.ts';
import { placeToOpen } from './storage/directory/data-location.ts';

/**
 * `data`: the data directory that was named; null: that of this person. Fails as `restoreBackup` and `placeToOpen` do.
 */
export function restoreData({ data, ...order }: RestoreOrder & { data: string | null }): Promise<RestoredData> {
  const choice = {
    named: data === null ? null : resolve(data),
    usual: defaultDataDirectory(process.platform, process.env),
  };
  return restoreBackup({ ...order, target: placeToOpen(choice) });
}

export { verifyBackup } from './storage/backup/backup-restore.ts';
