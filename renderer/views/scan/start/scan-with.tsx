import { LockKeyhole } from 'lucide-react';
import type { ScanEngines, ScanPlan } from '../../../../shared/domain/scan.ts';
import { forbidsThirdParties, type TlpLevel } from '../../../../shared/domain/tag.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice, ReadFailure } from '../../../components/failure-notice.tsx';
import { formatSize } from '../../../components/format.ts';
import { KeyCap } from '../../../components/key-cap.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { TlpSelect } from '../../../components/tlp-select.tsx';
import { type NextScan, useNextScan, useScanStore } from '../../../features/scans/scan-store.tsx';
import { useViewStartScan } from '../../../features/scans/start-scan.ts';
import { useServerActions } from '../../../features/servers/server-actions.tsx';
import { text as serverText } from '../../../features/servers/strings.ts';
import { FailureRemedy, meaningOf } from '../../../state/failure-remedy.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './start.module.css';
import { text } from './strings.ts';

/** Who looks at what is chosen, who gets it for that, and the step itself. */
export function ScanWith({ scanning }: { scanning: Scanning }) {
  const {
    workspaceId,
    plan,
    unread,
    chosen: { files, samples, tlp },
    note,
    engines,
    obstacle,
    failure,
    scan,
  } = scanning;
  return (
    <section className={classNames(layout.pane, styles.with)} data-pane aria-labelledby="scan-with">
      <div className={classNames(layout.row8, layout.top, styles.paneHead)}>
        <h2 id="scan-with" className={classNames(layout.fixed, typography.title)}>
          {text.with}
        </h2>
      </div>
      <div className={classNames(layout.stack12, layout.scroll, styles.body)}>
        {unread !== null && <ReadFailure failure={unread} of="scans.plan" />}
        {plan !== undefined && (
          <Engines
            workspaceId={workspaceId}
            plan={plan}
            engines={engines}
            onChange={(next) => note({ engines: next })}
          />
        )}
        {files.length > 0 && (
          <div className={layout.spreadRow}>
            <span>{text.tlp}</span>
            <TlpSelect label={text.tlp} level={tlp} onChange={(level) => note({ tlp: level })} />
          </div>
        )}
        {plan?.service?.isHere === false && engines !== 'local' && <Closed level={files.length > 0 ? tlp : null} />}
        {plan?.service?.asksTlp === true && engines !== 'local' && <p>{text.asksTlp}</p>}
        {plan !== undefined && <p data-figures>{text.limits(formatSize(plan.limitBytes), plan.limitSeconds)}</p>}
      </div>
      <div className={classNames(layout.stack8, layout.bottom, layout.inset, styles.foot)}>
        {failure !== null && (
          <FailureNotice failure={failure} meaning={meaningOf(failure)} action={<FailureRemedy failure={failure} />} />
        )}
        {obstacle !== null && (
          <p className={typography.note} id="scan-words">
            {obstacle}
          </p>
        )}
        <Button
          look="primary"
          isDisabled={obstacle !== null}
          onPress={scan}
          {...(obstacle === null ? {} : { 'aria-describedby': 'scan-words' })}
        >
          {text.scan(files.length, samples.size)}
          <KeyCap>{text.scanKey}</KeyCap>
        </Button>
      </div>
    </section>
  );
}

function Engines({
  workspaceId,
  plan,
  engines,
  onChange,
}: {
  workspaceId: string;
  plan: ScanPlan;
  engines: ScanEngines;
  onChange(engines: ScanEngines): void;
}) {
  const { service, package: rules, local } = plan;
  return (
    <>
      <RadioChoice label={text.engines} value={engines} options={optionsOf(plan)} onChange={onChange} />
      {service === null && (plan.cannotScan ? <CannotScan workspaceId={workspaceId} /> : <p>{text.noService}</p>)}
      {rules === null && <p>{text.noPackageThen}</p>}
      {local.nativeFailure !== null && local.chosen !== 'wasm' && (
        <p>
          <bdi>{visibleText(text.nativeFailure(local.nativeFailure))}</bdi>
        </p>
      )}
    </>
  );
}

/** A newer release of the rule editor may. */
function CannotScan({ workspaceId }: { workspaceId: string }) {
  const { find, isFinding } = useServerActions(workspaceId);
  return (
    <p>
      {text.cannotScanThere}{' '}
      <Button size="small" look="inline" isPending={isFinding} onPress={find}>
        {serverText.checkAgain}
      </Button>
    </p>
  );
}

function optionsOf({ service, package: rules, local }: ScanPlan): { value: ScanEngines; text: React.ReactNode }[] {
  const used = rules === null ? text.noPackage : text.packageOf(rules.version, rules.rules);
  const here = {
    value: 'local',
    text: <Choice title={text.local} then={text.localThen(text.engine[local.engine], used)} />,
  } as const;
  if (service === null) return [here];
  return [
    here,
    {
      value: 'service',
      text: <Choice title={text.service} then={service.isHere ? text.here : text.sendsTo(service.host)} />,
    },
    {
      value: 'both',
      text: <Choice title={text.both} then={service.isHere ? text.bothHere : text.bothThen(service.host)} />,
    },
  ];
}

function Choice({ title, then }: { title: string; then: string }) {
  return (
    <span className={classNames(layout.stack, styles.choice)}>
      <span>{title}</span>{' '}
      <bdi className={classNames(typography.note, typography.anywhere)} data-figures>
        {visibleText(then)}
      </bdi>
    </span>
  );
}

/** What others marked as closed is not handed on by a scan either. */
function Closed({ level }: { level: TlpLevel | null }) {
  return (
    <p className={classNames(layout.flex8, styles.closed)}>
      <LockKeyhole size={16} strokeWidth={1.6} aria-hidden="true" />
      <span>
        {text.closed}
        {level !== null && forbidsThirdParties(level) && ` ${text.closedFiles(level.toUpperCase())}`}
      </span>
    </p>
  );
}

interface Scanning {
  workspaceId: string;
  /** undefined until the host answers. */
  plan: ScanPlan | undefined;
  /** Why there is no plan. */
  unread: Failure | null;
  chosen: NextScan;
  note(change: Partial<NextScan>): void;
  /** As chosen, as far as there is a rule editor. */
  engines: ScanEngines;
  /** In words; null: it can begin. */
  obstacle: string | null;
  failure: Failure | null;
  scan(): void;
}

/** What is chosen, and the step that scans it. */
export function useScanning(workspaceId: string): Scanning {
  const { data: plan, error } = useOperation('scans.plan', { workspaceId, isAhead: true });
  const { intake, next } = useScanStore();
  const [chosen, note] = useNextScan(workspaceId);
  const { start, isStarting, failure } = useViewStartScan('scans.start', workspaceId);
  const engines = plan?.service === null ? 'local' : chosen.engines;
  const { files, samples, tlp } = chosen;
  const obstacle = isStarting
    ? text.starting
    : intake !== null
      ? text.cannotScan.coming
      : obstacleTo(chosen, engines, plan);
  const scan = (): void => {
    if (obstacle !== null) return;
    // What was scanned is not what is scanned next.
    start(
      {
        workspaceId,
        engines,
        files: files.map(({ id }) => ({ id })),
        samples: [...samples],
        tlp: files.length === 0 ? null : tlp,
      },
      () => next.takeOut(workspaceId, chosen),
    );
  };
  return { workspaceId, plan, unread: error, chosen, note, engines, obstacle, failure, scan };
}

function obstacleTo(
  { files, samples, tlp }: NextScan,
  engines: ScanEngines,
  plan: ScanPlan | undefined,
): string | null {
  if (files.length === 0 && samples.size === 0) return text.cannotScan.nothing;
  if (engines !== 'service' && plan?.package === null) return text.cannotScan.noPackage;
  const staysHere = engines === 'service' && plan?.service?.isHere === false && forbidsThirdParties(tlp);
  return staysHere && samples.size === 0 ? text.cannotScan.closed : null;
}
