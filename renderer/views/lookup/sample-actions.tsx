import { Copy, Download as DownloadIcon, FileArchive, RotateCcw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { useDownloadOf, isRunning } from '../../app/downloads.tsx';
import { type LookupState, useLookupDesk } from '../../app/lookup-desk.tsx';
import { Button } from '../../components/button.tsx';
import { Menu } from '../../components/menu.tsx';
import { useToast } from '../../components/toasts.tsx';
import { copyText } from '../../components/use-copy.ts';
import { ExportDialog } from './export-dialog.tsx';
import { type KnownSample, knownSample } from './sample-hashes.ts';
import { text } from './text.ts';
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
      <CopyMenu known={known} name={found.result.record.name} />
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

const copyOrder = ['sha256', 'sha1', 'md5', 'all', 'name'] as const;
type Copied = (typeof copyOrder)[number];

function CopyMenu({ known, name }: { known: KnownSample; name: string | null }) {
  const toast = useToast();
  const hashes = [known.sha256, known.sha1, known.md5].filter((hash) => hash !== null);
  const values: Record<Copied, string | null> = { sha256: known.sha256, sha1: known.sha1, md5: known.md5, all: hashes.join('\n'), name };
  const offered = copyOrder.filter((what) => values[what] !== null && values[what] !== '');
  const copy = async (what: Copied): Promise<void> => {
    const copied = await copyText(values[what] ?? '');
    toast(copied ? { meaning: 'ok', text: text.copied(text.copyWhat[what]) } : { meaning: 'bad', text: text.notCopied });
  };
  return (
    <Menu
      label={text.copyMenu}
      choices={offered.map((what) => ({ id: what, text: text.copyWhat[what] }))}
      onChoose={(id) => {
        const what = offered.find((each) => each === id);
        if (what) void copy(what);
      }}
      trigger={<Button letter="C"><Copy size={14} strokeWidth={1.6} aria-hidden="true" />{text.copy}</Button>}
    />
  );
}
