import { SearchX, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Toolbar } from 'react-aria-components/Toolbar';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { noHitsOfJob } from '../../../../shared/domain/scan-table.ts';
import {
  type ScanFilter,
  scanFilter,
  type ScanGroup,
  type ScanSide,
  type ScanSummary,
} from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { CountToggle } from '../../../components/count-toggle.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { EmptyState, NoneFound } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { FindField } from '../../../components/find-field.tsx';
import type { GroupBy, NotePlace, ScanPlace } from '../../../features/scans/scan-places.tsx';
import { useSettings } from '../../../state/settings.ts';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { GroupLine } from './group-line.tsx';
import styles from './list.module.css';
import { type GroupWindows, keyOfGroup } from './scan-groups.ts';
import { requestedSide } from './shown-file.ts';
import { text } from './strings.ts';

const rowHeight = 44;
const columnsOf = (job: Job, most: number, isByBoth: boolean): readonly GridColumn<ScanGroup>[] => [
  {
    id: 'group',
    title: text.results,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (group) => <GroupLine job={job} group={group} most={most} isByBoth={isByBoth} />,
  },
];

interface GroupListProps extends NarrowingBarProps {
  job: Job;
  windows: GroupWindows;
  /** The key of the row that is shown beside the list; null: none is yet. */
  chosen: string | null;
  onChoose(group: ScanGroup): void;
  /** Enter: from a rule or a family to its files, from a file to its hits. */
  onOpen(group: ScanGroup): void;
}

/** The results of a job, grouped and narrowed as one likes. Moving to a row shows it. */
export function GroupList({ job, windows, chosen, onChoose, onOpen, ...bar }: GroupListProps) {
  const { values } = useSettings();
  const { place, note, onDown } = bar;
  const memory = place.memories[place.by];
  const isEmpty = windows.total === 0;
  const most = useMostFiles(windows, place.by);
  const side = requestedSide(job);
  const columns = useMemo(() => columnsOf(job, most, side === null), [job, most, side]);
  const isNarrowed = place.find.trim() !== '' || place.show !== 'all' || place.narrowing !== null;
  return (
    <section className={classNames(layout.stack, styles.list)} data-pane data-results aria-label={text.results}>
      <NarrowingBar {...bar} />
      {windows.failure && (
        <div className={styles.reported}>
          <ReadFailure failure={windows.failure} of="scans.groups" />
        </div>
      )}
      <p
        className={
          isNarrowed || place.by !== 'file' ? classNames(layout.top, typography.smallNote, styles.figures) : aloud.only
        }
        role="status"
        data-figures
      >
        {windows.total !== null && !isEmpty && formatListed(place.by, windows.total, side)}
      </p>
      {isEmpty ? (
        <NoGroup
          job={job}
          summary={bar.summary}
          isNarrowed={isNarrowed}
          onShowAll={() => {
            onDown();
            note({ find: '', show: 'all', narrowing: null });
          }}
        />
      ) : (
        <DataGrid
          key={place.by}
          label={text.lists[place.by]}
          columns={columns}
          count={windows.total ?? memory.spot.count ?? 0}
          rowAt={windows.rowAt}
          keyOf={keyOfGroup}
          onRange={windows.onRange}
          currentKey={chosen}
          onCurrent={onChoose}
          onOpen={onOpen}
          memory={memory}
          letters={values.singleLetterKeys}
          rowHeight={rowHeight}
          hasHead={false}
        />
      )}
    </section>
  );
}

/**
 * Who found the rules is said here where it was one side alone, else in the rows of those that only one of them found.
 */
function formatListed(by: GroupBy, count: number, side: ScanSide | null): string {
  const listed = text.listed[by](count);
  return by === 'rule' && side !== null ? text.foundBy[side](listed) : listed;
}

/** Of the rule or the family with the most files, which comes first and is remembered where it is out of sight. */
function useMostFiles(windows: GroupWindows, by: GroupBy): number {
  const [known, know] = useState({ by, files: 0 });
  const first = windows.rowAt(0);
  const before = known.by === by ? known.files : 0;
  const files = first === undefined || first.by === 'file' ? before : first.files;
  if (files !== known.files || by !== known.by) know({ by, files });
  return files;
}

interface NoGroupProps {
  job: Job;
  summary: ScanSummary | undefined;
  isNarrowed: boolean;
  onShowAll(): void;
}

/** "No hits" is said only where some file was scanned, and never without those that were not. */
function NoGroup({ job, summary, isNarrowed, onShowAll }: NoGroupProps) {
  if (isNarrowed)
    return (
      <NoneFound title={text.noneTitle} sentence={text.noneSentence} showAll={text.showAll} onShowAll={onShowAll} />
    );
  const [without, trouble] = [summary?.clean ?? 0, summary?.trouble ?? 0];
  const atTheEnd = without > 0 ? text.noHitTitle(noHitsOfJob(job)) : text.nothingScanned;
  const title = isFinalJob(job) ? atTheEnd : text.noHitsYet;
  const sentences = [
    ...(!isFinalJob(job) ? [text.noHitSentence.running] : without > 0 ? [text.noHitSentence.over] : []),
    ...(trouble > 0 ? [text.notScanned(trouble)] : []),
  ];
  return <EmptyState icon={<SearchX size={20} strokeWidth={1.6} />} title={title} sentence={sentences.join(' ')} />;
}

const groupings = ['rule', 'file', 'family'] as const satisfies readonly GroupBy[];
const shows = scanFilter.shape.show.options;
const countOf: Record<ScanFilter['show'], keyof ScanSummary> = {
  all: 'files',
  hits: 'withHits',
  clean: 'clean',
  trouble: 'trouble',
  differs: 'differs',
  added: 'added',
  lost: 'lost',
  muted: 'muted',
};

interface NarrowingBarProps {
  place: ScanPlace;
  note: NotePlace;
  summary: ScanSummary | undefined;
  /** On to the list. */
  onDown(): void;
}

/** How the results are grouped, and which of them are listed. The counts are the filter. */
function NarrowingBar({ place, note, summary, onDown }: NarrowingBarProps) {
  return (
    <div className={classNames(layout.stack8, layout.top, styles.narrowing)}>
      <ToggleButtonGroup
        aria-label={text.groupBy}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[place.by]}
        onSelectionChange={(keys) => {
          const by = groupings.find((each) => keys.has(each));
          if (by !== undefined) note({ by, narrowing: null });
        }}
        className={classNames(styles.segments)}
      >
        {groupings.map((by) => (
          <ToggleButton key={by} id={by} className={classNames(surface.toggle, styles.segment)}>
            {text.groups[by]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <FindField
        label={text.find}
        placeholder={text.findShort}
        value={place.find}
        onChange={(find) => note({ find })}
        onDown={onDown}
      />
      {summary !== undefined && <ShowFilter show={place.show} summary={summary} onChange={(show) => note({ show })} />}
      {place.by === 'file' && place.narrowing !== null && (
        <Narrowed
          narrowing={place.narrowing}
          onEnd={() => note({ by: place.narrowing?.by ?? 'file', narrowing: null })}
        />
      )}
    </div>
  );
}

/** One tab stop; the arrows go from one count to the next. Pressing the one that is chosen shows all. */
function ShowFilter({
  show,
  summary,
  onChange,
}: {
  show: ScanFilter['show'];
  summary: ScanSummary;
  onChange(show: ScanFilter['show']): void;
}) {
  const offered = shows.filter((each) => each === 'all' || each === show || summary[countOf[each]] > 0);
  if (offered.length === 1) return null;
  return (
    <Toolbar aria-label={text.filter} className={classNames(layout.wrap4)}>
      {offered.map((each) => (
        <CountToggle
          key={each}
          count={summary[countOf[each]]}
          words={text.filters[each]}
          isSelected={each === show}
          onChange={() => onChange(each === show ? 'all' : each)}
        />
      ))}
    </Toolbar>
  );
}

function Narrowed({
  narrowing: { by, name },
  onEnd,
}: {
  narrowing: NonNullable<ScanPlace['narrowing']>;
  onEnd(): void;
}) {
  return (
    <p className={classNames(layout.spreadRow, typography.body)}>
      <bdi className={typography.cut} title={visibleText(name)}>
        {text.narrowedTo[by](visibleText(name))}
      </bdi>
      <Button size="small" look="inline" onPress={onEnd}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.allFiles}
      </Button>
    </p>
  );
}
