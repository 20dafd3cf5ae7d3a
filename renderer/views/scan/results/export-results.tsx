import { Save } from 'lucide-react';
import { useState } from 'react';
import type { ExportResult } from '../../../../shared/domain/export.ts';
import type { ScanFilter } from '../../../../shared/domain/scan.ts';
import { type AskedCase, CaseDialog } from '../../../app/case/case-dialog.tsx';
import { titleOfJob } from '../../../app/case/case-title.ts';
import { ReadyDownload } from '../../../app/export/ready-download.tsx';
import { mostSamples } from '../../../app/scans/next-scans.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { Menu } from '../../../components/menu.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { useToast } from '../../../components/toasts.tsx';
import { listedSamples } from './listed-samples.ts';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;
const asCase = 'case';
const longestFolder = 48;
const readyWords = { title: text.exportReady, sentence: text.exportReadySentence, save: text.saveExport };

/** What is listed as a file: to the host's folder or as a download of the browser, as the host can. */
export function ExportResults({ jobId, filter }: { jobId: number; filter: ScanFilter }) {
  const { data: host } = useOperation('host.describe', {});
  const { mutate, isPending, data, error, reset, variables } = useAction('scans.export');
  const toast = useToast();
  const places = [...(host && host.exportFolder !== null ? ['folder' as const] : []), ...(host?.capabilities.browserDownload === true ? ['browser' as const] : [])];
  const choices = formats.flatMap((format) => places.map((to) => ({ id: `${format}-${to}`, text: text.exportWhere[format][to], format, to })));
  const told = (result: ExportResult): void => {
    if (result.kind === 'folder') toast({ meaning: 'ok', text: text.exported(result.fileName, cutMiddle(result.path.slice(0, -result.fileName.length - 1), longestFolder)) });
  };
  const send = (input: NonNullable<typeof variables>): void => mutate(input, { onSuccess: told });
  const { asked, ask, close } = useCaseOfListed(jobId, filter);
  return (
    <>
      <Menu
        label={text.exportMenu}
        choices={[...choices, { id: asCase, text: text.exportCase }]}
        onChoose={(id) => {
          const chosen = choices.find((choice) => choice.id === id);
          if (id === asCase) ask();
          if (chosen) send({ jobId, filter, format: chosen.format, to: chosen.to });
        }}
        trigger={<Button letter="E" isDisabled={isPending}><Save size={14} strokeWidth={1.6} aria-hidden="true" />{text.export}</Button>}
      />
      {data?.kind === 'browser' && <ReadyDownload ready={data} words={readyWords} onSave={reset} onClose={reset} />}
      {asked !== null && <CaseDialog {...asked} onClose={close} />}
      {error && (
        <Dialog title={text.exportMenu} isOpen onClose={reset} actions={<Button onPress={reset} takesFocus>{text.close}</Button>}>
          <FailureNotice failure={error} retry={variables && { name: 'scans.export', input: variables }} onRetry={() => variables && send(variables)} />
        </Dialog>
      )}
    </>
  );
}

/** The files of a case are those that are listed: which they are is read first. */
function useCaseOfListed(jobId: number, filter: ScanFilter) {
  const bridge = useBridge();
  const toast = useToast();
  const [asked, setAsked] = useState<AskedCase | null>(null);
  const ask = async (): Promise<void> => {
    const listed = await listedSamples(bridge, jobId, filter);
    if (!listed.ok) return toast({ meaning: 'bad', text: text.noCase(failureWords(listed.failure).what), failure: listed.failure });
    if (listed.value.length === 0) return toast({ meaning: 'info', text: text.nothingListed });
    if (listed.value.length > mostSamples) return toast({ meaning: 'info', text: text.caseTooMany(mostSamples) });
    return setAsked({ selection: { kind: 'named', hashes: listed.value }, count: listed.value.length, title: titleOfJob(jobId) });
  };
  return { asked, ask: () => void ask(), close: () => setAsked(null) };
}
