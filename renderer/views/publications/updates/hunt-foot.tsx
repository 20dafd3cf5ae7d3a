import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { aboutWords } from '../../../components/byte-words.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { obstacleTo, packageOf, stepTo } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

export interface HuntOffer {
  samples: number;
  /** As the host would hunt after the step; null until it has told. */
  estimate: Pick<HuntEstimate, 'rules' | 'against' | 'seconds'> | null;
}

/** A hunt after the step to a package: null where there is no step, nothing to look with, or nothing to look through. */
export function useHuntOffer(state: PublicationsState, shown: PackageView): HuntOffer | null {
  const { data } = useOperation('library.count', {});
  const samples = data?.inVault ?? 0;
  const isPossible = stepTo(shown, state) !== 'none' && obstacleTo(shown, state) === null && samples > 0;
  // What is hunted with is what changed since the last hunt, with all that uses it: not what the two packages differ in.
  const { data: estimate, error } = useOperation('hunts.estimate', { workspaceId: state.workspaceId, scope: { kind: 'changed' }, package: shown.sha256 }, { enabled: isPossible });
  return isPossible && error === null && estimate?.rules !== 0 ? { samples, estimate: estimate ?? null } : null;
}

/** What is to follow the step, below it. */
export function HuntFoot({ state, offer: { samples, estimate } }: { state: PublicationsState; offer: HuntOffer }) {
  const { hunt } = useUpdatesDesk();
  const seconds = estimate?.seconds ?? null;
  return (
    <div className={styles.huntFoot}>
      <Checkbox isSelected={hunt.isWanted} onChange={hunt.want}>{text.huntAfterwards(rulesWords(estimate, state))}</Checkbox>
      <span className={styles.huntAside} data-figures>{text.huntSamples(samples)}{seconds !== null && `, ${aboutWords(seconds)}`}</span>
    </div>
  );
}

/** Where they are not counted against what is active now, it is said since when they are. */
function rulesWords(estimate: HuntOffer['estimate'], state: PublicationsState): string {
  if (estimate === null) return text.huntRules.unknown;
  const { rules, against } = estimate;
  if (against === null) return text.huntRules.all(rules);
  return against.version === packageOf(state, state.active)?.version ? text.huntRules.changed(rules) : text.huntRules.since(rules, shortVersion(against.version));
}
