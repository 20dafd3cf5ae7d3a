import { eventually } from '../fault-host.ts';
import { type Act, type ActScene, type Ending, must } from './act.ts';

/** A check for a publication, which is fetched at once: the act of two actions. */
export const update: Act = {
  sampleBytes: [],
  areAtService: true,
  does: check,
  doesAgain: check,
  async kept({ vitrine, workspaceId }, { state, failure }) {
    const { packages, active, candidate } = await vitrine.call('publications.state', { workspaceId });
    must(active === null, 'a package was installed');
    const last = packages.find(({ sha256 }) => sha256 === candidate);
    must(
      (last !== undefined) === (state === 'found') && (last !== undefined || packages.length === 0),
      `a check that ended "${state}" (${failure?.kind}), and ${packages.length} packages`,
    );
    if (last === undefined) return 'nothing';
    must(
      last.contents === null ? last.failure !== null : last.contents.rules === 1,
      'the package has not its one rule',
    );
    return last.contents === null ? 'the package as received' : 'the package, not installed';
  },
  wholeKept: 'the package, not installed',
};

/** For a package that cannot be opened, the check reports that it was found, and the package why it cannot. */
async function check({ vitrine, workspaceId }: ActScene): Promise<Ending> {
  await vitrine.call('publications.check', { workspaceId });
  return eventually('the check', async () => {
    const {
      check: underWay,
      lastCheck,
      packages,
      candidate,
    } = await vitrine.call('publications.state', { workspaceId });
    if (underWay !== null || lastCheck === null) return null;
    return {
      state: lastCheck.outcome,
      failure: lastCheck.failure ?? packages.find(({ sha256 }) => sha256 === candidate)?.failure ?? null,
    };
  });
}
