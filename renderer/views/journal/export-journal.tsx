import { Save } from 'lucide-react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { JournalFilter } from '../../../shared/domain/journal.ts';
import { ReadyDownload } from '../../app/export/ready-download.tsx';
import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu } from '../../components/menu.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useToast } from '../../components/toasts.tsx';
import { text } from './text.ts';

const formats = ['csv', 'jsonl'] as const;
const longestFolder = 48;
const readyWords = { title: text.exportReady, sentence: text.exportReadySentence, save: text.saveExport };

/** The rows that are listed as a file: to the host's folder or as a download of the browser, as the host can. */
export function ExportJournal({ filter, isEmpty }: { filter: JournalFilter; isEmpty: boolean }) {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, data, error, reset, variables } = useAction('journal.export');
  const toast = useToast();
  const places = [...(host && host.exportFolder !== null ? ['folder' as const] : []), ...(host?.capabilities.browserDownload === true ? ['browser' as const] : [])];
  const choices = formats.flatMap((format) => places.map((to) => ({ id: `${format}-${to}`, text: text.exportWhere[format][to], format, to })));
  const told = (result: ExportResult): void => {
    if (result.kind === 'folder') toast({ meaning: 'ok', text: text.exported(result.fileName, cutMiddle(result.path.slice(0, -result.fileName.length - 1), longestFolder)) });
  };
  const send = (input: NonNullable<typeof variables>): void => mutate(input, { onSuccess: told });
  return (
    <>
      <Menu
        label={text.exportMenu}
        choices={choices}
        onChoose={(id) => {
          const chosen = choices.find((choice) => choice.id === id);
          if (chosen) send({ filter, format: chosen.format, to: chosen.to });
        }}
        trigger={<Button letter="E" isDisabled={isEmpty || isPending || choices.length === 0}><Save size={14} strokeWidth={1.6} aria-hidden="true" />{text.export}</Button>}
      />
      {data?.kind === 'browser' && <ReadyDownload ready={data} words={readyWords} onSave={reset} onClose={reset} />}
      {error && (
        <Dialog title={text.exportMenu} isOpen onClose={reset} actions={<Button onPress={reset} takesFocus>{text.closeDialog}</Button>}>
          <FailureNotice failure={error} retry={variables && { name: 'journal.export', input: variables }} onRetry={() => variables && send(variables)} />
        </Dialog>
      )}
    </>
  );
}
