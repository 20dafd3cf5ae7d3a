import { useQueryClient } from '@tanstack/react-query';
import { FilePlus2, KeyRound, Languages, TriangleAlert, X } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import {
  nameEncoding,
  type NameEncoding,
  nameEncodingLabels,
  nameEncodings,
} from '../../../shared/domain/opened-archive.ts';
import type { UploadDraft, UploadFile } from '../../../shared/domain/upload.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { success } from '../../../shared/failure.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { Button } from '../../components/button.tsx';
import { ByteStripBar } from '../../components/byte-strip.tsx';
import { ChoiceMenu } from '../../components/choice-menu.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import type { StoredTicks } from '../../components/data-grid/row-selection.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SampleName } from '../../components/service-text.tsx';
import { useTagSuggestions } from '../../features/sample/sample-changes.ts';
import { type RowSource, type RowWindow, useRowWindows } from '../../state/row-windows.ts';
import { useSettings } from '../../state/settings.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ArchivePassword, TickAllQuestion, type TickAllRequest } from './archive-password.tsx';
import { type Draft, useWrites } from './draft-context.tsx';
import type { DraftWrites } from './draft-writes.ts';
import { type FileActs, fileColumns, type ShownFile } from './file-columns.tsx';
import { isRiskyArchive, oddityOf, standingOf } from './file-standing.ts';
import styles from './files-table.module.css';
import { text } from './strings.ts';

const rowHeight = 32;
const headHeight = 28;

interface FilesTableProps {
  draft: Draft;
  /** Keys of a row that are not the table's own: Del, T, L. */
  onRowKey(event: KeyboardEvent): void;
}

/** The files of the draft: what each is, its state at the repository, and what is sent along with it. */
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
  const { ticks, request, ask } = useFileTicks(draft, writes, files);
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
      {request && (
        <TickAllQuestion
          request={request}
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
  request: TickAllRequest | null;
  ask(asked: TickAllRequest | null): void;
}

function useFileTicks({ summary }: Draft, writes: DraftWrites, files: DraftFiles): FileTicks {
  const [request, ask] = useState<TickAllRequest | null>(null);
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
  return { ticks, request, ask };
}

function useColumns({ workspace, writes }: Draft, unlock: (file: UploadFile) => void) {
  const suggestions = useTagSuggestions();
  const { virusTotal, sandbox } = workspace.options.receivers;
  return useMemo(() => {
    const acts: FileActs = {
      receivers: { virusTotal: visibleText(virusTotal), sandbox: visibleText(sandbox) },
      change: ({ id }, change) => void writes.change({ kind: 'files', ids: [id] }, change),
      suggestions,
      unlock,
    };
    return fileColumns(acts);
  }, [virusTotal, sandbox, writes, suggestions, unlock]);
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

/** A person can tick a single one on purpose; many at once only on request. */
const isHeld = ({ isTicked, presence }: UploadFile): boolean => !isTicked && presence === 'held';

interface DetailLineProps {
  /** The current one. */
  file: UploadFile | undefined;
  sameAs: string | null;
  onUnlock(file: UploadFile): void;
  onReadNames(file: UploadFile, encoding: NameEncoding): void;
  onRemove(file: UploadFile): void;
}

const encodings = nameEncodings.map((id) => ({ id, text: nameEncodingLabels[id] }));

/** More of the current file than fits in a row: where it was, what it is, and any remarks about it. */
function DetailLine({ file, sameAs, onUnlock, onReadNames, onRemove }: DetailLineProps) {
  if (file === undefined)
    return (
      <footer className={classNames(layout.row, layout.bottom, styles.detail)}>
        <p>{text.keysHint}</p>
      </footer>
    );
  const { kind, then } = standingOf(file, sameAs);
  const risk = isRiskyArchive(file) ? `${text.sentAsItIs}.` : null;
  const oddity = oddityOf(file);
  const news = [oddity === null ? null : text.unusual(oddity), risk, then].filter((part) => part !== null).join(' ');
  const isWarning = risk !== null || oddity !== null || kind === 'warn' || kind === 'locked' || kind === 'unanswered';
  return (
    <footer className={classNames(layout.row, layout.bottom, styles.detail)}>
      {/* Where the table is too narrow for its column, this is where a file's bytes are seen. */}
      {file.strip !== null && <ByteStripBar strip={file.strip} size="row" />}
      <p className={classNames(layout.wrap, styles.detailName)}>
        <SampleName name={file.name} />
        {factsOf(file).map((part) => (
          <bdi key={part} className={classNames(typography.ellipsis, styles.detailFact)}>
            {visibleText(part)}
          </bdi>
        ))}
      </p>
      <p className={classNames(layout.row6, styles.detailNews, isWarning && typography.warn)} role="status">
        {news !== '' && isWarning && <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />}
        {news !== '' && <bdi title={visibleText(news)}>{visibleText(news)}</bdi>}
      </p>
      {file.archive?.state === 'open' && file.archive.nameEncoding !== null && (
        <ChoiceMenu
          trigger={
            <Button size="small">
              <Languages size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.namesAre(nameEncodingLabels[file.archive.nameEncoding])}
            </Button>
          }
          label={text.nameEncodingMenu}
          choices={encodings}
          chosen={[file.archive.nameEncoding]}
          of="one"
          onChange={([chosen]) => onReadNames(file, nameEncoding.parse(chosen))}
        />
      )}
      {file.archive?.state === 'locked' && (
        <Button size="small" onPress={() => onUnlock(file)}>
          <KeyRound size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.enterPassword}
        </Button>
      )}
      <Button size="small" look="quiet" onPress={() => onRemove(file)}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.removeThis}
      </Button>
    </footer>
  );
}

function factsOf({ archive, path, mime }: UploadFile): string[] {
  const members = archive?.state === 'open' ? text.members(archive.members) : '';
  return [members, path, mime ?? ''].filter((part) => part !== '');
}

/** A window of files, and how many writes of this page it knows of. */
interface FileWindow extends RowWindow<UploadFile> {
  known: number;
}

interface DraftFiles {
  /** null until it is known. */
  total: number | null;
  /** undefined while it is not loaded. */
  fileAt(index: number): UploadFile | undefined;
  /** A file that was read lately, in sight or not. */
  find(id: number): UploadFile | undefined;
  onRange(first: number, last: number): void;
  /** Files that are not loaded, both ends included; those that could not be read are left out. */
  between(first: number, last: number): Promise<readonly UploadFile[]>;
  failure: Failure | null;
}

const atOnce = 1000;

/** The files of a draft in sight, as they are and with what the person did since they were read. */
function useDraftFiles({ workspace: { id: workspaceId }, writes: given }: Draft): DraftFiles {
  const bridge = useBridge();
  const client = useQueryClient();
  const writes = useWrites(given);
  // What is done to all that are ticked changes every row: they are drawn in pieces, behind what was pressed.
  const drawn = useDeferredValue(writes.changesSoFar);
  const source = useMemo(
    (): RowSource<FileWindow> => ({
      name: 'uploads.files',
      question: { workspaceId },
      read: async (offset, limit) => {
        const known = given.answered;
        const answer = await bridge.call('uploads.files', { workspaceId, offset, limit });
        return answer.ok ? success({ rows: answer.value.files, total: answer.value.total, known }) : answer;
      },
    }),
    [bridge, workspaceId, given],
  );
  const { total, rowAt, windowAt, onRange, failure } = useRowWindows(source);
  const fileAt = (index: number): UploadFile | undefined => {
    const [file, window] = [rowAt(index), windowAt(index)];
    return file === undefined || window === undefined ? undefined : writes.shown(file, window.known, drawn);
  };
  const find = (id: number): UploadFile | undefined => {
    for (const [, window] of client.getQueriesData<FileWindow>({ queryKey: ['uploads.files', { workspaceId }] })) {
      const file = window?.rows.find((each) => each.id === id);
      if (file !== undefined && window !== undefined) return writes.shown(file, window.known, drawn);
    }
    return undefined;
  };
  const between = async (first: number, last: number): Promise<readonly UploadFile[]> => {
    const found: UploadFile[] = [];
    for (let offset = first; offset <= last; offset += atOnce) {
      const known = writes.answered;
      const answer = await bridge.call('uploads.files', {
        workspaceId,
        offset,
        limit: Math.min(atOnce, last - offset + 1),
      });
      if (!answer.ok) break;
      found.push(...answer.value.files.map((file) => writes.shown(file, known)));
    }
    return found;
  };
  return { total, fileAt, find, onRange, between, failure };
}

interface EditedRow {
  /** The file whose fields are reached by Tab. */
  editedId: number | null;
  /** Goes into the fields of the row that has the focus: its tags are written in at once. */
  edit(id: number): void;
  handlers: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void };
}

/** What opens over a field is drawn elsewhere on the page, and belongs to it. */
const overlay = '[data-trigger], [role=dialog], [role=listbox], [role=menu]';

/** One row at a time has its fields in the order of Tab; it ends where the focus goes elsewhere. */
function useEditedRow(table: RefObject<HTMLElement | null>): EditedRow {
  const [edited, setEdited] = useState<{ id: number; row: Element } | null>(null);
  const edit = (id: number): void => {
    const row = table.current?.querySelector('[data-index]:focus');
    if (!row) return;
    setEdited({ id, row });
    enter(row);
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (edited === null || table.current?.contains(target) !== true) return;
    const row = target.closest('[data-index]');
    // The row itself again, by Escape, or another one.
    if (row === target || row !== edited.row) setEdited(null);
  };
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (
      relatedTarget instanceof Element &&
      table.current?.contains(relatedTarget) !== true &&
      relatedTarget.closest(overlay) === null
    )
      setEdited(null);
  };
  return { editedId: edited?.id ?? null, edit, handlers: { onFocus, onBlur } };
}

function enter(row: Element): void {
  const tags = row.querySelector<HTMLElement>('[data-tag-field]:not(:disabled)');
  if (tags) return tags.click();
  row.querySelector<HTMLElement>('[data-unlock], button:not(:disabled)')?.focus();
}
