import { FilePlus2 } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { UploadDraft, UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useSettings } from '../../app/use-settings.ts';
import { useTagSuggestions } from '../../app/use-tag-suggestions.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { StoredTicks } from '../../components/data-grid/use-stored-ticks.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { ArchivePassword } from './archive-password.tsx';
import { DetailLine } from './detail-line.tsx';
import { type Draft, useWrites } from './draft-desk.tsx';
import type { DraftWrites } from './draft-writes.ts';
import { fileColumns, type FileActs, type ShownFile } from './file-columns.tsx';
import styles from './files-table.module.css';
import { text } from './text.ts';
import { type TickAllAsked, TickAllQuestion } from './tick-all-question.tsx';
import { useDraftFiles, type DraftFiles } from './use-draft-files.ts';
import { useEditedRow } from './use-edited-row.ts';

const rowHeight = 32;
const headHeight = 28;

export interface FilesTableProps {
  draft: Draft;
  /** Keys of a row that are not the table's own: Del, T, L. */
  onRowKey(event: KeyboardEvent): void;
}

/** The files of the draft: what each is, how it stands at the repository, and what is sent along with it. */
export function FilesTable({ draft, onRowKey }: FilesTableProps) {
  const { values } = useSettings();
  const table = useRef<HTMLDivElement>(null);
  const files = useDraftFiles(draft);
  const writes = useWrites(draft.writes);
  const { editedId, edit, handlers } = useEditedRow(table);
  const [currentId, setCurrentId] = useState<number | null>(null);
  const [unlocked, unlock] = useState<UploadFile | null>(null);
  const columns = useColumns(draft, unlock);
  const shownRow = useShownRow(files, editedId);
  const count = files.total ?? draft.summary?.files ?? 0;
  const { ticks, asked, ask } = useFileTicks(draft, writes, files);
  const rowAt = (index: number): ShownFile | undefined => shownRow(files.fileAt(index));
  const current = currentId === null ? undefined : files.find(currentId);
  return (
    <div className={layout.fill}>
      <ReadProblem draft={draft} failure={files.failure} />
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of the rows inside */}
      <div
        ref={table}
        className={classNames(layout.stack, styles.grid)}
        {...handlers}
        onFocus={(event: FocusEvent) => {
          handlers.onFocus(event);
          const id = rowIdOf(event.target, rowAt);
          if (id !== null) setCurrentId(id);
        }}
        onKeyDown={(event) => {
          if (event.target instanceof Element && event.target.matches('[data-index], [data-head]')) onRowKey(event);
        }}
      >
        <DataGrid
          label={text.table}
          columns={columns}
          count={count}
          rowAt={rowAt}
          keyOf={({ id }) => id}
          onRange={files.onRange}
          storedTicks={ticks}
          onOpen={(file) => edit(file.id)}
          hasFields
          memory={draft.memory}
          letters={values.singleLetterKeys}
          rowHeight={rowHeight}
        />
        <DropMore below={headHeight + count * rowHeight} />
      </div>
      <DetailLine
        file={current}
        sameAs={nameOf(files, current)}
        onUnlock={unlock}
        onReadNames={({ id }, encoding) => void draft.writes.send('uploads.readNames', { id, encoding })}
        onRemove={(file) => void writes.remove({ kind: 'files', ids: [file.id] })}
      />
      {asked && (
        <TickAllQuestion
          asked={asked}
          onTick={(target) => void writes.change(target, { isTicked: true })}
          onClose={() => ask(null)}
        />
      )}
      {unlocked && <ArchivePassword file={unlocked} writes={draft.writes} onClose={() => unlock(null)} />}
    </div>
  );
}

function ReadProblem({ draft: { workspace, refresh }, failure }: { draft: Draft; failure: Failure | null }) {
  if (failure === null) return null;
  return (
    <div className={classNames(layout.inset, layout.fixed)}>
      <FailureNotice
        failure={failure}
        retry={{ name: 'uploads.draft', input: { workspaceId: workspace.id } }}
        onRetry={refresh}
      />
    </div>
  );
}

/** Invites to drop more files. `below`: CSS pixels from the top of the table. */
function DropMore({ below }: { below: number }) {
  return (
    <p
      className={classNames(layout.row8, layout.above, styles.dropMore)}
      data-gives-way
      style={{ insetBlockStart: below }}
      aria-hidden="true"
    >
      <FilePlus2 size={16} strokeWidth={1.6} />
      {text.dropMore}
    </p>
  );
}

interface FileTicks {
  ticks: StoredTicks<ShownFile, number>;
  /** The open question whether to tick files that were added automatically, too; null: none. */
  asked: TickAllAsked | null;
  ask(asked: TickAllAsked | null): void;
}

function useFileTicks({ summary }: Draft, writes: DraftWrites, files: DraftFiles): FileTicks {
  const [asked, ask] = useState<TickAllAsked | null>(null);
  const tickAll = (isTicked: boolean): void => {
    if (!isTicked) void writes.change({ kind: 'all' }, { isTicked });
    else if (summary !== null && summary.held > 0) ask(summary);
    // What came by itself since the numbers were read is not ticked unasked.
    else void writes.change({ kind: 'not-held' }, { isTicked });
  };
  const ticks: StoredTicks<ShownFile, number> = {
    isTicked: ({ isTicked }) => isTicked,
    isTickedAlone: isHeld,
    state: tickState(summary === null ? null : writes.ticksAll(summary), summary),
    onTick: (ids, isTicked) => void writes.change({ kind: 'files', ids: [...ids] }, { isTicked }),
    onTickAll: tickAll,
    rowsBetween: files.between,
  };
  return { ticks, asked, ask };
}

function useColumns({ workspace, writes }: Draft, unlock: (file: UploadFile) => void) {
  const suggest = useTagSuggestions();
  const { virusTotal, sandbox } = workspace.options.receivers;
  return useMemo(() => {
    const acts: FileActs = {
      receivers: { virusTotal: visibleText(virusTotal), sandbox: visibleText(sandbox) },
      change: ({ id }, change) => void writes.change({ kind: 'files', ids: [id] }, change),
      suggest,
      unlock,
    };
    return fileColumns(acts);
  }, [virusTotal, sandbox, writes, suggest, unlock]);
}

/** A file stays the same object while it is shown the same: its row is then not drawn again. */
function useShownRow(
  files: DraftFiles,
  editedId: number | null,
): (file: UploadFile | undefined) => ShownFile | undefined {
  const [kept] = useState(() => new WeakMap<UploadFile, ShownFile>());
  return (file) => {
    if (file === undefined) return undefined;
    const isEdited = file.id === editedId;
    const sameAsName = nameOf(files, file);
    if (!isEdited && sameAsName === null) return file;
    const before = kept.get(file);
    if (before !== undefined && (before.isEdited ?? false) === isEdited && (before.sameAsName ?? null) === sameAsName)
      return before;
    const shown = { ...file, isEdited, ...(sameAsName === null ? {} : { sameAsName }) };
    kept.set(file, shown);
    return shown;
  };
}

function nameOf(files: DraftFiles, file: UploadFile | undefined): string | null {
  return file === undefined || file.sameAs === null ? null : (files.find(file.sameAs)?.name ?? null);
}

function rowIdOf(target: EventTarget, rowAt: (index: number) => ShownFile | undefined): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? null : (rowAt(Number(row.dataset['index']))?.id ?? null);
}

/** What came by itself and is not ticked is not among all: otherwise the others could not be unticked at once. */
function tickState(onItsWay: boolean | null, summary: UploadDraft | null): 'all' | 'some' | 'none' {
  if (onItsWay !== null) return onItsWay ? 'all' : 'none';
  if (summary === null || summary.ticked === 0) return 'none';
  return summary.ticked >= summary.files - summary.held ? 'all' : 'some';
}

/** One alone is ticked by whoever means it; many at once only where that was asked. */
const isHeld = ({ isTicked, presence }: UploadFile): boolean => !isTicked && presence === 'held';
