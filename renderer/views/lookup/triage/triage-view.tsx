import { Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { isAsleep, isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { recordsAtOnce } from '../../../../shared/domain/settings.ts';
import {
  answeredOf,
  rowsOf,
  type TriageCounts,
  type TriageFilter,
  type TriageRow,
  triageSeverities,
  type TriageState,
} from '../../../../shared/domain/triage.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { CountToggle } from '../../../components/count-toggle.tsx';
import { noRows } from '../../../components/data-grid/row-selection.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice, ReadFailure } from '../../../components/failure-notice.tsx';
import { FindField } from '../../../components/find-field.tsx';
import { focusIn } from '../../../components/focus-in.ts';
import { cutMiddle, formatDuration, formatSize } from '../../../components/format.ts';
import { jobStateWithin } from '../../../components/jobs/job-format.ts';
import { Notice } from '../../../components/notice.tsx';
import { SeverityMark } from '../../../components/severity.tsx';
import { useLate } from '../../../components/use-late.ts';
import { TextListing } from '../../../features/bulk-download/text-listing.tsx';
import { useJobActions } from '../../../features/jobs/job-actions.tsx';
import { newMoment, useTriageStore } from '../../../features/lookup/triage-store.tsx';
import { FailureRemedy } from '../../../state/failure-remedy.tsx';
import { useWatchedJob } from '../../../state/jobs.tsx';
import { useSettings } from '../../../state/settings.ts';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text as lookupText } from '../strings.ts';
import { NotLookedUp } from './not-looked-up.tsx';
import { text } from './strings.ts';
import { TriageActions } from './triage-actions.tsx';
import { type TriageWindows, useTriageCounts, useTriageWindows } from './triage-rows.ts';
import { TriageColumns, TriageTable } from './triage-table.tsx';
import styles from './triage.module.css';

const longestName = 28;

/** The look-up of many hashes: how far it is, its rows, and what of the text was not looked up. */
export function TriageView() {
  const { state, summary, again } = useTriageStore();
  const isLate = useLate(state.kind === 'reading' || state.kind === 'adding');
  if (state.kind === 'shown') return <ShownTriage key={state.id} id={state.id} />;
  return (
    <div className={classNames(layout.stack12, layout.scroll, layout.inset)} data-pane aria-busy={isLate}>
      {state.kind === 'failed' && <FailureNotice failure={state.failure} onAgain={again} />}
      {isLate && state.kind !== 'failed' && (
        <p role="status" className={typography.muted} data-figures>
          {state.kind === 'adding' ? text.adding(state.added, summary?.found ?? 0) : text.reading}
        </p>
      )}
    </div>
  );
}

function ShownTriage({ id }: { id: number }) {
  const { job, summary, place, note, lines } = useTriageStore();
  const { workspaces } = useWorkspaces();
  const counts = useTriageCounts(id);
  const windows = useTriageWindows({ id, task: { kind: 'triage' } }, place, counts);
  const view = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ row: TriageRow; among: TriageFilter } | null>(null);
  // Another filter may not have it.
  const current = at !== null && at.among === place.filter ? at.row : null;
  const [line, setLine] = useState<number | null>(null);
  useWatchedJob(id);
  useTableFocus(view, windows.total !== null);
  const name = workspaces.find((one) => one.id === job?.workspaceId)?.name ?? '';
  const workspace = visibleText(cutMiddle(name, longestName));
  const showLine = (number: number): void => {
    note({ showsText: true });
    setLine(number);
  };
  return (
    <div ref={view} className={layout.view}>
      {job !== null && counts !== null && <TriageProgress job={job} counts={counts} workspace={workspace} />}
      {counts === null ? (
        <Counting items={job?.items ?? null} />
      ) : (
        <TriageFilters
          counts={counts}
          newAnswers={windows.newAnswers}
          isStale={windows.isStale}
          onDown={() => void focusIn(view.current, '[role=grid] [data-index][tabindex="0"]')}
        />
      )}
      {windows.failure && <ReadFailure failure={windows.failure} of="triage.rows" />}
      <div className={classNames(layout.panes, place.showsText && summary !== null && styles.withText)}>
        {place.showsText && summary !== null && (
          <section className={classNames(layout.pane, styles.text)} data-pane aria-label={lookupText.pastedText}>
            <TextListing count={summary.lines} label={lookupText.pastedText} lines={lines} current={line} />
          </section>
        )}
        <section className={layout.pane} data-pane>
          <TriageTable
            job={job}
            workspace={workspace}
            windows={windows}
            current={current?.position ?? null}
            onCurrent={(row) => setAt({ row, among: place.filter })}
          />
          {current !== null && <Conflicts row={current} />}
          {summary !== null && <NotLookedUp summary={summary} onShowLine={showLine} />}
        </section>
      </div>
      <TriageActions id={id} windows={windows} current={current} />
    </div>
  );
}

/** In the places of the progress and the chips, until the rows are counted: nothing moves then. */
function Counting({ items }: { items: number | null }) {
  const isLate = useLate(true);
  return (
    <>
      <div className={classNames(layout.stack8, layout.top, styles.progress)} aria-busy={isLate}>
        <div className={classNames(layout.row12, styles.headline)} data-figures>
          <h2 className={typography.viewTitle}>{items === null ? text.table : text.hashes(items)}</h2>
          {isLate && (
            <p role="status" className={classNames(typography.cutNote, layout.widest)}>
              {text.counting}
            </p>
          )}
        </div>
        <div className={styles.bar} />
      </div>
      <div className={classNames(layout.top, styles.filters)} />
    </>
  );
}

/** The table has the focus when it appears, unless something else of the page has it. */
function useTableFocus(view: React.RefObject<HTMLElement | null>, isRead: boolean): void {
  const { place } = useTriageStore();
  const enter = useEffectEvent(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.closest('main [role=search]') !== null;
    if (isFree && !focusIn(view.current, '[role=grid] [data-index][tabindex="0"]')) place.grid.wantFocus();
  });
  useEffect(() => {
    if (isRead) enter();
  }, [isRead]);
}

interface TriageProgressProps {
  job: Job;
  counts: TriageCounts;
  workspace: string;
}

function TriageProgress({ job, counts, workspace }: TriageProgressProps) {
  const { values } = useSettings();
  const acts = useJobActions(job.id);
  const rows = rowsOf(counts);
  const answered = answeredOf(counts);
  const isOver = isFinalJob(job);
  const isHalted = job.failure !== null && job.state === 'paused';
  const { waiting, failed } = counts.requests;
  const why = progressWords(job, { workspace, waiting, atOnce: recordsAtOnce(values.bulkConnections) });
  return (
    <div className={classNames(layout.stack8, layout.top, styles.progress)}>
      {isHalted && <Halted job={job} counts={counts} workspace={workspace} onRetry={acts.resume} />}
      {isAsleep(job) && job.failure !== null && (
        <Notice meaning="info" title={jobStateWithin(job)}>
          {describeFailure(job.failure).what}
        </Notice>
      )}
      {acts.failure && <FailureNotice failure={acts.failure} />}
      <div className={classNames(layout.row12, styles.headline)} data-figures>
        <h2 className={typography.viewTitle}>{text.answered(answered, rows)}</h2>
        <p className={aloud.only} role="status">
          {isOver ? (job.state === 'cancelled' ? text.cancelledAt : text.finished)(answered, rows) : why}
        </p>
        <p className={classNames(typography.cutNote, layout.widest)}>{why}</p>
        {job.state === 'running' && job.secondsLeft !== null && (
          <Rate secondsLeft={job.secondsLeft} waiting={waiting} />
        )}
        {failed > 0 && isOver && (
          <Button size="small" letter="R" onPress={() => acts.retry(['failed'])}>
            <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.retryFailed(failed)}
          </Button>
        )}
        {!isOver && !isHalted && (
          <Button size="small" onPress={job.state === 'paused' ? acts.resume : acts.pause}>
            {job.state === 'paused' ? (
              <Play size={14} strokeWidth={1.6} aria-hidden="true" />
            ) : (
              <Pause size={14} strokeWidth={1.6} aria-hidden="true" />
            )}
            {job.state === 'paused' ? text.resume : text.pause}
          </Button>
        )}
      </div>
      <AnswerBar counts={counts} rows={rows} answered={answered} />
    </div>
  );
}

/** What the job does; null: why it does not is said already. */
function progressWords(
  job: Job,
  { workspace, waiting, atOnce }: { workspace: string; waiting: number; atOnce: number },
): string | null {
  if (isFinalJob(job)) return text.recordsOnly;
  if (job.state === 'running') return text.fetching(workspace, atOnce);
  if (job.state !== 'paused') return text.waits(workspace);
  return job.failure === null ? text.paused(waiting) : null;
}

interface HaltedProps extends TriageProgressProps {
  onRetry(): void;
}

/** Why nothing more is fetched; what is known here is shown all the same. */
function Halted({ job: { failure }, counts, workspace, onRetry }: HaltedProps) {
  if (failure === null) return null;
  const { what, then } = describeFailure(failure);
  const [rows, answered, { waiting }] = [rowsOf(counts), answeredOf(counts), counts.requests];
  const isUnreachable = failure.kind === 'unreachable' || failure.kind === 'lab-down';
  return (
    <Notice
      meaning={isUnreachable ? 'warn' : 'bad'}
      title={isUnreachable ? text.unreachable(answered, rows, workspace) : text.halted(answered, rows, waiting)}
      isAlert
      actions={
        <>
          <Button size="small" letter="R" onPress={onRetry}>
            <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.retry}
          </Button>
          <FailureRemedy failure={failure} />
        </>
      }
    >
      {isUnreachable ? text.unreachableThen(waiting, knownHere(counts), rows) : text.why(what, then)}
    </Notice>
  );
}

/** Of how many rows the library knows the sample. */
const knownHere = ({ severities }: TriageCounts): number =>
  triageSeverities.reduce((sum, severity) => sum + severities[severity], 0);

/** How fast answers come, and how long the rest takes so. */
function Rate({ secondsLeft, waiting }: { secondsLeft: number; waiting: number }) {
  const rate = waiting / Math.max(1, secondsLeft);
  return (
    <p className={classNames(typography.note, layout.fixed)}>
      {text.rate(rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en'))},{' '}
      {text.left(formatDuration(secondsLeft))}
    </p>
  );
}

/** `fill-…` of the style sheet. */
const barParts: readonly { name: string; states: readonly TriageState[] }[] = [
  { name: 'vault', states: ['vault'] },
  { name: 'known', states: ['known'] },
  { name: 'repository', states: ['repository'] },
  { name: 'unknown', states: ['unknown', 'needs-md5'] },
  { name: 'failed', states: ['forbidden', 'failed'] },
];
const countOf = ({ states }: TriageCounts, meant: readonly TriageState[]): number =>
  meant.reduce((sum, state) => sum + states[state], 0);

function AnswerBar({ counts, rows, answered }: { counts: TriageCounts; rows: number; answered: number }) {
  const shown = barParts.map(({ name, states }) => ({ name, count: countOf(counts, states) }));
  const rest = rows - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <div
      role="progressbar"
      aria-label={text.answered(answered, rows)}
      aria-valuemin={0}
      aria-valuemax={rows}
      aria-valuenow={answered}
      className={styles.bar}
    >
      {shown
        .filter(({ count }) => count > 0)
        .map(({ name, count }) => (
          <span key={name} className={styles[`fill-${name}`]} style={{ flexGrow: count }} />
        ))}
      {rest > 0 && <span style={{ flexGrow: rest }} />}
    </div>
  );
}

interface StateChip {
  id: TriageState;
  states: readonly TriageState[];
  /** It stays with a count of 0. */
  isAlways?: boolean;
}

const stateChips: readonly StateChip[] = [
  { id: 'vault', states: ['vault'], isAlways: true },
  { id: 'known', states: ['known'], isAlways: true },
  { id: 'repository', states: ['repository'], isAlways: true },
  { id: 'unknown', states: ['unknown', 'needs-md5'], isAlways: true },
  { id: 'forbidden', states: ['forbidden'] },
  { id: 'failed', states: ['failed'] },
  { id: 'cancelled', states: ['cancelled'] },
  { id: 'waiting', states: ['waiting'] },
];
/** Four states and three severities fit beside each other with all their words in a window of 1280. */
const usualChips = 7;
const fills: Partial<Record<TriageState, string>> = { forbidden: 'failed' };

interface TriageFiltersProps extends Pick<TriageWindows, 'newAnswers' | 'isStale'> {
  counts: TriageCounts;
  onDown(): void;
}

const severitiesOf = (counts: TriageCounts, filter: TriageFilter) =>
  triageSeverities.filter((one) => one !== 'not-set' || counts.severities[one] > 0 || filter.severities.includes(one));

/** The counts are the filter. Those of a group add up to its total. */
function TriageFilters({ counts, newAnswers, isStale, onDown }: TriageFiltersProps) {
  const { place, note } = useTriageStore();
  const { filter } = place;
  // What is ticked is meant among what is seen.
  const narrow = (change: Partial<TriageFilter>): void =>
    note({ filter: { ...filter, ...change }, selection: noRows, moment: newMoment() });
  const isChosen = (chip: StateChip): boolean => chip.states.every((state) => filter.states.includes(state));
  const toggled = <T,>(all: readonly T[], meant: readonly T[]): T[] =>
    meant.every((one) => all.includes(one)) ? all.filter((one) => !meant.includes(one)) : [...all, ...meant];
  const chips = stateChips.filter(
    (chip) => chip.isAlways === true || countOf(counts, chip.states) > 0 || isChosen(chip),
  );
  const severities = severitiesOf(counts, filter);
  const isAll = filter.states.length + filter.severities.length === 0;
  return (
    <div
      className={classNames(layout.row8, layout.top, styles.filters)}
      data-pane
      data-crowded={chips.length + severities.length > usualChips || undefined}
    >
      <Toolbar aria-label={text.states} className={classNames(layout.row4, styles.chips)}>
        <CountToggle
          count={rowsOf(counts)}
          words={text.all}
          isSelected={isAll}
          onChange={() => narrow({ states: [], severities: [] })}
        />
        {chips.map((chip) => (
          <CountToggle
            key={chip.id}
            count={countOf(counts, chip.states)}
            words={text.chips[chip.id]}
            mark={<span className={classNames(styles.square, styles[`fill-${fills[chip.id] ?? chip.id}`])} />}
            isSelected={isChosen(chip)}
            onChange={() => narrow({ states: toggled(filter.states, chip.states) })}
          />
        ))}
        <span className={styles.divider} aria-hidden="true" />
        <div className={classNames(layout.row4, styles.severities)}>
          {severities.map((one) => (
            <CountToggle
              key={one}
              count={counts.severities[one]}
              words={text.severities[one]}
              mark={<SeverityMark level={one === 'not-set' ? 'unset' : one} size={10} isAlone={false} />}
              isSelected={filter.severities.includes(one)}
              onChange={() => narrow({ severities: toggled(filter.severities, [one]) })}
            />
          ))}
        </div>
      </Toolbar>
      <span className={layout.grow} />
      {(newAnswers > 0 || isStale) && (
        <Button size="small" onPress={() => note({ moment: newMoment() })}>
          {newAnswers > 0 ? text.newSinceSort(newAnswers) : text.sortAgain}
        </Button>
      )}
      <TriageColumns />
      <div className={styles.find}>
        <FindField
          label={text.filterLabel}
          placeholder={text.filter}
          value={filter.find}
          onChange={(find) => narrow({ find })}
          onDown={onDown}
        />
      </div>
    </div>
  );
}

/** What the sources of the current row state differently, each with its source. */
function Conflicts({ row: { conflicts } }: { row: TriageRow }) {
  const { workspaces } = useWorkspaces();
  if (conflicts.length === 0) return null;
  const sourceOf = (from: string | null): string =>
    from === null ? text.here : visibleText(workspaces.find(({ id }) => id === from)?.name ?? from);
  const shown = (fact: string, value: string): string =>
    fact === 'size' ? formatSize(Number(value)) : visibleText(cutMiddle(value, longestName));
  return (
    <div className={classNames(layout.bottom, styles.conflicts)} role="note">
      <dl className={layout.wrap}>
        {conflicts.map(({ fact, values }) => (
          <div key={fact} className={layout.flex4}>
            <dt className={typography.warn}>{text.facts[fact]}</dt>
            <dd>{values.map(({ value, from }) => text.stated(shown(fact, value), sourceOf(from))).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
