import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLibraryMoment } from '../../app/library/use-library-moment.ts';
import { useLibraryPlace } from '../../app/library/library-place.tsx';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import type { GridMemory } from '../../components/data-grid/use-grid-place.ts';
import { focusIn } from '../../components/focus-in.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { LibraryActions } from './actions/library-actions.tsx';
import { useDownload } from './actions/use-download.ts';
import { useExport } from './actions/use-export.tsx';
import { useReading } from './actions/use-reading.ts';
import { useScan } from './actions/use-scan.ts';
import { FoundPanes } from './found-panes.tsx';
import { LibraryHead } from './library-head.tsx';
import { LibraryTold } from './library-told.tsx';
import styles from './library.module.css';
import { EmptyLibrary, UnreadableQuery } from './nothing-found.tsx';
import { QueryField } from './query/query-field.tsx';
import { SaveView } from './save-view.tsx';
import { type AskedQuery, useAskedQuery } from './use-asked-query.ts';
import { useFollowedHashes } from './use-followed-hashes.ts';
import { useLatest } from '../../app/use-latest.ts';
import { useLibraryKeys } from './use-library-keys.ts';
import { type LibraryRows, useLibraryRows } from './use-library-rows.ts';
import { useListPlace } from './use-list-place.ts';
import { useMeant } from './use-meant.ts';
import { useWayToRows } from './use-way-to-rows.ts';

/** The list follows a library that changes, and does not jump with each change. */
const renewedEveryMs = 1500;

/** Every sample this desk knows: searched, ordered, and gone on with. */
export function LibraryList() {
  const view = useRef<HTMLDivElement>(null);
  const [place, note] = useLibraryPlace();
  const moment = useLibraryMoment(renewedEveryMs);
  const { foundBy, problem } = useAskedQuery(place, moment);
  const rows = useLibraryRows(foundBy, place.sort, moment);
  const { found, isAnswered } = rows;
  const list = useListPlace(rows);
  useFollowedHashes(rows);
  const { meant, one, bytes, failure: sizeFailure } = useMeant(place, rows);
  const reading = useReading();
  const [downloads, exportMeant, scans] = [useDownload(), useExport(reading), useScan(reading)];
  const onKeyDown = useLibraryKeys(view);
  useKeptFocus(view);
  const [onType, onDown] = [
    useLatest((query: string) => note({ query, isTyped: true })),
    useLatest(useWayToRows(view, place.query, rows, list)),
  ];
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
      <LibraryHead found={isUnanswerable ? null : found} isAnswered={isAnswered} onExport={onExport} />
      {/* What somebody types in stays, whatever is found by it. */}
      {(!isEmpty || place.query !== '' || place.isTyped) && (
        <QueryBar rows={rows} foundBy={foundBy} problem={problem} onType={onType} onDown={onDown} />
      )}
      <LibraryTold failure={rows.windows.failure} sizeFailure={sizeFailure} scans={scans} />
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
            meant={meant}
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

interface QueryBarProps extends AskedQuery {
  rows: LibraryRows;
  onType(query: string): void;
  onDown(): void;
}

function QueryBar({ rows: { found, windows }, foundBy, problem, onType, onDown }: QueryBarProps) {
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
      />
      <SaveView query={foundBy !== null && foundBy.text === query ? foundBy.text : null} />
    </div>
  );
}

/** Who comes back from a sample goes on at its row. */
function useReturn(view: RefObject<HTMLElement | null>, isRead: boolean, memory: GridMemory): void {
  const [{ current }] = useLibraryPlace();
  const wantFocus = useEffectEvent(() => memory.wantFocus());
  const goesOn = useEffectEvent(() => current !== null && document.activeElement === document.body);
  useEffect(() => {
    // The table may be without its rows yet.
    if (isRead && goesOn() && !focusIn(view.current, '[role=grid] [data-index][tabindex="0"]')) wantFocus();
  }, [view, isRead]);
}
