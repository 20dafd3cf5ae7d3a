import { eventually } from '../fault-host.ts';
import { type Act, type ActScene, type Ending, must } from './act.ts';
import { endOfJob, goOn } from './job-ending.ts';
import { jobOf } from './job-of.ts';

/** An upload of one file that the service has not. */
export const uploadfiles: Act = {
  sampleBytes: [48_000],
  areAtService: false,
  async prepare({ vitrine, workspaceId, samples: [sample] }) {
    const staged = await vitrine.stage('drop.bin', sample?.bytes ?? Buffer.alloc(0));
    await vitrine.call('uploads.add', { workspaceId, files: [{ id: staged.id, path: 'drop.bin' }] });
    await eventually('the draft', async () => {
      const draft = await vitrine.call('uploads.draft', { workspaceId });
      return draft.toSend.files === 1 && draft.busy === 0 && draft.unasked === 0 ? draft : null;
    });
  },
  async does({ vitrine, workspaceId }) {
    const { id } = await vitrine.call('uploads.send', { workspaceId });
    return endOfJob(vitrine, id);
  },
  doesAgain: async (scene: ActScene) => goOn(scene.vitrine, await jobOf(scene)),
  async kept({ service: { sound }, samples: [sample] }, ending) {
    const times = sound.uploads.filter((md5) => md5 === sample?.md5).length;
    must(sound.uploads.length === times && times <= 1, `the service got ${sound.uploads.length} files`);
    must(times === 1 || !confirmsStored(ending), `an upload that is "${ending.state}", and the service has nothing`);
    must(
      times === 0 || confirmsStored(ending) || leavesOpen(ending),
      `an upload that is "${ending.state}", and the service has it`,
    );
    return times === 0 ? 'nothing' : 'once at the service';
  },
  wholeKept: 'once at the service',
};

const confirmsStored = ({ state }: Ending): boolean => state === 'done' || state === 'already-here';
const leavesOpen = ({ state, failure }: Ending): boolean =>
  state.startsWith('paused') || state.startsWith('asleep') || failure?.kind === 'may-have-arrived';
