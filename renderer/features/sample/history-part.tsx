import {
  Archive,
  ArchiveRestore,
  BellOff,
  BookLock,
  Download,
  FileArchive,
  FilePen,
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
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, formatSize } from '../../components/format.ts';
import { TimeText } from '../../components/service-text.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import { text } from './strings.ts';

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
  'record-change': FilePen,
};

const shownAtFirst = 8;
const longestPlace = 40;

/** Where the sample came from, where it went, and what was done here: from the journal, newest first. */
export function HistoryPart({ hash }: { hash: string }) {
  const { data, error, refetch } = useOperation('samples.history', { hash });
  const rows = data?.rows ?? [];
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="history">
      <PartHead id="history" title={text.history} aside={text.historyAside} />
      {error && (
        <FailureNotice
          failure={error}
          retry={{ name: 'samples.history', input: { hash } }}
          onRetry={() => void refetch()}
        />
      )}
      {data?.rows.length === 0 && <p className={typography.aside}>{text.noHistory}</p>}
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
    <li className={classNames(layout.row8, styles.historyRow)}>
      <span className={typography.hint}>
        <TimeText sent={row.time} />
      </span>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>{visibleText(what)}</span>
      {place !== null && (
        <bdi className={classNames(typography.cut, typography.muted)}>
          {visibleText(cutMiddle(place, longestPlace))}
        </bdi>
      )}
      <span className={layout.grow} />
      <span className={typography.hint} data-figures>
        {typeof sizeBytes === 'number' ? formatSize(sizeBytes) : visibleText(aside)}
      </span>
    </li>
  );
}

/** The outcomes that mean it was done; any other outcome is why it was not. */
const done: ReadonlySet<string> = new Set(['found', 'done', 'already-here', 'ok', 'sent']);
/** What these say is said by the verb already. */
const plain: ReadonlySet<string> = new Set(['found', 'done', 'ok']);

/** `Downloaded`, or `Download` with its reason: a row never claims more than its outcome. */
export function historyWords({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): {
  what: string;
  aside: string;
} {
  // It left this computer with this row, whatever came of it.
  if (isHandedOver({ operation, outcome })) return { what: text.sentForScan, aside: '' };
  const words = outcome.replaceAll('-', ' ');
  if (!done.has(outcome) || fetchedNothing({ operation, outcome }))
    return { what: `${text.attempted[operation]}: ${words}`, aside: '' };
  return { what: text.operations[operation], aside: plain.has(outcome) ? '' : words };
}

const isHandedOver = ({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): boolean =>
  operation === 'scan' && outcome === 'sending';

const directions = ['from', 'to', 'here'] as const;
type Direction = (typeof directions)[number];

const directionOfOperation: Partial<Record<JournalOperation, Direction>> = {
  'look-up': 'from',
  download: 'from',
  upload: 'to',
  comment: 'to',
  export: 'to',
  'record-change': 'to',
};

/** What was in the vault already was not fetched. */
const fetchedNothing = ({ operation, outcome }: Pick<JournalRow, 'operation' | 'outcome'>): boolean =>
  operation === 'download' && outcome === 'already-here';

/**
 * Whether something of the sample came to this computer, left it, or stayed. A scan leaves it where a service did it.
 */
export function directionOf({
  operation,
  outcome,
  detail,
}: Pick<JournalRow, 'operation' | 'outcome' | 'detail'>): Direction {
  if (operation === 'scan') return 'receiver' in detail || 'service' in detail ? 'to' : 'here';
  const direction = directionOfOperation[operation] ?? 'here';
  return direction === 'from' && (!done.has(outcome) || fetchedNothing({ operation, outcome })) ? 'here' : direction;
}

/**
 * Whom it came from or went to; null: no one else was involved. `workspace` is the name of the row's own. Untrusted
 * text.
 */
export function placeOf(
  row: Pick<JournalRow, 'operation' | 'outcome' | 'detail'>,
  workspace: string | null,
): string | null {
  const direction = directionOf(row);
  const other = otherOf(row) ?? workspace;
  if (other === null || direction === 'here') return null;
  if (row.operation === 'record-change') return text.at(workspace ?? other);
  if (row.operation === 'scan') return isHandedOver(row) ? text.to(other) : text.by(other);
  return direction === 'from' ? text.from(other) : text.to(other);
}

function otherOf({ operation, detail: { receiver, to } }: Pick<JournalRow, 'operation' | 'detail'>): string | null {
  if (typeof receiver === 'string') return receiver;
  return operation === 'export' && (to === 'folder' || to === 'browser') ? text.exportedInto[to] : null;
}
