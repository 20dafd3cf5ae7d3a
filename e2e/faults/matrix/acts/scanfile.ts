import { type Act, type ActScene, type Ending, must } from './act.ts';
import { endOfJob, goOn } from './job-ending.ts';
import { jobOf } from './job-of.ts';

/** A file scanned by the service alone. */
export const scanfile: Act = {
  sampleBytes: [48_000],
  areAtService: false,
  async does(scene) {
    const {
      vitrine,
      workspaceId,
      samples: [sample],
    } = scene;
    const staged = await vitrine.stage('scan.bin', sample?.bytes ?? Buffer.alloc(0));
    const { id } = await vitrine.call('scans.start', {
      workspaceId,
      engines: 'service',
      files: [{ id: staged.id }],
      samples: [],
      tlp: 'clear',
    });
    return endOfJob(vitrine, id);
  },
  doesAgain: async (scene: ActScene) => goOn(scene.vitrine, await jobOf(scene)),
  async kept(scene, { state, failure }) {
    const { vitrine } = scene;
    const jobId = await jobOf(scene);
    const { results } = await vitrine.call('scans.file', { jobId, position: 1 });
    const { withHits, clean } = await vitrine.call('scans.summary', { jobId });
    must(clean === 0, 'a file that a rule hits counts as one without hits');
    must(
      (withHits === 1) === isScanned(state, failure),
      `a scan that ended "${state}", and ${withHits} files with hits`,
    );
    const [result] = results;
    if (result === undefined) return 'nothing';
    return result.state === 'scanned' ? 'the hit' : result.state;
  },
  wholeKept: 'the hit',
};

const isScanned = (state: string, failure: Ending['failure']): boolean => state === 'done' && failure === null;
