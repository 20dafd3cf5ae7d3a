import { useState } from 'react';
import type { ScanFilter } from '../../../../shared/domain/scan.ts';
import { type AskedCase, CaseDialog } from '../../../app/case/case-dialog.tsx';
import { titleOfJob } from '../../../app/case/case-title.ts';
import { SaveListMenu } from '../../../app/export/save-list-menu.tsx';
import { mostSamples } from '../../../app/scans/next-scans.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { listedSamples } from './listed-samples.ts';
import { text } from './text.ts';

const formats = ['csv', 'json'] as const;

/** What is listed as a file, or its files as a case. */
export function ExportResults({ jobId, filter }: { jobId: number; filter: ScanFilter }) {
  const saving = useAction('scans.export');
  const { asked, ask, close } = useCaseOfListed(jobId, filter);
  return (
    <>
      <SaveListMenu
        words={text.export}
        letter="E"
        formats={formats}
        saving={saving}
        inputOf={(how) => ({ jobId, filter, ...how })}
        more={{ id: 'case', text: text.exportCase, onChoose: ask }}
      />
      {asked !== null && <CaseDialog {...asked} onClose={close} />}
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
