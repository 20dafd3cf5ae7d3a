import { Download as DownloadIcon, FileArchive, RotateCcw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { success } from '../../../shared/failure.ts';
import { CopySamplesMenu, type OwnCopy } from '../../app/copy-samples/copy-samples-menu.tsx';
import { useDownloadOf, isRunning } from '../../app/downloads.tsx';
import { type LookupState, useLookupDesk } from '../../app/lookup-desk.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { type KnownSample, knownSample } from './sample-hashes.ts';
import { text } from './text.ts';
import { toldOf } from './told-sample.ts';
import type { SampleScan } from './use-sample-scan.ts';

export type FoundState = Extract<LookupState, { kind: 'found' }>;

export function SampleActions({ found, scan }: { found: FoundState; scan: SampleScan }) {
  const { download, start, isStarting } = useDownloadOf(found.workspaceId, found.result.asked);
  const { again } = useLookupDesk();
  const [exports, setExports] = useState(false);
  const known = knownSample(found.result, download);
  const runs = download !== null && isRunning(download);
  return (
    <>
      <Button look="quiet" letter="R" onPress={again}><RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />{text.again}</Button>
      <CopyMenu found={found} known={known} />
      {known.inVault && known.sha256 !== null && <ScanButton found={found} sha256={known.sha256} scan={scan} />}
      {known.inVault && known.sha256 !== null
        ? <Button letter="E" onPress={() => setExports(true)}><FileArchive size={14} strokeWidth={1.6} aria-hidden="true" />{text.exportZip}</Button>
        : <Button look="primary" letter="D" isDisabled={runs || isStarting} onPress={start}><DownloadIcon size={14} strokeWidth={1.6} aria-hidden="true" />{text.download}</Button>}
      {known.sha256 !== null && exports && <ExportDialog sha256={known.sha256} onClose={() => setExports(false)} />}
    </>
  );
}

function ScanButton({ found, sha256, scan }: { found: FoundState; sha256: string; scan: SampleScan }) {
  return (
    <Button letter="S" isDisabled={scan.isStarting} onPress={() => scan.start(found.workspaceId, sha256)}>
      <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.scan}
    </Button>
  );
}

function CopyMenu({ found, known }: { found: FoundState; known: KnownSample }) {
  const { data } = useOperation('samples.hits', { workspaceId: found.workspaceId, sha256: known.sha256 ?? '' }, { enabled: known.sha256 !== null });
  const { name } = found.result.record;
  const hashes = [known.sha256, known.sha1, known.md5].filter((hash) => hash !== null);
  const last: OwnCopy[] = [
    ...(hashes.length > 1 ? [ownCopy('all', hashes.join('\n'))] : []),
    ...(name === null || name === '' ? [] : [ownCopy('name', name)]),
  ];
  return <CopySamplesMenu samples={[toldOf(found.result, known, data?.hits ?? [])]} last={last} triggerLetter="C" />;
}

const ownCopy = (id: keyof typeof text.copyWhat, words: string): OwnCopy => ({
  id, text: text.copyWhat[id], copied: async () => success({ words, news: text.copied(text.copyWhat[id]) }),
});
