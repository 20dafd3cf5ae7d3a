import { type Act, type ActScene, type Ending, must } from './act.ts';

/** A look-up. */
export const getfile: Act = {
  sampleBytes: [100],
  areAtService: true,
  does: lookUp,
  doesAgain: lookUp,
  async kept({ vitrine, samples: [sample] }, { state }) {
    const known = await vitrine.ask('library.sample', { hash: sample?.md5 ?? '' });
    must(
      known.ok === (state === 'done'),
      known.ok ? 'the library has what was not found' : 'the library has not what was found',
    );
    return known.ok ? 'the record' : 'nothing';
  },
  wholeKept: 'the record',
};

async function lookUp({ vitrine, workspaceId, samples: [sample] }: ActScene): Promise<Ending> {
  const found = await vitrine.ask('samples.lookup', { workspaceId, hash: sample?.md5 ?? '' });
  if (!found.ok) return { state: 'failed', failure: found.failure };
  must(found.value.record.md5 === sample?.md5, 'the record is of another sample');
  return { state: 'done', failure: null };
}
