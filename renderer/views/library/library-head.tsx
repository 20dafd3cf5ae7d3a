import { Bookmark, Ellipsis, FileArchive, FilePlus, PackageOpen, ScanSearch } from 'lucide-react';
import { type FormEvent, memo, useId, useMemo, useState } from 'react';
import { longestViewName, type SavedView } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { type ColumnLayout, ColumnsButton } from '../../components/data-grid/columns-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu } from '../../components/menu.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useLate } from '../../components/use-late.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { useAdditions } from '../../features/additions/additions.tsx';
import { text as additionsText } from '../../features/additions/strings.ts';
import { useBundleStore } from '../../features/bundle/bundle-store.tsx';
import { useLibraryLayout, useLibraryPlace } from '../../features/library/library-place.tsx';
import { useSavedViews } from '../../features/library/saved-views.ts';
import { usualLayout } from '../../memory/layouts.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import type { ActionTarget } from '../../features/library/action-target.ts';
import type { FoundList } from './library-rows.ts';
import { text } from './strings.ts';
import { type ColumnId, columnIds, fixedColumns, orderedColumns, shownColumns } from './table/library-columns.tsx';

interface LibraryHeadProps {
  /** What was found last; null before that. */
  found: FoundList | null;
  /** By what is searched by now. */
  isAnswered: boolean;
  /** That is what is in the field. */
  isReadable: boolean;
  /** The same function from drawing to drawing. */
  onExport(target: ActionTarget): void;
}

function Head({ found, isAnswered, isReadable, onExport }: LibraryHeadProps) {
  const { openScan } = useNavigation();
  const additions = useAdditions();
  const { data } = useOperation('library.count', {});
  const isLate = useLate(!isAnswered);
  const all = isAnswered && isReadable && found !== null && found.total > 0 ? found : null;
  const exportAll = ({ by: { terms }, total }: FoundList): void =>
    onExport({ count: total, ticked: total, selections: [{ kind: 'query', terms, except: [] }] });
  return (
    <ViewHead title={text.title} isLanding>
      <ViewLine role="status">
        {isLate ? text.searching : found !== null && formatFound(found, data?.samples ?? found.total)}
      </ViewLine>
      <ColumnsAction />
      <Button look="quiet" isDisabled={all === null} onPress={() => all !== null && exportAll(all)}>
        <FileArchive size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.exportButton}
      </Button>
      <Button onPress={additions.show} data-keywords={additionsText.words}>
        <FilePlus size={14} strokeWidth={1.6} aria-hidden="true" />
        {additionsText.button}
      </Button>
      <Button onPress={() => openScan(null)}>
        <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.hunt}
      </Button>
      <MoreMenu />
    </ViewHead>
  );
}

function MoreMenu() {
  const { show } = useBundleStore();
  const choices = [
    { id: 'bundle', text: text.openBundle, icon: <PackageOpen size={14} strokeWidth={1.6} aria-hidden="true" /> },
  ];
  return (
    <Menu
      label={text.more}
      choices={choices}
      onChoose={show}
      trigger={
        <IconButton label={text.more}>
          <Ellipsis size={14} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
      }
    />
  );
}

export const LibraryHead = memo(Head);

/** The whole is counted apart, and may be behind what is found for a moment. */
const formatFound = ({ by, total }: FoundList, all: number): string =>
  by.terms.length > 0 ? text.some(total, Math.max(total, all)) : text.all(total);

/** What is arranged by hand holds from then on, whichever view was opened. */
function ColumnsAction() {
  const [stored, change] = useLibraryLayout();
  const [{ columns }, note] = useLibraryPlace();
  const shown = useShownColumns();
  const arrange = (layout: ColumnLayout): void => {
    note({ columns: null });
    change(layout);
  };
  return (
    <ColumnsButton
      titles={text.columns}
      order={orderedColumns(columns ?? stored.order)}
      shown={shown}
      fixed={fixedColumns}
      onArrange={arrange}
      onReset={() => arrange({ order: usualLayout.order, hidden: usualLayout.hidden })}
    />
  );
}

/** The columns as they are shown now: those of a saved view, else those of the layout. */
export function useShownColumns(): ColumnId[] {
  const [stored] = useLibraryLayout();
  const [{ columns }] = useLibraryPlace();
  const { order, hidden } = stored;
  return useMemo(
    () =>
      columns === null
        ? shownColumns(order, hidden)
        : shownColumns(
            columns,
            columnIds.filter((id) => !columns.includes(id)),
          ),
    [columns, order, hidden],
  );
}

/** Keeps the search with its order and its columns, under a name. `query` as it can be read. */
function Save({ query }: { query: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button isDisabled={query === null} onPress={() => setOpen(true)}>
        <Bookmark size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.saveView}
      </Button>
      {isOpen && query !== null && <SaveDialog query={query} onClose={() => setOpen(false)} />}
    </>
  );
}

export const SaveView = memo(Save);

function SaveDialog({ query, onClose }: { query: string; onClose(): void }) {
  const { views } = useSavedViews();
  const [{ viewId, sort }, note] = useLibraryPlace();
  const columns = useShownColumns();
  const toast = useToast();
  const report = (saved: SavedView): void => {
    note({ viewId: saved.id });
    toast({ meaning: 'ok', text: text.saved(visibleText(saved.name)) });
  };
  const { mutate, error, isPending } = useReportedAction('views.save', { report, failureText: text.notSaved, onClose });
  const [name, setName] = useState(views.find(({ id }) => id === viewId)?.name ?? '');
  const form = useId();
  const known = views.find((view) => view.name === name.trim()) ?? null;
  const isEmpty = name.trim() === '';
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) mutate({ id: known?.id ?? null, name: name.trim(), query, sort, columns });
  };
  return (
    <Dialog
      title={text.saveTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form} isDisabled={isEmpty || isPending}>
            {known === null ? text.save : text.update}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={save}>
        <TextField
          label={text.viewName}
          value={name}
          onChange={setName}
          maxLength={longestViewName}
          autoComplete="off"
          takesFocus
          {...(known === null ? {} : { hint: text.viewUpdates })}
        />
      </form>
      {error !== null && <FailureNotice failure={error} />}
    </Dialog>
  );
}
