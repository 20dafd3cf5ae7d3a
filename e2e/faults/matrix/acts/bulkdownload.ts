import { type Act, type ActScene, must } from './act.ts';
import { endOfJob, goOn } from './job-ending.ts';
import { jobOf } from './job-of.ts';
import { inVault } from './stored-samples.ts';

/** A bulk download of two samples: half of their archive holds the first. */
export const bulkdownload: Act = {
  sampleBytes: [40_000, 60_000],
  areAtService: true,
  async does({ vitrine, workspaceId, samples }) {
    const { id } = await vitrine.call('bulk.create', { workspaceId });
    await vitrine.call('bulk.add', { id, hashes: samples.map(({ md5 }) => md5) });
    await vitrine.call('bulk.start', { id });
    return endOfJob(vitrine, id);
  },
  doesAgain: async (scene: ActScene) => goOn(scene.vitrine, await jobOf(scene)),
  async kept({ vitrine, samples }, { state }) {
    const kept = await inVault(vitrine, samples);
    const done = state.match(/done|already-here/g)?.length ?? 0;
    must(kept === (done === 0 ? 'nothing' : `${done} of 2 in the vault`), `a job that ended "${state}", and ${kept}`);
    return kept;
  },
  wholeKept: '2 of 2 in the vault',
};
