import { X } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Toolbar } from 'react-aria-components/Toolbar';
import { type ScanFilter, scanFilter, type ScanSummary } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { GroupBy, NotePlace, ScanPlace } from '../../../app/scans/scan-places.tsx';
import { Button } from '../../../components/button.tsx';
import { CountToggle } from '../../../components/count-toggle.tsx';
import { FindField } from '../../../components/find-field.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './list.module.css';
import { text } from './text.ts';

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

export interface NarrowingBarProps {
  place: ScanPlace;
  note: NotePlace;
  summary: ScanSummary | undefined;
  /** On to the list. */
  onDown(): void;
}

/** How the results are grouped, and which of them are listed. The counts are the filter. */
export function NarrowingBar({ place, note, summary, onDown }: NarrowingBarProps) {
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
          <ToggleButton key={by} id={by} className={classNames(styles.segment)}>
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
