import packageJson from '../package.json' with { type: 'json' };
import type { Job } from '../shared/domain/job.ts';
import { type Foundation, type Services, defectLog } from './services.ts';
import { WordPass } from './services/library/word-pass.ts';
import { Backups } from './services/storage/backups.ts';
import { DataMoves } from './services/storage/data-moves.ts';
import { StorageUpkeep } from './services/storage/storage-upkeep.ts';

/** What keeps the data in order. */
export function buildUpkeep(
  foundation: Foundation,
  services: () => Services,
): Pick<Services, 'storage' | 'backups' | 'dataMoves' | 'wordPass'> {
  const { platform, stores, vault } = foundation;
  const isBusy = (): boolean => {
    const { bundles, downloads, exports, previews, library, jobs } = services();
    return (
      bundles.running + downloads.running + exports.running + previews.running + library.forgetting + jobs.running > 0
    );
  };
  const storage = new StorageUpkeep({
    vault,
    library: stores.library,
    dataDirectory: platform.dataDirectory,
    checks: stores.vaultChecks,
    finishForgetting: () => services().library.finishForgetting(),
    isBusy,
    jobs: () => services().jobs,
  });
  const backups = new Backups({
    platform,
    version: packageJson.version,
    store: stores.backups,
    vault,
    watchedFolder: () => stores.watch.folder()?.path ?? null,
    areBytesGoing: () => {
      const { library, jobs } = services();
      return storage.isCleaningUp || library.forgetting > 0 || jobs.list().some(isForgettingNow);
    },
    jobs: () => services().jobs,
  });
  return {
    storage,
    backups,
    dataMoves: new DataMoves({ platform }),
    wordPass: new WordPass({
      upkeep: stores.words,
      isBusy: () => isBusy() || storage.isCleaningUp,
      logDefect: defectLog(foundation, 'library.words'),
    }),
  };
}

const isForgettingNow = ({ state, task }: Job): boolean =>
  state === 'running' && task.kind === 'library-change' && (task.what === 'bytes' || task.what === 'all');
