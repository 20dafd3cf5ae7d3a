import type { ScanFilter } from '../../../../shared/domain/scan.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { caseAppDialog } from '../../../features/case/case-dialog.tsx';
import { titleOfJob } from '../../../features/export/export-menu.tsx';
import { SaveListMenu } from '../../../features/export/save-list-menu.tsx';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { useDialogWhenReady } from '../../../state/app-dialogs.tsx';
import { listedSamples } from './listed-samples.ts';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;

/** What is listed as a file, or its files as a case. */
export function ExportResults({ jobId, filter }: { jobId: number; filter: ScanFilter }) {
  const bridge = useBridge();
  const askForCase = useCaseOfListed(jobId, filter);
  return (
    <SaveListMenu
      words={text.export}
      letter="E"
      formats={formats}
      save={(how) => bridge.call('scans.export', { jobId, filter, ...how })}
      more={[{ id: 'case', text: text.exportCase, onChoose: askForCase }]}
    />
  );
}

/** The files of a case are those that are listed: which they are is read first. */
function useCaseOfListed(jobId: number, filter: ScanFilter): () => void {
  const bridge = useBridge();
  const toast = useToast();
  const beginAsking = useDialogWhenReady();
  const begin = async (): Promise<void> => {
    const ask = beginAsking();
    const listed = await listedSamples(bridge, jobId, filter);
    if (!listed.ok)
      return toast({ meaning: 'bad', text: text.noCase(failureWords(listed.failure).what), failure: listed.failure });
    if (listed.value.length === 0) return toast({ meaning: 'info', text: text.nothingListed });
    if (listed.value.length > mostSamples) return toast({ meaning: 'info', text: text.caseTooMany(mostSamples) });
    return ask(
      caseAppDialog({
        selection: { kind: 'named', hashes: listed.value },
        count: listed.value.length,
        title: titleOfJob(jobId),
      }),
    );
  };
  return () => void begin();
}
