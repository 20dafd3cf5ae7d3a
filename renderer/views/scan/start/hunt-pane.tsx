import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { formatEstimate, cutMiddle, formatMinute, formatNumber, formatSize } from '../../../components/format.ts';
import { formatUnseen } from '../../../components/jobs/job-format.ts';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { useLate } from '../../../components/use-late.ts';
import { useNextScan } from '../../../features/scans/scan-store.tsx';
import { useViewStartScan } from '../../../features/scans/start-scan.ts';
import { FailureRemedy, meaningOf } from '../../../state/failure-remedy.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { EarlierScans } from './earlier-scans.tsx';
import { text as listText } from './earlier-strings.ts';
import styles from './start.module.css';
import { text } from './strings.ts';

/** The hunt through the vault, with what it would be before it begins; below it what was scanned and hunted before. */
export function HuntPane({ workspaceId }: { workspaceId: string }) {
  return (
    <section className={classNames(layout.pane, styles.hunt)} data-pane aria-labelledby="hunt">
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2 id="hunt" className={classNames(layout.fixed, typography.title)}>
          {text.hunt}
        </h2>
      </div>
      <Hunt workspaceId={workspaceId} />
      <div className={classNames(layout.stack, styles.earlier)}>
        <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
          <h2 className={classNames(layout.fixed, typography.title)}>{listText.title}</h2>
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
    { value: 'changed', text: <span className={classNames(layout.stack, styles.choice)}>{text.changed}</span> },
    { value: 'all', text: <span className={classNames(layout.stack, styles.choice)}>{text.all}</span> },
  ] as const;
  const reported = failure ?? error;
  return (
    <>
      <div className={classNames(layout.stack12, layout.scroll, styles.body, styles.huntBody)}>
        <RadioChoice
          label={text.huntScope}
          value={kind}
          options={options}
          onChange={(scope) => note({ huntScope: scope })}
        />
        {isLate && <p role="status">{text.estimating}</p>}
        {/* The way to them is above. */}
        {reported?.kind === 'no-package' && <p>{text.noPackageThen}</p>}
        {reported !== null && reported.kind !== 'no-package' && (
          <FailureNotice
            failure={reported}
            meaning={meaningOf(reported)}
            action={<FailureRemedy failure={reported} />}
          />
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
      <div className={classNames(layout.stack, layout.bottom, styles.huntAct)}>
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

const longestVersion = 28;
const longestName = 60;
/** The rest is counted. */
const namesShown = 8;

/** What a hunt would be, before it begins. */
function HuntFacts({ estimate }: { estimate: HuntEstimate }) {
  const { rules, names, removed, samples, bytes, engine, seconds, total, unseen } = estimate;
  const shown = names.slice(0, namesShown);
  const facts = [
    [text.facts.rules, formatNumber(rules)],
    [text.facts.samples, formatNumber(samples)],
    [text.facts.bytes, formatSize(bytes)],
    [text.facts.unseen, text.pairs(unseen.pairs, total.rules * total.samples)],
    [text.facts.time, seconds === null ? text.timeUnknown : text.aboutWith(formatEstimate(seconds), engine)],
  ] as const;
  return (
    <>
      {unseen.pairs > 0 && <p>{formatUnseen(estimate)}</p>}
      <dl className={classNames(typography.facts, styles.facts)} data-figures>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {shown.length > 0 && (
        <p
          className={classNames(typography.code, typography.muted, typography.anywhere)}
          aria-label={text.names}
          role="note"
        >
          <bdi>{shown.map((name) => visibleText(cutMiddle(name, longestName))).join(', ')}</bdi>
          {rules > shown.length && <span className={styles.more}> {text.more(rules - shown.length)}</span>}
        </p>
      )}
      {removed.length > 0 && <p>{text.removed(removed.length)}</p>}
      <LastHunt estimate={estimate} />
      {total.samples === 0 && <p role="status">{text.huntEmpty}</p>}
    </>
  );
}

/** When the vault was hunted last, and that of earlier hunts it is not known what they looked at. */
function LastHunt({ estimate: { against, isFirst } }: { estimate: HuntEstimate }) {
  const words =
    against === null
      ? text.noHunt
      : text.lastHunted(
          visibleText(cutMiddle(against.version, longestVersion)),
          formatMinute(new Date(against.hunted)),
        );
  return (
    <>
      <p>
        <bdi>{words}</bdi>
      </p>
      {isFirst && against !== null && <p>{text.firstAfterUpdate}</p>}
    </>
  );
}
