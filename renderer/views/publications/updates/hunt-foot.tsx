import type { DifferenceCounts, PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { aboutWords } from '../../../components/byte-words.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { text } from './text.ts';
import { obstacleTo, stepTo } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

export interface HuntOffer {
  /** Rules that would be new or changed. */
  rules: number;
  samples: number;
}

/** A hunt after the step to a package: null where there is no step, nothing to look with, or nothing to look through. */
export function useHuntOffer(state: PublicationsState, shown: PackageView, counts: DifferenceCounts | null): HuntOffer | null {
  const { data } = useOperation('library.count', {});
  const rules = counts === null ? 0 : counts.added + counts.changed;
  const samples = data?.inVault ?? 0;
  const hasStep = stepTo(shown, state) !== 'none' && obstacleTo(shown, state) === null;
  return hasStep && rules > 0 && samples > 0 ? { rules, samples } : null;
}

/** What is to follow the step, below it. */
export function HuntFoot({ workspaceId, offer: { rules, samples } }: { workspaceId: string; offer: HuntOffer }) {
  const { hunt } = useUpdatesDesk();
  // How long a hunt takes depends on the samples and hardly on the rules: reckoned with those in use.
  const { data: estimate } = useOperation('hunts.estimate', { workspaceId, scope: { kind: 'all' } }, { enabled: hunt.isWanted });
  const seconds = estimate?.seconds ?? null;
  return (
    <div className={styles.huntFoot}>
      <Checkbox isSelected={hunt.isWanted} onChange={hunt.want}>{text.huntAfterwards(rules)}</Checkbox>
      <span className={styles.huntAside} data-figures>{text.huntSamples(samples)}{seconds !== null && `, ${aboutWords(seconds)}`}</span>
    </div>
  );
}
