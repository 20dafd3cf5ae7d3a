import { Save } from 'lucide-react';
import { useState } from 'react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { HostDescription } from '../../../shared/domain/host.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import type { Result } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { describeFailure } from '../../components/failure-format.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { type AppDialog, useDialogWhenReady } from '../../state/app-dialogs.tsx';
import { folderOf, readyDialog, type ReadyWords } from './ready-download.tsx';
import { text } from './strings.ts';

type ListFormat = keyof typeof text.listFormats;

interface SaveAs<F> {
  format: F;
  to: 'folder' | 'browser';
}

interface SavedWords extends ReadyWords {
  menu: string;
}

/** A choice of an export menu, and what it does. */
export interface ExportChoice extends MenuChoice {
  onChoose(): void;
}

export interface SaveListMenuProps<F extends ListFormat> extends Pick<ButtonProps, 'look' | 'letter'> {
  /** `verb`: on the button. `menu`: of what is saved. `keywords`: find the button in the palette. */
  words: SavedWords & { verb: string; keywords?: string };
  formats: readonly F[];
  save(how: SaveAs<F>): Promise<Result<ExportResult>>;
  /** There is nothing in the list. */
  isEmpty?: boolean;
  /** Other forms than a list, above it. */
  more?: readonly ExportChoice[];
}

/** A list as a file: to the host's folder or as a download of the browser, as the host can. */
export function SaveListMenu<F extends ListFormat>({
  words,
  formats,
  save,
  isEmpty = false,
  more = [],
  look = 'default',
  letter,
}: SaveListMenuProps<F>) {
  const { data: host } = useOperation('host.describe', {});
  const { isSaving, send } = useSaving(words, save);
  const choices = choicesOf(formats, host);
  const choose = (id: string): void => {
    const chosen = choices.find((choice) => choice.id === id);
    if (chosen) send({ format: chosen.format, to: chosen.to });
    else more.find((choice) => choice.id === id)?.onChoose();
  };
  return (
    <Menu
      label={words.menu}
      choices={[...more, ...choices]}
      onChoose={choose}
      trigger={
        <Button
          look={look}
          letter={letter}
          data-keywords={words.keywords}
          isDisabled={isEmpty || isSaving || choices.length + more.length === 0}
          why={isSaving ? text.otherSaving : text.nothingListed}
        >
          <Save size={14} strokeWidth={1.6} aria-hidden="true" />
          {words.verb}
        </Button>
      }
    />
  );
}

/** Saves, and reports the result in the view that is open by then. */
function useSaving<F extends ListFormat>(words: SavedWords, save: (how: SaveAs<F>) => Promise<Result<ExportResult>>) {
  const toast = useToast();
  const beginAsking = useDialogWhenReady();
  const [isSaving, setSaving] = useState(false);
  const send = async (how: SaveAs<F>): Promise<void> => {
    const ask = beginAsking();
    setSaving(true);
    const saved = await save(how);
    setSaving(false);
    if (!saved.ok) ask(notSaved(words, saved.failure, () => void send(how)));
    else if (saved.value.kind === 'browser') ask(readyDialog({ ready: saved.value, words }));
    else toast({ meaning: 'ok', text: text.savedTo(saved.value.fileName, folderOf(saved.value)) });
  };
  return { isSaving, send: (how: SaveAs<F>) => void send(how) };
}

const notSaved = ({ menu }: SavedWords, failure: Failure, again: () => void): AppDialog => ({
  draw: (close) => <NotSaved title={menu} failure={failure} onAgain={again} onClose={close} />,
  words: describeFailure(failure).what,
  verb: text.showWhy,
});

function NotSaved({
  title,
  failure,
  onAgain,
  onClose,
}: {
  title: string;
  failure: Failure;
  onAgain(): void;
  onClose(): void;
}) {
  const again = (): void => {
    onClose();
    onAgain();
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <Button onPress={onClose} takesFocus>
          {text.close}
        </Button>
      }
    >
      <FailureNotice failure={failure} onAgain={again} />
    </Dialog>
  );
}

function choicesOf<F extends ListFormat>(
  formats: readonly F[],
  host: HostDescription | undefined,
): (MenuChoice & SaveAs<F>)[] {
  const places: SaveAs<F>['to'][] = [
    ...(host && host.exportFolder !== null ? ['folder' as const] : []),
    ...(host?.capabilities.browserDownload === true ? ['browser' as const] : []),
  ];
  return formats.flatMap((format) =>
    places.map((to) => ({ id: `${format}-${to}`, text: text.listAs(format, to), format, to })),
  );
}
