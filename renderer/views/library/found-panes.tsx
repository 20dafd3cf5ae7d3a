import { memo, useCallback } from 'react';
import type { LibraryRow } from '../../../shared/domain/library.ts';
import { useLibraryLayout, useLibraryPlace } from '../../app/library/library-place.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useLatest } from '../../app/use-latest.ts';
import layout from '../../styles/layout.module.css';
import { namedSelections } from './actions/meant-samples.ts';
import type { DownloadAct } from './actions/use-download.ts';
import { useShownColumns } from './columns-action.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { InspectorPane } from './inspector/inspector-pane.tsx';
import styles from './library.module.css';
import { NothingFound, UnreadableQuery } from './nothing-found.tsx';
import { LibraryTable } from './table/library-table.tsx';
import type { LibraryRows } from './use-library-rows.ts';
import { useInspectorCommand } from './use-inspector-command.ts';
import type { ListPlace } from './use-list-place.ts';

export interface FoundPanesProps {
  rows: LibraryRows;
  /** What stands in the field by now cannot be read: `rows` are those of the query before. */
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
  useInspectorCommand(current !== null && !isNothing);
  const { known } = rows;
  const { choose } = list;
  const fetchAgain = useLatest((row: LibraryRow) => download({ selections: namedSelections([row.hash]) }));
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
      <section className={layout.view} data-pane>
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
