import { Save } from 'lucide-react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { HostDescription } from '../../../shared/domain/host.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu, type MenuChoice } from '../../components/menu.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useToast } from '../../components/toasts.tsx';
import { ReadyDownload } from './ready-download.tsx';
import { text } from './text.ts';
import type { WayOut } from './way-out.ts';

const longestFolder = 48;

type ListFormat = keyof typeof text.listFormats;

interface SaveAs<F> {
  format: F;
  to: 'folder' | 'browser';
}

export interface SaveListMenuProps<F extends ListFormat, I> extends Pick<ButtonProps, 'look' | 'letter'> {
  /** `verb`: on the button. `menu`: of what is saved. */
  words: { verb: string; menu: string; ready: string; readySentence: string; save: string };
  formats: readonly F[];
  saving: WayOut<I, ExportResult> & { variables: I | undefined };
  inputOf(how: SaveAs<F>): I;
  /** There is nothing in the list. */
  isEmpty?: boolean;
  /** One more way out, below the others. */
  more?: MenuChoice & { onChoose(): void };
}

/** A list as a file: to the host's folder or as a download of the browser, as the host can. */
export function SaveListMenu<F extends ListFormat, I>({ words, formats, saving, inputOf, isEmpty = false, more, look = 'default', letter }: SaveListMenuProps<F, I>) {
  const { data: host } = useOperation('host.describe', {});
  const toast = useToast();
  const { data, error, isPending, reset, variables } = saving;
  const choices = choicesOf(formats, host);
  const told = (result: ExportResult): void => {
    if (result.kind === 'folder') toast({ meaning: 'ok', text: text.savedTo(result.fileName, cutMiddle(result.path.slice(0, -result.fileName.length - 1), longestFolder)) });
  };
  const send = (input: I): void => saving.mutate(input, { onSuccess: told });
  const choose = (id: string): void => {
    const chosen = choices.find((choice) => choice.id === id);
    if (chosen) send(inputOf({ format: chosen.format, to: chosen.to }));
    else if (id === more?.id) more.onChoose();
  };
  return (
    <>
      <Menu
        label={words.menu}
        choices={[...choices, ...(more ? [more] : [])]}
        onChoose={choose}
        trigger={
          <Button look={look} letter={letter} isDisabled={isEmpty || isPending || (choices.length === 0 && !more)}>
            <Save size={14} strokeWidth={1.6} aria-hidden="true" />{words.verb}
          </Button>
        }
      />
      {data?.kind === 'browser' && <ReadyDownload ready={data} words={{ title: words.ready, sentence: words.readySentence, save: words.save }} onClose={reset} />}
      {error && (
        <Dialog title={words.menu} isOpen onClose={reset} actions={<Button onPress={reset} takesFocus>{text.close}</Button>}>
          <FailureNotice failure={error} onAgain={variables === undefined ? undefined : () => send(variables)} />
        </Dialog>
      )}
    </>
  );
}

function choicesOf<F extends ListFormat>(formats: readonly F[], host: HostDescription | undefined): (MenuChoice & SaveAs<F>)[] {
  const places: SaveAs<F>['to'][] = [...(host && host.exportFolder !== null ? ['folder' as const] : []), ...(host?.capabilities.browserDownload === true ? ['browser' as const] : [])];
  return formats.flatMap((format) => places.map((to) => ({ id: `${format}-${to}`, text: text.listAs(format, to), format, to })));
}
