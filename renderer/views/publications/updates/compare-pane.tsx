import { Upload } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { DifferenceCounts, PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import { differenceFormat, type DifferenceFormat } from '../../../../shared/domain/rule-review.ts';
import type { HuntEstimate } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { CopyIcon } from '../../../components/copy-button.tsx';
import { formatEstimate, cutMiddle, formatExactSize, formatNumber, words } from '../../../components/format.ts';
import { formatUnseen } from '../../../components/jobs/job-format.ts';
import { Menu } from '../../../components/menu.tsx';
import { TimeText } from '../../../components/service-text.tsx';
import { ExportZipDialog, useReportedZip } from '../../../features/export/zip-dialog.tsx';
import { useReportedAction } from '../../../state/reported-action.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './compare.module.css';
import { type ComparePaneProps, PackageNotices } from './package-notices.tsx';
import { ShownRule } from './shown-rule.tsx';
import { text } from './strings.ts';
import { TrialPanel } from './trial-panel.tsx';
import { obstacleTo, packageOf, shortVersion, stepTo } from './update-step.ts';
import { useUpdates } from './updates-context.tsx';
import panes from './updates.module.css';

/** From where to where, the one step there, what speaks against it, and the text of the rule that is shown. */
export function ComparePane({ state, shown, comparison, opened, onShowLine }: ComparePaneProps) {
  const title = useId();
  const isActive = shown.sha256 === state.active;
  const offer = useHuntOffer(state, shown);
  return (
    <section className={classNames(layout.pane, panes.compare)} data-pane data-compare aria-labelledby={title}>
      <CompareHead id={title} state={state} shown={shown} comparison={comparison} offer={offer} />
      <PackageNotices state={state} shown={shown} comparison={comparison} onShowLine={onShowLine} />
      {isActive && <PackageFacts shown={shown} isActive />}
      {comparison.index >= 0 && <ShownRule comparison={comparison} opened={opened} />}
      {!isActive && <TrialPanel state={state} shown={shown} />}
      {offer !== null && <HuntFoot offer={offer} />}
    </section>
  );
}

function CompareHead({
  id,
  state,
  shown,
  comparison: { review },
  offer,
}: Pick<ComparePaneProps, 'state' | 'shown' | 'comparison'> & { id: string; offer: HuntOffer | null }) {
  const active = packageOf(state, state.active);
  const version = shortVersion(shown.version);
  const isActive = active === shown;
  const title = isActive
    ? text.isActive(version)
    : active === null
      ? version
      : text.fromTo(shortVersion(active.version), version);
  const { contents } = shown;
  const counts = review?.counts ?? null;
  const isCompared = counts !== null && active !== null && !isActive;
  return (
    <div className={classNames(layout.row, styles.compareHead)}>
      <div className={styles.compareWords}>
        <h2 id={id} className={classNames(typography.viewTitle, typography.anywhere)}>
          <bdi>{title}</bdi>
        </h2>
        <p className={classNames(layout.wrap, styles.compareLine)} data-figures>
          {isCompared && (
            <span className={classNames(layout.flex12, styles.counts)}>
              <span className={typography.ok}>+{formatNumber(counts.added)}</span>{' '}
              <span className={typography.bad}>−{formatNumber(counts.removed)}</span>{' '}
              <span className={typography.warn}>~{formatNumber(counts.changed)}</span>
            </span>
          )}
          {contents !== null && <span>{text.compile(contents.rules, contents.rules + contents.broken)}</span>}
          {shown.source === 'export' && contents !== null && (
            <span>
              {text.exported(contents.files)}, <TimeText sent={shown.received} />
            </span>
          )}
          {shown.fileName && (
            <span>
              <bdi>{text.fromFile(visibleText(shown.fileName))}</bdi>, <TimeText sent={shown.received} />
            </span>
          )}
        </p>
        {isCompared && contents !== null && <ChangeShare counts={counts} rules={contents.rules} />}
      </div>
      <div className={layout.wrap8}>
        {isCompared && <ExportDifference state={state} shown={shown} />}
        <StepButton state={state} shown={shown} counts={counts} offer={offer} />
      </div>
    </div>
  );
}

/** Its words say what it does, in the numbers that are listed beside it. */
function StepButton({
  state,
  shown,
  counts,
  offer,
}: Pick<ComparePaneProps, 'state' | 'shown'> & { counts: DifferenceCounts | null; offer: HuntOffer | null }) {
  const { activate, hunt } = useUpdates();
  const step = stepTo(shown, state);
  if (step === 'none') return null;
  const amount =
    step === 'install'
      ? text.rules(shown.contents?.rules ?? 0)
      : counts && text.counts(counts.added, counts.removed, counts.changed);
  return (
    <Button
      look="primary"
      letter="U"
      isDisabled={obstacleTo(shown, state) !== null}
      onPress={() => activate(shown, offer !== null && hunt.isRequested ? hunt.start : undefined)}
    >
      {text.steps[step](shortVersion(shown.version), amount)}
    </Button>
  );
}

interface ChangeShareProps {
  counts: DifferenceCounts;
  /** Of the package that would come. */
  rules: number;
}

/**
 * How much of a package an update changes, as a bar: new, gone and changed rules beside those that stay. The figures
 * say the same.
 */
function ChangeShare({ counts: { added, removed, changed }, rules }: ChangeShareProps) {
  const parts = [
    [styles.shareAdded, added],
    [styles.shareRemoved, removed],
    [styles.shareChanged, changed],
    [null, Math.max(0, rules - added - changed)],
  ] as const;
  return (
    <div className={styles.share} aria-hidden="true">
      {parts.map(
        ([look, count], at) => count > 0 && <span key={at} className={classNames(look)} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}

const longestName = 48;
const shownName = (fileName: string): string => cutMiddle(fileName, longestName);
const choices = differenceFormat.options.map((id) => ({ id, text: text.diffFormats[id] }));

/** The difference leaves as a patch or as JSON, in a password ZIP. */
function ExportDifference({ state: { workspaceId, active }, shown }: { state: PublicationsState; shown: PackageView }) {
  const [format, setFormat] = useState<DifferenceFormat | null>(null);
  return (
    <>
      <Menu
        label={text.exportDiff}
        choices={choices}
        onChoose={(id) => setFormat(differenceFormat.parse(id))}
        trigger={
          <Button>
            <Upload size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.exportDiff}
          </Button>
        }
      />
      {format !== null && (
        <ExportDialog
          workspaceId={workspaceId}
          from={active}
          shown={shown}
          format={format}
          onClose={() => setFormat(null)}
        />
      )}
    </>
  );
}

function ExportDialog({
  workspaceId,
  from,
  shown,
  format,
  onClose,
}: {
  workspaceId: string;
  from: string | null;
  shown: PackageView;
  format: DifferenceFormat;
  onClose(): void;
}) {
  const exporting = useReportedAction(
    'publications.exportDifference',
    useReportedZip({ shownName, exportedText: text.exportedTo, failureText: text.diffNotExported }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportDiffTitle(text.diffFormats[format])}
      sentence={text.exportDiffSentence[format]}
      exporting={exporting}
      retry={variables && { name: 'publications.exportDifference', input: variables }}
      onExport={(how) => exporting.mutate({ workspaceId, from, sha256: shown.sha256, format, ...how })}
      shownName={shownName}
      onClose={onClose}
    />
  );
}

/** What is known of a package. `isActive`: it is in use now. */
export function PackageFacts({ shown, isActive = false }: { shown: PackageView; isActive?: boolean }) {
  const { version, group, published, source, fileName, received, activated, sizeBytes, contents, sha256 } = shown;
  const names = text.factNames;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [names.version, <bdi key="version">{visibleText(version)}</bdi>],
    [names.group, group === null ? text.noGroup : <bdi key="group">{visibleText(group)}</bdi>],
    ...(published === null ? [] : [[names.published, <TimeText key="published" sent={published} />] as const]),
    [names.source, fileName ? <bdi key="source">{visibleText(fileName)}</bdi> : text.sources[source]],
    [names.received, <TimeText key="received" sent={received} />],
    ...(isActive && activated !== null ? [[names.since, <TimeText key="since" sent={activated} />] as const] : []),
    [names.size, formatExactSize(sizeBytes)],
    ...(contents === null
      ? []
      : ([
          [names.files, formatNumber(contents.files)],
          [names.rules, formatNumber(contents.rules)],
          [names.broken, formatNumber(contents.broken)],
        ] as const)),
    [
      names.sha256,
      <span key="sha256" className={classNames(layout.flex4, styles.hash)}>
        <code>{sha256}</code>
        <CopyIcon text={sha256} label={`${words.copy} ${names.sha256}`} />
      </span>,
    ],
  ];
  return (
    <dl className={classNames(typography.facts, styles.facts)}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface HuntOffer {
  samples: number;
  /** As the host would hunt after the step; null until it answers. */
  estimate: Pick<HuntEstimate, 'rules' | 'unseen' | 'total' | 'seconds'> | null;
}

/**
 * A hunt after the step to a package: null where there is no step, nothing to look with, or nothing to look through.
 */
function useHuntOffer(state: PublicationsState, shown: PackageView): HuntOffer | null {
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
function HuntFoot({ offer: { samples, estimate } }: { offer: HuntOffer }) {
  const { hunt } = useUpdates();
  const seconds = estimate?.seconds ?? null;
  return (
    <div className={classNames(layout.row, layout.bottom, panes.huntFoot)}>
      <Checkbox isSelected={hunt.isRequested} onChange={hunt.want}>
        {text.huntAfterwards}
      </Checkbox>
      <span className={typography.note} data-figures>
        {estimate === null ? text.huntSamples(samples) : formatUnseen(estimate)}
        {seconds !== null && ` ${text.huntTime(formatEstimate(seconds))}`}
      </span>
    </div>
  );
}
