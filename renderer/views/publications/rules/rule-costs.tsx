import { Gauge } from 'lucide-react';
import { useState } from 'react';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { CostMeasurement, RuleCost } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatMinute } from '../../../components/format.ts';
import { meaningOf } from '../../../state/failure-remedy.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import styles from './rules.module.css';
import { text } from './strings.ts';

/** How a cost was measured, and when. */
const formatMeasured = (cost: RuleCost): string => text.costMeasured(cost, formatMinute(new Date(cost.measured)));

/** What a rule costs, as it was stored. A measurement takes seconds and scans: only when it is asked for. */
export function RuleCostLine({
  workspaceId,
  sha256,
  rule,
  stored,
}: {
  workspaceId: string;
  sha256: string;
  rule: string;
  stored: RuleCost | null;
}) {
  const { data = stored, error, isPending, mutate } = useAction('ruleTrials.cost');
  return (
    <>
      {error !== null && <FailureNotice failure={error} meaning={meaningOf(error)} />}
      <p className={classNames(layout.baselineWrap, styles.knownLine)} role="status">
        <span>{text.costLabel}</span>
        {data === null ? <span>{text.notMeasured}</span> : <strong data-figures>{text.cost(data)}</strong>}
        {data !== null && <span data-figures>{formatMeasured(data)}</span>}
        {isPending ? (
          text.measuring
        ) : (
          <Button size="small" look="inline" onPress={() => mutate({ workspaceId, sha256, key: rule })}>
            {data === null ? text.measure : text.measureAgain}
          </Button>
        )}
      </p>
    </>
  );
}

/** Cost in the list. */
export function CostCell({ cost }: { cost: RuleCost | null }) {
  return (
    cost !== null && (
      <span data-figures title={`${text.cost(cost)}, ${formatMeasured(cost)}`}>
        {text.costShort(cost)}
      </span>
    )
  );
}

/** Begins to measure the rules of the active package. */
export function MeasureButton({
  workspaceId,
  onFailed,
}: {
  workspaceId: string;
  onFailed(failure: CostMeasurement['failure']): void;
}) {
  const { data } = useOperation('ruleCosts.state', { workspaceId });
  const { mutate, isPending } = useAction('ruleCosts.start', { onDone: () => onFailed(null), onFailed });
  return (
    <IconButton
      label={text.measureAll}
      isDisabled={isPending || data?.measurement?.state === 'running'}
      onPress={() => mutate({ workspaceId })}
    >
      <Gauge size={14} strokeWidth={1.6} aria-hidden="true" />
    </IconButton>
  );
}

interface PackageCostsProps {
  workspaceId: string;
  /** The active package: a measurement of another one is not shown. */
  sha256: string;
  /** Why it did not begin. */
  notStarted: CostMeasurement['failure'];
  onShowSlowest(): void;
}

/** How far the measurement of the package is, and how it ended. */
export function PackageCosts({ workspaceId, sha256, notStarted, onShowSlowest }: PackageCostsProps) {
  const { data } = useOperation('ruleCosts.state', { workspaceId });
  const { mutate: cancel } = useAction('ruleCosts.cancel');
  const [dismissed, dismiss] = useState<string | null>(null);
  const measurement =
    data?.measurement?.sha256 === sha256 && (dismissed === null || data.measurement.ended !== dismissed)
      ? data.measurement
      : null;
  const failure = notStarted ?? measurement?.failure ?? null;
  return (
    <>
      {failure !== null && (
        <div className={layout.inset}>
          <FailureNotice failure={failure} meaning={meaningOf(failure)} />
        </div>
      )}
      {measurement !== null && (
        <div
          className={classNames(layout.baselineWrap, layout.top, styles.costs)}
          role="group"
          aria-label={text.costsOfPackage}
        >
          <p role="status" data-figures>
            {formatState(measurement)}
          </p>
          {measurement.state === 'running' ? (
            <Button size="small" look="inline" onPress={() => cancel({ workspaceId })}>
              {text.stopMeasuring}
            </Button>
          ) : (
            <>
              {measurement.done > 0 && (
                <Button size="small" look="inline" onPress={onShowSlowest}>
                  {text.showSlowest}
                </Button>
              )}
              <Button size="small" look="inline" onPress={() => dismiss(measurement.ended)}>
                {text.dismiss}
              </Button>
            </>
          )}
          {measurement.leftOut.length > 0 && (
            <p className={styles.bad}>
              <bdi>{visibleText(text.notMeasurable(measurement.leftOut))}</bdi>
            </p>
          )}
        </div>
      )}
    </>
  );
}

function formatState(measurement: CostMeasurement): string {
  const { state, ended } = measurement;
  const words = text.measuredCounts(measurement);
  switch (state) {
    case 'running':
      return text.costsRunning(words);
    case 'done':
      return text.costsDone(words, formatMinute(new Date(ended ?? '')), measurement.isAfterHunt);
    case 'time-out':
      return text.costsTimeOut(words, measurement.isAfterHunt);
    case 'cancelled':
      return text.costsStopped(words);
    case 'failed':
      return text.costsFailed(words);
    default:
      return assertNever(state);
  }
}
