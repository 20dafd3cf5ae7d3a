import {
  Archive,
  ArchiveRestore,
  BellOff,
  BookLock,
  Download,
  FileArchive,
  FilePlus,
  FolderSearch,
  type LucideIcon,
  MessageSquare,
  Package,
  PackageOpen,
  ScanSearch,
  Search,
  Trash2,
  Upload,
} from 'lucide-react';
import { useState } from 'react';
import type { JournalOperation, JournalRow } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, sizeWords } from '../../components/format.ts';
import { TimeText } from '../../components/service-text.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { type Direction, directionOf, directions, historyWords, placeOf } from './history-words.ts';
import { PartHead } from './part-head.tsx';
import styles from './parts.module.css';
import { text } from './text.ts';

const icons: Record<JournalOperation, LucideIcon> = {
  'look-up': Search,
  download: Download,
  export: FileArchive,
  upload: Upload,
  comment: MessageSquare,
  scan: ScanSearch,
  'rule-update': Package,
  workspace: BookLock,
  'key-change': BookLock,
  forget: Trash2,
  bundle: PackageOpen,
  backup: Archive,
  restore: ArchiveRestore,
  watch: FolderSearch,
  mute: BellOff,
  add: FilePlus,
};

const shownAtFirst = 8;
const longestPlace = 40;

/** Where the sample came from, where it went, and what was done here: from the journal, newest first. */
export function DeskHistory({ hash }: { hash: string }) {
  const { data, error, refetch } = useOperation('samples.history', { hash });
  const rows = data?.rows ?? [];
  return (
    <section className={styles.part} aria-labelledby="history">
      <PartHead id="history" title={text.history} aside={text.historyAside} />
      {error && (
        <FailureNotice
          failure={error}
          retry={{ name: 'samples.history', input: { hash } }}
          onRetry={() => void refetch()}
        />
      )}
      {data?.rows.length === 0 && <p className={styles.nothing}>{text.noHistory}</p>}
      {directions.map((direction) => (
        <HistoryGroup
          key={direction}
          direction={direction}
          rows={rows.filter((row) => directionOf(row) === direction)}
        />
      ))}
    </section>
  );
}

function HistoryGroup({ direction, rows }: { direction: Direction; rows: readonly JournalRow[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  if (rows.length === 0) return null;
  return (
    <>
      <h4 id={`history-${direction}`} className={styles.subtitle}>
        {text.directions[direction]}
      </h4>
      <ol aria-labelledby={`history-${direction}`}>
        {rows.slice(0, shown).map((row) => (
          <HistoryRow key={row.number} row={row} />
        ))}
      </ol>
      {rows.length > shown && (
        <div className={styles.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(rows.length)}>
            {text.moreTags(rows.length - shown)}
          </Button>
        </div>
      )}
    </>
  );
}

function HistoryRow({ row }: { row: JournalRow }) {
  const { workspaces } = useWorkspaces();
  const Icon = icons[row.operation];
  const { what, aside } = historyWords(row);
  const { sizeBytes } = row.detail;
  const workspace =
    workspaces.find(({ id }) => id === row.workspaceId)?.name ??
    (row.workspaceId === null ? null : text.removedWorkspace);
  const place = placeOf(row, workspace);
  return (
    <li className={styles.historyRow}>
      <span className={styles.aside}>
        <TimeText sent={row.time} />
      </span>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>{visibleText(what)}</span>
      {place !== null && <bdi className={styles.place}>{visibleText(cutMiddle(place, longestPlace))}</bdi>}
      <span className={styles.push} />
      <span className={styles.aside} data-figures>
        {typeof sizeBytes === 'number' ? sizeWords(sizeBytes) : visibleText(aside)}
      </span>
    </li>
  );
}
