import { Save } from 'lucide-react';
import type { ExportResult } from '../../../shared/domain/export.ts';
import type { ItemFilter, Job } from '../../../shared/domain/job.ts';
import { useAction } from '../../bridge/use-action.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Menu } from '../../components/menu.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { useToast } from '../../components/toasts.tsx';
import { ReadyDownload } from '../export/ready-download.tsx';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;
const longestFolder = 48;
const readyWords = { title: text.listReady, sentence: text.listReadySentence, save: text.saveFile };

/** The list of items as a file: to the host's folder or as a download of the browser, as the host can. */
export function SaveList({ job, filter }: { job: Job; filter: ItemFilter }) {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, data, error, reset, variables } = useAction('jobs.exportItems');
  const toast = useToast();
  const places = [...(host && host.exportFolder !== null ? ['folder' as const] : []), ...(host?.capabilities.browserDownload === true ? ['browser' as const] : [])];
  const choices = formats.flatMap((format) => places.map((to) => ({ id: `${format}-${to}`, text: text.saveWhere[format][to], format, to })));
  const told = (result: ExportResult): void => {
    if (result.kind === 'folder') toast({ meaning: 'ok', text: text.saved(result.fileName, cutMiddle(result.path.slice(0, -result.fileName.length - 1), longestFolder)) });
  };
  const send = (input: NonNullable<typeof variables>): void => mutate(input, { onSuccess: told });
  return (
    <>
      <Menu
        label={text.saveMenu}
        choices={choices}
        onChoose={(id) => {
          const chosen = choices.find((choice) => choice.id === id);
          if (chosen) send({ id: job.id, filter, format: chosen.format, to: chosen.to });
        }}
        trigger={<Button look="quiet" isDisabled={isPending || choices.length === 0}><Save size={14} strokeWidth={1.6} aria-hidden="true" />{text.saveList}</Button>}
      />
      {data?.kind === 'browser' && <ReadyDownload ready={data} words={readyWords} onSave={reset} onClose={reset} />}
      {error && (
        <Dialog title={text.saveList} isOpen onClose={reset} actions={<Button onPress={reset} takesFocus>{text.close}</Button>}>
          <FailureNotice failure={error} retry={variables && { name: 'jobs.exportItems', input: variables }} onRetry={() => variables && send(variables)} />
        </Dialog>
      )}
    </>
  );
}
