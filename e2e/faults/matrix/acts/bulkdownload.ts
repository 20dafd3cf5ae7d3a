import { type Act, type ActScene, must } from './act.ts';
import { endOfJob, goOn } from './job-ending.ts';
import { jobOf } from './job-of.ts';
import { inVault } from './stored-samples.ts';

/** A bulk download of two samples: half of their archive holds the first. */
export const bulkdownload: Act = {
  sampleBytes: [40_000, 60_000],
  areAtService: true,
  async does({ desk, workspaceId, samples }) {
    const { id } = await desk.call('bulk.create', { workspaceId });
    await desk.call('bulk.add', { id, hashes: samples.map(({ md5 }) => md5) });
    await desk.call('bulk.start', { id });
    return endOfJob(desk, id);
  },
  doesAgain: async (scene: ActScene) => goOn(scene.desk, await jobOf(scene)),
  async kept({ desk, samples }, { state }) {
    const kept = await inVault(desk, samples);
    const done = state.match(/done|already-here/g)?.length ?? 0;
    must(kept === (done === 0 ? 'nothing' : `${done} of 2 in the vault`), `a job that ended "${state}", and ${kept}`);
    return kept;
  },
  wholeKept: '2 of 2 in the vault',
};
