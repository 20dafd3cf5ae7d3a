import type { PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { aboutWords } from '../../../components/byte-words.ts';
import { Checkbox } from '../../../components/checkbox.tsx';
import { unseenWords } from '../../../components/hunt-words.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from './text.ts';
import { obstacleTo, stepTo } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

export interface HuntOffer {
  samples: number;
  /** As the host would hunt after the step; null until it has told. */
  estimate: Pick<HuntEstimate, 'rules' | 'unseen' | 'total' | 'seconds'> | null;
}

/**
 * A hunt after the step to a package: null where there is no step, nothing to look with, or nothing to look through.
 */
export function useHuntOffer(state: PublicationsState, shown: PackageView): HuntOffer | null {
  const { data } = useOperation('library.count', {});
  const samples = data?.inVault ?? 0;
  const isPossible = stepTo(shown, state) !== 'none' && obstacleTo(shown, state) === null && samples > 0;
  // What is hunted is whatever the rules have not seen: not what the two packages differ in.
  const { data: estimate, error } = useOperation(
    'hunts.estimate',
    { workspaceId: state.workspaceId, scope: { kind: 'changed' }, package: shown.sha256 },
    { enabled: isPossible },
  );
  return isPossible && error === null && estimate?.rules !== 0 ? { samples, estimate: estimate ?? null } : null;
}

/** What is to follow the step, below it. */
export function HuntFoot({ offer: { samples, estimate } }: { offer: HuntOffer }) {
  const { hunt } = useUpdatesDesk();
  const seconds = estimate?.seconds ?? null;
  return (
    <div className={classNames(layout.row, layout.bottom, styles.huntFoot)}>
      <Checkbox isSelected={hunt.isWanted} onChange={hunt.want}>
        {text.huntAfterwards}
      </Checkbox>
      <span className={typography.note} data-figures>
        {estimate === null ? text.huntSamples(samples) : unseenWords(estimate)}
        {seconds !== null && ` ${text.huntTime(aboutWords(seconds))}`}
      </span>
    </div>
  );
}
