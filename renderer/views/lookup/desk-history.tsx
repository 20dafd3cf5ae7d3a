import { BookLock, Download, FileArchive, MessageSquare, Package, ScanSearch, Search, Trash2, type LucideIcon, Upload } from 'lucide-react';
import type { JournalOperation, JournalRow } from '../../../shared/domain/journal.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { sizeWords } from '../../components/byte-words.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { historyWords } from './history-words.ts';
import styles from './sample.module.css';
import { PartHead } from './part-head.tsx';
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
};

/** What this desk did with the sample, newest first. */
export function DeskHistory({ hash }: { hash: string }) {
  const { data, error, refetch } = useOperation('samples.history', { hash });
  return (
    <section className={styles.part} aria-labelledby="history">
      <PartHead id="history" title={text.history} aside={text.historyAside} />
      {error && <FailureNotice failure={error} retry={{ name: 'samples.history', input: { hash } }} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <p className={styles.nothing}>{text.noHistory}</p>}
      <ol>{data?.rows.map((row) => <HistoryRow key={row.number} row={row} />)}</ol>
    </section>
  );
}

function HistoryRow({ row }: { row: JournalRow }) {
  const Icon = icons[row.operation];
  const { what, aside } = historyWords(row);
  const { sizeBytes } = row.detail;
  return (
    <li className={styles.historyRow}>
      <span className={styles.aside}><TimeText sent={row.time} /></span>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>{visibleText(what)}</span>
      <span className={styles.push} />
      <span className={styles.aside} data-figures>{typeof sizeBytes === 'number' ? sizeWords(sizeBytes) : visibleText(aside)}</span>
    </li>
  );
}
