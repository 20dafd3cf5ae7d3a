import { eventually } from '../fault-host.ts';
import { type Act, type ActScene, type Ending, must } from './act.ts';
import { inVault } from './stored-samples.ts';

/** A download of one sample. */
export const downloadfile: Act = {
  sampleBytes: [48_000],
  areAtService: true,
  does: download,
  doesAgain: download,
  async kept({ vitrine, samples }, { state }) {
    const kept = await inVault(vitrine, samples);
    must((kept === 'nothing') === (state === 'failed'), `a download that is "${state}", and ${kept}`);
    return kept;
  },
  wholeKept: '1 of 1 in the vault',
};

async function download({ vitrine, workspaceId, samples: [sample] }: ActScene): Promise<Ending> {
  const { id } = await vitrine.call('downloads.start', { workspaceId, md5: sample?.md5 ?? '' });
  return eventually('the download', async () => {
    const { downloads } = await vitrine.call('downloads.list', {});
    const found = downloads.find((one) => one.id === id);
    must(found !== undefined, 'the download is not listed');
    return found === undefined || found.state === 'waiting' || found.state === 'receiving' ? null : found;
  });
}
