import { ArrowUp, BookLock } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { readBound } from '../../../shared/domain/clock.ts';
import type { JournalFilter, JournalLine, JournalVerification } from '../../../shared/domain/journal.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { EmptyState, NoneFound } from '../../components/empty-state.tsx';
import { FailureNotice, ReadFailure } from '../../components/failure-notice.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { SaveListMenu } from '../../features/export/save-list-menu.tsx';
import { type JournalSearch, useJournalPlace, wholeJournal } from '../../features/journal/journal-place.tsx';
import {
  useVerifying,
  VerificationNotice,
  VerifyButton,
  type Verifying,
} from '../../features/journal/verification.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useRested } from '../../state/pacing.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { FilterBar } from './filter-bar.tsx';
import { JournalList, type JournalWindows, useJournalWindows } from './journal-list.tsx';
import styles from './journal.module.css';
import { RowPane } from './row-pane.tsx';
import { text } from './strings.ts';

const gridRow = '[role=grid] [tabindex="0"]';
const pane = '[data-row-pane]';

/** What Vitrine did, row by row, and whether anyone changed it. */
export function JournalView() {
  const { place, note } = useJournalPlace();
  const { search, chosen, verification } = place;
  const { filter, isSearched } = useRequestedFilter(search);
  const windows = useJournalWindows(filter, place.upTo);
  const verifying = useVerifying();
  const view = useRef<HTMLDivElement>(null);
  const drawn = useDrawnList(place, windows.isAnswered);
  useKeptFocus(view);
  const isLate = useLate(!windows.isAnswered && windows.failure === null);
  const isEmpty = windows.total === 0;
  const choosing = useChosenLine(filter, windows);
  const toList = (): void => void focusIn(view.current, gridRow);
  // A focused row is a chosen row, and its pane is there.
  const toPane = (): void => void focusIn(view.current, pane);
  const change = (next: Partial<JournalSearch>): void => note({ search: { ...search, ...next }, upTo: null });
  const newer = windows.newest?.newer ?? 0;
  const { toNewest, onScroll } = useHeldRows(windows);
  const onLetter = useLetterButtons(view);
  const close = (): void => {
    toList();
    choosing.choose(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isInPane = event.target instanceof HTMLElement && event.target.closest(pane) !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && isInPane) toList();
    else if (event.key === 'ArrowDown' && event.target instanceof HTMLHeadingElement) toList();
    else onLetter(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.view} onKeyDown={onKeyDown}>
      <ViewHead title={text.title} isLanding wrapsBelow={800}>
        <ViewLine role="status">
          {isLate ? text.reading : windows.total !== null && text.line(windows.total, isSearched)}
        </ViewLine>
        {newer > 0 && (
          <Button size="small" onPress={toNewest}>
            <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.newRows(newer)}
          </Button>
        )}
        <ExportJournal filter={filter} isEmpty={isEmpty} />
        <VerifyButton verifying={verifying} words={text.verify} letter="V" />
      </ViewHead>
      {!(isEmpty && !isSearched) && <FilterBar search={search} onChange={change} onDown={toList} />}
      <Verified verification={verification} verifying={verifying} onClose={() => note({ verification: null })} />
      {windows.failure && (
        <div className={styles.reported}>
          <ReadFailure failure={windows.failure} of="journal.list" />
        </div>
      )}
      {isEmpty && <Nothing isSearched={isSearched} onShowAll={() => note({ search: wholeJournal, upTo: null })} />}
      {!isEmpty && windows.failure === null && (
        <div className={classNames(layout.panes, styles.panes)} data-shows-row={chosen !== null}>
          <LineList drawn={drawn} windows={windows} choosing={choosing} onScroll={onScroll} onOpen={toPane} />
          {chosen !== null && <RowPane line={chosen} onClose={close} />}
        </div>
      )}
    </div>
  );
}

interface VerifiedProps {
  verification: JournalVerification | null;
  verifying: Verifying;
  onClose(): void;
}

/** The result of the last check, or why it failed. */
function Verified({ verification, verifying, onClose }: VerifiedProps) {
  return (
    <>
      <div role="status" className={styles.reported}>
        {verification !== null && <VerificationNotice verification={verification} onClose={onClose} />}
      </div>
      {verifying.failure && (
        <div className={styles.reported}>
          <FailureNotice
            failure={verifying.failure}
            retry={{ name: 'journal.verify', input: {} }}
            onRetry={verifying.begin}
          />
        </div>
      )}
    </>
  );
}

interface LineListProps {
  drawn: DrawnList;
  windows: JournalWindows;
  choosing: ChosenLine;
  onScroll(isAtNewest: boolean): void;
  onOpen(): void;
}

function LineList({ drawn, windows, choosing, onScroll, onOpen }: LineListProps) {
  const { chosen, verification } = useJournalPlace().place;
  return (
    <section
      className={layout.pane}
      data-pane
      aria-label={text.list}
      onScrollCapture={({ target }) => onScroll(target instanceof HTMLElement && target.scrollTop <= 0)}
    >
      <JournalList
        key={drawn.jumps}
        windows={windows}
        broken={verification?.broken ?? null}
        chosen={chosen}
        onChoose={choosing.choose}
        onReplaced={choosing.chooseInstead}
        onOpen={onOpen}
        memory={drawn.grid}
      />
    </section>
  );
}

interface ChosenLine {
  choose(line: JournalLine | null): void;
  /** For a row that replaced the chosen one in the list. */
  chooseInstead(line: JournalLine): void;
}

function useChosenLine(filter: JournalFilter, { isAnswered }: Pick<JournalWindows, 'isAnswered'>): ChosenLine {
  const { note } = useJournalPlace();
  // Until a search is answered, the rows are those of the search before.
  const chosenBy = useRef<JournalFilter | null>(filter);
  const choose = (line: JournalLine | null): void => {
    chosenBy.current = isAnswered ? filter : null;
    note({ chosen: line });
  };
  return {
    choose,
    // Rows that come take no row from who reads it; another search does.
    chooseInstead: (line) => {
      if (chosenBy.current !== filter) choose(line);
    },
  };
}

interface HeldRows {
  toNewest(): void;
  onScroll(isAtNewest: boolean): void;
}

/** While the newest entries are scrolled out of sight, new ones do not move the list. */
function useHeldRows({ newest }: Pick<JournalWindows, 'newest'>): HeldRows {
  const {
    place: { upTo, jumps },
    note,
  } = useJournalPlace();
  return {
    toNewest: () => {
      const top = new GridMemory();
      top.wantFocus();
      note({ grid: top, upTo: null, jumps: jumps + 1 });
    },
    onScroll: (isAtNewest) => {
      const held = isAtNewest ? null : (upTo ?? newest?.newest ?? null);
      if (held !== upTo) note({ upTo: held });
    },
  };
}

interface DrawnList {
  grid: GridMemory;
  jumps: number;
}

/**
 * A list that begins at another place is drawn when its rows are here: in those of the search before, that place is
 * none.
 */
function useDrawnList(wanted: DrawnList, isAnswered: boolean): DrawnList {
  const [drawn, draw] = useState(wanted);
  if (drawn.jumps === wanted.jumps || !isAnswered) return drawn;
  draw(wanted);
  return wanted;
}

function Nothing({ isSearched, onShowAll }: { isSearched: boolean; onShowAll(): void }) {
  const { openView } = useNavigation();
  if (!isSearched) {
    return (
      <EmptyState
        icon={<BookLock size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={
          <Button look="primary" onPress={() => openView('lookup')}>
            {text.emptyAction}
          </Button>
        }
      />
    );
  }
  return <NoneFound title={text.noneTitle} sentence={text.noneSentence} showAll={text.showAll} onShowAll={onShowAll} />;
}

const formats = ['csv', 'jsonl'] as const;

/** The rows that are listed as a file. */
export function ExportJournal({ filter, isEmpty }: { filter: JournalFilter; isEmpty: boolean }) {
  const bridge = useBridge();
  return (
    <SaveListMenu
      words={text.export}
      letter="E"
      formats={formats}
      save={(how) => bridge.call('journal.export', { filter, ...how })}
      isEmpty={isEmpty}
    />
  );
}

/** A search begins when the typing rests. */
const typingRestMs = 200;

export interface RequestedFilter {
  filter: JournalFilter;
  isSearched: boolean;
}

/** The filter for the host: an invalid time leaves that side open, and its field shows so. */
export function useRequestedFilter({ find, operations, workspaceId, from, before }: JournalSearch): RequestedFilter {
  const [words, begin, end] = [useTyped(find.trim()), useTyped(from), useTyped(before)];
  return useMemo(() => {
    const filter: JournalFilter = {
      operations: [...operations],
      workspaceId,
      find: words,
      from: readBound(begin) ?? null,
      before: readBound(end) ?? null,
    };
    const isSearched =
      filter.operations.length > 0 ||
      workspaceId !== null ||
      words !== '' ||
      filter.from !== null ||
      filter.before !== null;
    return { filter, isSearched };
  }, [operations, workspaceId, words, begin, end]);
}

/** The typed text, once typing pauses; at once when it is cleared, since no more typing follows. */
function useTyped(typed: string): string {
  const rested = useRested(typed, typingRestMs);
  return typed === '' ? '' : rested;
}
