import { Bookmark } from 'lucide-react';
import { type FormEvent, memo, useId, useState } from 'react';
import { longestViewName, type SavedView } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useLibraryPlace } from '../../features/library/library-place.tsx';
import { useSavedViews } from '../../features/library/saved-views.ts';
import { useReportedAction } from '../../state/reported-action.ts';
import { useShownColumns } from './columns-action.tsx';
import { text } from './text.ts';

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
