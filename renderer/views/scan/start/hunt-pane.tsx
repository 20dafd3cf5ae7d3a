import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useLate } from '../../../components/use-late.ts';
import { useNextScan } from '../../../features/scans/scan-store.tsx';
import { useViewStartScan } from '../../../features/scans/start-scan.ts';
import { FailureRemedy, meaningOf } from '../../../state/failure-remedy.tsx';
import { classNames } from '../../../styles/class-names.ts';
import { EarlierScans } from '../list/earlier-scans.tsx';
import { text as listText } from '../list/text.ts';
import { HuntFacts, LastHunt } from './hunt-facts.tsx';
import styles from './start.module.css';
import { text } from './text.ts';

/** The hunt through the vault, with what it would be before it begins; below it what was scanned and hunted before. */
export function HuntPane({ workspaceId }: { workspaceId: string }) {
  return (
    <section className={styles.hunt} data-pane aria-labelledby="hunt">
      <div className={styles.paneHead}>
        <h2 id="hunt" className={styles.paneTitle}>
          {text.hunt}
        </h2>
      </div>
      <Hunt workspaceId={workspaceId} />
      <div className={styles.earlier}>
        <div className={styles.paneHead}>
          <h2 className={styles.paneTitle}>{listText.title}</h2>
        </div>
        <EarlierScans workspaceId={workspaceId} />
      </div>
    </section>
  );
}

function Hunt({ workspaceId }: { workspaceId: string }) {
  const [{ huntScope: kind }, note] = useNextScan(workspaceId);
  const { data: estimate, error } = useOperation('hunts.estimate', { workspaceId, scope: { kind } });
  const { start, isStarting, failure } = useViewStartScan('hunts.start', workspaceId);
  const isLate = useLate(estimate === undefined && error === null);
  const options = [
    { value: 'changed', text: <span className={styles.choice}>{text.changed}</span> },
    { value: 'all', text: <span className={styles.choice}>{text.all}</span> },
  ] as const;
  const told = failure ?? error;
  return (
    <>
      <div className={classNames(styles.body, styles.huntBody)}>
        <RadioChoice
          label={text.huntScope}
          value={kind}
          options={options}
          onChange={(scope) => note({ huntScope: scope })}
        />
        {isLate && <p role="status">{text.estimating}</p>}
        {told !== null && (
          <FailureNotice failure={told} meaning={meaningOf(told)} action={<FailureRemedy failure={told} />} />
        )}
        {estimate !== undefined && error === null && <Estimate estimate={estimate} />}
        {estimate !== undefined && error === null && estimate.older.pairs > 0 && (
          <>
            <p>{text.older(estimate.older.rules, estimate.older.samples)}</p>
            <div>
              <Button isDisabled={isStarting} onPress={() => start({ workspaceId, scope: { kind: 'engine' } })}>
                {text.olderButton}
              </Button>
            </div>
          </>
        )}
      </div>
      <div className={styles.huntAct}>
        <Button
          isDisabled={isStarting || error !== null || !canHunt(estimate)}
          onPress={() => start({ workspaceId, scope: { kind } })}
        >
          {text.huntButton(estimate?.samples ?? 0)}
        </Button>
      </div>
    </>
  );
}

function Estimate({ estimate }: { estimate: HuntEstimate }) {
  if (canHunt(estimate) || estimate.total.samples === 0) return <HuntFacts estimate={estimate} />;
  return (
    <>
      <p role="status">{text.nothingToHunt}</p>
      <LastHunt estimate={estimate} />
    </>
  );
}

/** Hits of rules that are gone are lost by a hunt even where there is no rule to look with. */
const canHunt = (estimate: HuntEstimate | undefined): boolean =>
  estimate !== undefined && estimate.total.samples > 0 && (estimate.samples > 0 || estimate.removed.length > 0);
