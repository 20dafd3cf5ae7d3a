import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLibraryMoment } from '../../app/library/use-library-moment.ts';
import { useLibraryPlace } from '../../app/library/library-place.tsx';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { ExportSelectionDialog } from '../../app/export/export-selection-dialog.tsx';
import { LibraryActions } from './actions/library-actions.tsx';
import { useDownload } from './actions/use-download.ts';
import { useExport } from './actions/use-export.ts';
import { useScan } from './actions/use-scan.ts';
import { FoundPanes } from './found-panes.tsx';
import { LibraryHead } from './library-head.tsx';
import { LibraryTold } from './library-told.tsx';
import styles from './library.module.css';
import { EmptyLibrary, UnreadableQuery } from './nothing-found.tsx';
import { QueryField } from './query/query-field.tsx';
import { SaveView } from './save-view.tsx';
import { useAskedQuery } from './use-asked-query.ts';
import { useLatest } from './use-latest.ts';
import { useLibraryKeys } from './use-library-keys.ts';
import { useLibraryRows } from './use-library-rows.ts';
import { useListPlace } from './use-list-place.ts';
import { useMeant } from './use-meant.ts';

/** The list follows a library that changes, and does not jump with each change. */
const renewedEveryMs = 1500;
const noTerms: [] = [];

/** Every sample this desk knows: searched, ordered, and gone on with. */
export function LibraryList() {
  const view = useRef<HTMLDivElement>(null);
  const [place, note] = useLibraryPlace();
  const moment = useLibraryMoment(renewedEveryMs);
  const { foundBy, problem } = useAskedQuery(place, moment);
  const rows = useLibraryRows(foundBy?.terms ?? noTerms, place.sort, moment);
  const list = useListPlace(foundBy?.text ?? null);
  const { total, newest } = rows.windows;
  const { meant, one, bytes } = useMeant(place, rows, foundBy?.terms ?? noTerms);
  const [downloads, exports, scans] = [useDownload(), useExport(), useScan()];
  const onKeyDown = useLibraryKeys(view);
  useKeptFocus(view);
  const toList = (): void => focusIn(view.current, '[role=grid] [tabindex="0"]');
  const [onType, onDown] = [useLatest((query: string) => note({ query, isTyped: true })), useLatest(toList)];
  const [onDownload, onScan, onExport, onForgotten] = [useLatest(downloads.download), useLatest(scans.scan), useLatest(exports.ask), useLatest(list.letGo)];
  useReturn(view, total !== null);
  const search = (query: string): void => {
    focusIn(view.current, '[data-query]');
    list.search(query);
  };
  const isEmpty = total === 0 && foundBy !== null && foundBy.terms.length === 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={styles.view} onKeyDown={onKeyDown}>
      <LibraryHead total={foundBy === null ? null : total} isFound={foundBy !== null && foundBy.terms.length > 0} terms={foundBy?.terms ?? noTerms} onExport={onExport} />
      {!isEmpty && (
        <div className={styles.query} data-pane>
          <QueryField query={place.query} problem={problem} elapsedMs={foundBy === null ? null : (newest?.elapsedMs ?? null)} onType={onType} onDown={onDown} />
          <SaveView query={foundBy !== null && foundBy.text === place.query ? foundBy.text : null} />
        </div>
      )}
      <LibraryTold failure={rows.windows.failure} scans={scans} />
      {isEmpty && <EmptyLibrary />}
      {foundBy === null && <UnreadableQuery onEdit={() => focusIn(view.current, '[data-query]')} />}
      {foundBy !== null && !isEmpty && (
        <>
          <FoundPanes foundBy={foundBy} rows={rows} list={list} downloads={downloads} onSearch={search} onEdit={() => focusIn(view.current, '[data-query]')} />
          <LibraryActions meant={meant} one={one} bytes={bytes} isDownloading={downloads.isBusy} isScanning={scans.isBusy} onDownload={onDownload} onScan={onScan} onExport={onExport} onForgotten={onForgotten} />
        </>
      )}
      {exports.asked !== null && <ExportSelectionDialog {...exports.asked} onClose={exports.close} />}
    </div>
  );
}

/** Who comes back from a sample goes on at its row. */
function useReturn(view: RefObject<HTMLElement | null>, isRead: boolean): void {
  const [{ current }] = useLibraryPlace();
  const goesOn = useEffectEvent(() => current !== null && document.activeElement === document.body);
  useEffect(() => {
    if (isRead && goesOn()) focusIn(view.current, '[role=grid] [data-index][tabindex="0"]');
  }, [view, isRead]);
}

function focusIn(view: HTMLElement | null, selector: string): void {
  view?.querySelector<HTMLElement>(selector)?.focus();
}
