import { memo, type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { FailureNotice, ReadFailure } from '../../components/failure-notice.tsx';
import { focusIn } from '../../components/focus-in.ts';
import { useLibraryLayout, useLibraryPlace } from '../../features/library/library-place.tsx';
import { useLibraryMoment } from '../../features/library/library-reads.ts';
import { SamplePage } from '../../features/sample/sample-page.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { type KeyPress, useLetterButtons } from '../../keyboard/view-keys.ts';
import { useCommands } from '../../state/commands.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useLatest } from '../../state/presence.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { namedSelections } from '../../features/library/action-target.ts';
import { LibraryActions } from './actions/library-actions.tsx';
import { useReading } from './actions/metadata-fetch.tsx';
import { type DownloadAct, type ScanAct, useDownload, useExport, useScan } from './actions/start-jobs.tsx';
import { AtRepository } from './at-repository.tsx';
import { Inspector, InspectorPane } from './inspector/inspector.tsx';
import { useEnterSearch } from './repository-query.tsx';
import { LibraryHead, SaveView, useShownColumns } from './library-head.tsx';
import {
  type LibraryRows,
  type RequestedQuery,
  useFollowedHashes,
  useLibraryRows,
  useRequestedQuery,
} from './library-rows.ts';
import styles from './library.module.css';
import { type ListPlace, useActionTarget, useListPlace, useWayToRows } from './list-place.ts';
import { EmptyLibrary, NothingFound, UnreadableQuery } from './nothing-found.tsx';
import { QueryField } from './query/query-field.tsx';
import { text } from './strings.ts';
import { LibraryTable } from './table/library-table.tsx';

/** Every sample this computer knows, or one of them. */
export function LibraryView() {
  const { shownSample, openSample } = useNavigation();
  return shownSample === null ? (
    <div className={layout.view}>
      <LibraryList />
      {/* Outside of the list, whose keys would act on the samples that are selected there. */}
      <AtRepository />
    </div>
  ) : (
    <SamplePage key={shownSample} hash={shownSample} onBack={() => openSample(null)} />
  );
}

/** The list follows a library that changes, and does not jump with each change. */
const renewedEveryMs = 1500;

/** Every sample this computer knows: search, order, and actions. */
export function LibraryList() {
  const view = useRef<HTMLDivElement>(null);
  const [place, note] = useLibraryPlace();
  const moment = useLibraryMoment(renewedEveryMs);
  const { foundBy, problem } = useRequestedQuery(place, moment);
  const rows = useLibraryRows(foundBy, place.sort, moment);
  const { found, isAnswered } = rows;
  const list = useListPlace(rows);
  useFollowedHashes(rows);
  const { target, one, bytes, failure: sizeFailure } = useActionTarget(place, rows, problem === null);
  const reading = useReading();
  const [downloads, exportMeant, scans] = [useDownload(), useExport(reading), useScan(reading)];
  const onKeyDown = useLibraryKeys(view);
  useKeptFocus(view);
  const toRows = useWayToRows(view, place.query, rows, list);
  const searchRepository = useEnterSearch();
  const [onDown, onEnter] = [useLatest(toRows), useLatest(searchRepository ?? toRows)];
  const onType = useLatest((query: string) => note({ query, isTyped: true }));
  const [onDownload, onScan, onExport] = [useLatest(downloads.download), useLatest(scans.scan), useLatest(exportMeant)];
  useReturn(view, found !== null, list.memory);
  const toQuery = (): void => void focusIn(view.current, '[data-query]');
  const search = (query: string): void => {
    toQuery();
    list.search(query);
  };
  // Where the query before found nothing either, nothing is said of it.
  const isUnanswerable = foundBy === null || (problem !== null && found?.total === 0);
  const isEmpty = foundBy !== null && found !== null && found.total === 0 && found.by.terms.length === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.view} onKeyDown={onKeyDown}>
      <LibraryHead
        found={isUnanswerable ? null : found}
        isAnswered={isAnswered}
        isReadable={problem === null}
        onExport={onExport}
      />
      {/* A field being typed in stays, whatever is found; beside an empty library it may search a server. */}
      {(!isEmpty || place.query !== '' || place.isTyped || searchRepository !== null) && (
        <QueryBar rows={rows} foundBy={foundBy} problem={problem} onType={onType} onDown={onDown} onEnter={onEnter} />
      )}
      <LibraryNotes failure={rows.windows.failure} sizeFailure={sizeFailure} scans={scans} />
      {isEmpty && <EmptyLibrary />}
      {foundBy === null && <UnreadableQuery onSearch={search} onEdit={toQuery} />}
      {foundBy !== null && !isEmpty && (
        <>
          <FoundPanes
            rows={rows}
            isUnreadable={problem !== null}
            list={list}
            downloads={downloads}
            onSearch={search}
            onEdit={toQuery}
          />
          <LibraryActions
            target={target}
            one={one}
            bytes={bytes}
            reading={reading}
            isDownloading={downloads.isBusy}
            isScanning={scans.isBusy}
            onDownload={onDownload}
            onScan={onScan}
            onExport={onExport}
          />
        </>
      )}
    </div>
  );
}

interface QueryBarProps extends RequestedQuery {
  rows: LibraryRows;
  onType(query: string): void;
  onDown(): void;
  onEnter(): void;
}

function QueryBar({ rows: { found, windows }, foundBy, problem, onType, onDown, onEnter }: QueryBarProps) {
  const [{ query }] = useLibraryPlace();
  return (
    <div className={classNames(layout.top, layout.flex8, styles.query)} data-pane>
      <QueryField
        query={query}
        problem={problem}
        shown={found !== null && found.total > 0 ? found.by.text : null}
        elapsedMs={problem !== null || foundBy === null ? null : (windows.newest?.elapsedMs ?? null)}
        onType={onType}
        onDown={onDown}
        onEnter={onEnter}
      />
      <SaveView query={foundBy !== null && foundBy.text === query ? foundBy.text : null} />
    </div>
  );
}

/** A person who returns from a sample continues at its row. */
function useReturn(view: RefObject<HTMLElement | null>, isRead: boolean, memory: GridMemory): void {
  const [{ current }] = useLibraryPlace();
  const wantFocus = useEffectEvent(() => memory.wantFocus());
  const goesOn = useEffectEvent(() => current !== null && document.activeElement === document.body);
  useEffect(() => {
    // The table may be without its rows yet.
    if (isRead && goesOn() && !focusIn(view.current, '[role=grid] [data-index][tabindex="0"]')) wantFocus();
  }, [view, isRead]);
}

export interface FoundPanesProps {
  rows: LibraryRows;
  /** The current text of the field is invalid: `rows` are those of the query before. */
  isUnreadable: boolean;
  list: ListPlace;
  downloads: DownloadAct;
  onSearch(query: string): void;
  onEdit(): void;
}

/**
 * The list hears of every window that comes and of all that is typed: table and inspector are drawn again only for what
 * is their own.
 */
const parts = { LibraryTable: memo(LibraryTable), Inspector: memo(Inspector) };

/** The table of what is found, and the current row read closer beside it. */
export function FoundPanes({ rows, isUnreadable, list, downloads, onSearch, onEdit }: FoundPanesProps) {
  const [{ sort, selection, current: noted, searched }] = useLibraryPlace();
  const [{ showsInspector, inspectorWidth }, change] = useLibraryLayout();
  const { openSample } = useNavigation();
  const columns = useShownColumns();
  const current = noted === null ? null : (rows.known.of(noted.hash) ?? noted);
  const { download } = downloads;
  const { found } = rows;
  const isNothing = found !== null && found.total === 0;
  const isOutdated = isUnreadable && !isNothing;
  useInspectorCommand(current !== null && !isNothing);
  const { known } = rows;
  const { choose } = list;
  const fetchAgain = useLatest((row: LibraryRow) => download({ count: 1, selections: namedSelections([row.hash]) }));
  /** Who goes by another hash by now is followed to it. */
  const chooseInstead = useCallback(
    (row: LibraryRow): void => {
      if (current === null || !known.isMd5OfOther(current.hash)) choose(row);
    },
    [current, known, choose],
  );
  const open = useCallback(
    (row: LibraryRow): void => {
      choose(row);
      openSample(row.hash);
    },
    [choose, openSample],
  );
  const hide = useCallback(() => change({ showsInspector: false }), [change]);
  return (
    <div className={styles.panes}>
      <section
        className={classNames(layout.view, isOutdated && styles.outdated)}
        // Its rows can be read and opened; nothing is done to them.
        {...(isOutdated && { role: 'group', 'aria-disabled': true })}
        data-pane
      >
        {isNothing && isUnreadable && <UnreadableQuery onSearch={onSearch} onEdit={onEdit} />}
        {isNothing && !isUnreadable && <NothingFound foundBy={found.by} onSearch={onSearch} onEdit={onEdit} />}
        {!isNothing && (
          <parts.LibraryTable
            // Until its rows are read, the list that is come back to is drawn as it was left: what is clicked in it
            // then counts.
            key={found?.by.text ?? searched}
            rows={rows}
            columns={columns}
            sort={sort}
            onSort={list.sortBy}
            selection={selection}
            onSelect={list.select}
            current={current?.hash ?? null}
            onCurrent={choose}
            onReplaced={chooseInstead}
            onOpen={open}
            onFetch={fetchAgain}
            memory={list.memory}
          />
        )}
      </section>
      {/* Where nothing is found it would cover the ways out of that in a narrow window. */}
      {showsInspector && current !== null && !isNothing && (
        <InspectorPane width={inspectorWidth} onWidth={(width) => change({ inspectorWidth: width })}>
          <parts.Inspector row={current} onOpen={open} onFetch={fetchAgain} onHide={hide} />
        </InspectorPane>
      )}
    </div>
  );
}

export interface LibraryNotesProps {
  /** Of the list. */
  failure: Failure | null;
  /** Of how large all that was found is. */
  sizeFailure: Failure | null;
  scans: ScanAct;
}

/** Why the list could not be read, or a scan not begun. */
export function LibraryNotes({ failure, sizeFailure, scans }: LibraryNotesProps) {
  if (failure === null && sizeFailure === null && scans.failure === null) return null;
  return (
    <div className={classNames(layout.inset, layout.fixed)}>
      {failure !== null && <ReadFailure failure={failure} of="library.list" />}
      {sizeFailure !== null && <ReadFailure failure={sizeFailure} of="library.totals" />}
      {scans.failure !== null && (
        <FailureNotice
          failure={scans.failure}
          meaning={meaningOf(scans.failure)}
          action={<FailureRemedy failure={scans.failure} />}
        />
      )}
    </div>
  );
}

/**
 * The keys of the library: letters press their buttons, Space shows or hides the inspector, Delete asks whether to
 * forget.
 */
export function useLibraryKeys(view: RefObject<HTMLElement | null>): (event: KeyPress) => void {
  const [{ showsInspector }, change] = useLibraryLayout();
  const onOther = (event: KeyPress): void => {
    const { key, target } = event;
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(target instanceof HTMLElement) ||
      view.current?.contains(target) !== true
    )
      return;
    if (target.matches('[data-index]') && key === ' ') change({ showsInspector: !showsInspector });
    else if (target.matches('[data-index]') && key === 'Delete')
      view.current.querySelector<HTMLElement>('[data-forget]:not(:disabled)')?.click();
    else if (key === 'Escape' && target.closest('aside') !== null)
      view.current.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus();
    else return;
    event.preventDefault();
  };
  return useLetterButtons(view, onOther);
}

/** In the palette, what Space does on a row; `isOffered`: there is a row that it would show. */
export function useInspectorCommand(isOffered: boolean): void {
  const [{ showsInspector }, change] = useLibraryLayout();
  useCommands(
    useMemo(() => {
      const toggle = {
        id: 'library:inspector',
        title: text.toggleInspector,
        keys: text.inspectorKey,
        run: () => change({ showsInspector: !showsInspector }),
      };
      return { actions: isOffered ? [toggle] : [] };
    }, [isOffered, showsInspector, change]),
  );
}
