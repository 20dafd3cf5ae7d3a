import { FileUp, Package, RefreshCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { CheckProgress, PackageView, PublicationsState } from '../../../../shared/domain/publication.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice, ReadFailure } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useRising } from '../../../components/progress-line.tsx';
import { useLate } from '../../../components/use-late.ts';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useServerActions } from '../../../features/servers/server-actions.tsx';
import { text as serverText } from '../../../features/servers/strings.ts';
import { FailureRemedy, meaningOf } from '../../../state/failure-remedy.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useRested } from '../../../state/pacing.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { DropZone } from '../drop-zone.tsx';
import { ComparedPackage } from './compared-package.tsx';
import { PackageList } from './package-list.tsx';
import { text } from './strings.ts';
import { canCheck, isOfOlderFile, packageOf } from './update-step.ts';
import { useUpdates } from './updates-context.tsx';
import styles from './updates.module.css';

/** The packages, what making one of them the active one would change, and that step. */
export function UpdatesTab() {
  const { state, unread, taken, take } = useUpdates();
  const isLate = useLate(state === null && unread === null);
  if (state === null) {
    return (
      <>
        {unread !== null && (
          <div className={classNames(layout.insetLine, layout.fixed)}>
            <ReadFailure failure={unread} of="publications.state" />
          </div>
        )}
        {isLate && (
          <p className={classNames(typography.note, layout.inset)} role="status">
            {text.notKnownYet}
          </p>
        )}
      </>
    );
  }
  return (
    <DropZone label={text.updates} className={styles.updates} words={text.dropHere} onDrop={take}>
      {state.check !== null ? (
        <CheckStrip progress={state.check} />
      ) : (
        taken !== null && <CheckStrip progress={{ phase: 'gathering', ...taken }} />
      )}
      <CheckNotices state={state} />
      {state.packages.length === 0 ? <NoPackage state={state} /> : <PackagePanes state={state} />}
    </DropZone>
  );
}

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** Nothing is here yet: the ways to a first package. */
function NoPackage({ state }: { state: PublicationsState }) {
  const { rulesFrom, check } = state;
  const host = useUpdates();
  const { openSettings } = useNavigation();
  const isFetched = canCheck(rulesFrom);
  const actions = useServerActions(state.workspaceId);
  return (
    <div className={styles.empty} data-pane>
      <EmptyState
        icon={<Package size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={waysOf(state)}
        action={
          <div className={layout.centred8}>
            {isFetched ? (
              <Button look="primary" isPending={check !== null} onPress={host.check}>
                <RefreshCw {...icon} />
                {rulesFrom === 'export' ? text.fetchFiles : text.checkNow}
              </Button>
            ) : rulesFrom === 'nothing' ? (
              <Button isPending={actions.isFinding} onPress={actions.find}>
                {serverText.checkAgain}
              </Button>
            ) : (
              <Button onPress={() => openSettings('workspaces')}>{text.openWorkspaces}</Button>
            )}
            <Button look={isFetched ? 'default' : 'primary'} onPress={() => host.pick('files', null)}>
              <FileUp {...icon} />
              {text.openFile}
            </Button>
          </div>
        }
      />
    </div>
  );
}

/** What a check would fetch, or what is missing for it and what works all the same. */
function waysOf({ rulesFrom }: PublicationsState): string {
  switch (rulesFrom) {
    case null:
      return text.emptyWithout;
    case 'publications':
      return text.emptySentence;
    case 'export':
      return text.emptyExport;
    case 'not-allowed':
      return text.emptyNotAllowed;
    case 'nothing':
      return text.emptyNothing;
    default:
      return assertNever(rulesFrom);
  }
}

const wordsOf = {
  asking: () => '',
  fetching: text.fetched,
  gathering: text.gathered,
  opening: () => '',
  compiling: text.compiled,
} as const;

/** Where each step begins and ends in the whole, in percent: one bar for all of them, which never begins again. */
const spans: Readonly<Record<CheckProgress['phase'], readonly [from: number, to: number]>> = {
  asking: [0, 0],
  fetching: [0, 40],
  gathering: [0, 40],
  opening: [40, 40],
  compiling: [40, 99],
};

/** In percent. `began`: where the first step that was shown begins, so that the bar begins at zero whatever that is. */
function shareOf({ phase, done, total }: CheckProgress, began: number): number {
  const [from, to] = spans[phase];
  const within = total === null || total === 0 ? 0 : Math.min(1, done / total);
  return Math.max(0, ((from + (to - from) * within - began) / (100 - began)) * 100);
}

/** How far a check, or the opening of a file, is. A step without a known end stays where it began. */
function CheckStrip({ progress }: { progress: CheckProgress }) {
  const { phase, done, total } = progress;
  const { cancel } = useUpdates();
  const [began] = useState(() => spans[phase][0]);
  const share = useRising(shareOf(progress, began)) ?? 0;
  const words = wordsOf[phase](done, total);
  return (
    <div className={classNames(layout.row12, layout.top, styles.strip)}>
      <ProgressBar
        className={classNames(layout.row12, layout.widest, typography.body)}
        aria-label={text.checking}
        valueLabel={`${text.phases[phase]} ${words}`}
        value={share}
      >
        <span className={styles.phase}>{text.phases[phase]}</span>
        <span className={styles.track} aria-hidden="true">
          <span className={styles.fill} style={{ width: `${share}%` }} />
        </span>
        <span className={styles.far}>{words}</span>
      </ProgressBar>
      <Button size="small" onPress={cancel} data-landing>
        {text.cancel}
      </Button>
    </div>
  );
}

/** What became of the last check where it came to nothing, until there is another one. */
function CheckNotices({ state }: { state: PublicationsState }) {
  const { check, lastCheck, rulesFrom } = state;
  const { checkFailure } = useUpdates();
  if (check !== null) return null;
  if (checkFailure !== null) return <Failed failure={checkFailure} canRetry={false} />;
  if (isOfOlderFile(state)) return null;
  // A check is no second try of a file.
  if (lastCheck?.outcome === 'failed' && lastCheck.failure !== null)
    return <Failed failure={lastCheck.failure} canRetry={canCheck(rulesFrom) && lastCheck.file === undefined} />;
  return lastCheck?.outcome === 'unsure' ? (
    <Unsure missing={lastCheck.missing.map((field) => text.fields[field])} hasReply={lastCheck.reply !== null} />
  ) : null;
}

function Failed({ failure, canRetry }: { failure: Failure; canRetry: boolean }) {
  const { workspaceId, check, show } = useUpdates();
  const remedy =
    failure.kind === 'archive-password' ? (
      <Button size="small" onPress={() => show('settings')}>
        {text.openUpdateSettings}
      </Button>
    ) : (
      <FailureRemedy failure={failure} />
    );
  return (
    <div className={classNames(layout.insetLine, layout.fixed)}>
      <FailureNotice
        failure={failure}
        meaning={meaningOf(failure)}
        retry={canRetry ? { name: 'publications.check', input: { workspaceId } } : undefined}
        onRetry={check}
        action={remedy}
      />
    </div>
  );
}

function Unsure({ missing, hasReply }: { missing: readonly string[]; hasReply: boolean }) {
  const { show } = useUpdates();
  return (
    <div className={classNames(layout.insetLine, layout.fixed)}>
      <Notice
        meaning="warn"
        title={text.unsureTitle}
        isAlert
        actions={
          hasReply && (
            <Button size="small" onPress={() => show('reply')}>
              {text.showReply}
            </Button>
          )
        }
      >
        {text.unsureThen(missing.join(', '))}
      </Notice>
    </div>
  );
}

/** A held key passes packages without reading them. */
const showRestMs = 120;

/**
 * The packages, and what is different in the one that is chosen: the one that waits at first, or else the active one.
 */
function PackagePanes({ state }: { state: PublicationsState }) {
  const [{ shownPackage }, note] = usePublicationsPlace(state.workspaceId);
  const panes = useRef<HTMLDivElement>(null);
  const chosen =
    packageOf(state, shownPackage) ??
    packageOf(state, state.candidate) ??
    packageOf(state, state.active) ??
    state.packages[0] ??
    null;
  const rested = useRested(chosen?.sha256 ?? null, showRestMs);
  // By its name: what is known of it may have changed meanwhile.
  const shown = packageOf(state, rested) ?? chosen;
  if (chosen === null || shown === null) return null;
  const choose = ({ sha256 }: PackageView): void => note({ shownPackage: sha256 });
  const toChanges = (): void =>
    panes.current?.querySelector<HTMLElement>('[data-changes] [role=row][tabindex="0"]')?.focus();
  return (
    <div ref={panes} className={classNames(layout.panes, styles.panes)}>
      <section className={classNames(layout.pane, styles.packages)} data-pane aria-label={text.packages}>
        <div className={classNames(layout.spreadRow, layout.top, styles.paneHead)}>
          <h2>{text.packages}</h2>
          <span className={typography.cutNote} data-figures>
            {text.keptHere(state.packages.length)}
          </span>
        </div>
        <PackageList state={state} chosen={chosen} onChoose={choose} onOpen={toChanges} />
        <p className={classNames(layout.bottom, typography.note, layout.inset, styles.paneFoot)}>{text.rollBackFoot}</p>
      </section>
      {/* Another pair of packages is another difference. */}
      <ComparedPackage key={`${state.active} ${shown.sha256}`} state={state} shown={shown} />
    </div>
  );
}
