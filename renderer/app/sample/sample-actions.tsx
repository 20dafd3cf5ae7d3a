import { Download as DownloadIcon, RotateCcw, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { isRunningDownload } from '../../../shared/domain/sample.ts';
import { success } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { HandOver } from '../case/hand-over.tsx';
import { CopySamplesMenu, type OwnCopy } from '../copy-samples/copy-samples-menu.tsx';
import { useDownloadOf } from '../downloads.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { text } from './text.ts';
import { toldOf } from './told-sample.ts';
import { useSampleHits } from './use-sample-hits.ts';
import type { SampleScan } from './use-sample-scan.ts';
import type { SampleAtHand } from './use-sample.ts';

export interface SampleActionsProps {
  atHand: SampleAtHand;
  scan: SampleScan;
  /** Asks its service anew. Left out where that is offered beside its record. */
  onAgain?: () => void;
}

/** What can be done with the sample, each with its letter. */
export function SampleActions({ atHand, scan, onAgain }: SampleActionsProps) {
  const { sample, workspaceId } = atHand;
  const held = sample.vault === 'held' ? sample.sha256 : null;
  return (
    <>
      {onAgain && (
        <Button look="quiet" letter="R" onPress={onAgain}>
          <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.again}
        </Button>
      )}
      <CopyMenu atHand={atHand} />
      {held !== null && <ScanButton workspaceId={workspaceId} sha256={held} scan={scan} />}
      <ExportSample sample={sample} />
      {held === null && sample.md5 !== null && (
        <DownloadButton workspaceId={workspaceId} md5={sample.md5} isAgain={sample.vault !== 'none'} />
      )}
    </>
  );
}

function DownloadButton({ workspaceId, md5, isAgain }: { workspaceId: string; md5: string; isAgain: boolean }) {
  const { download, start, isStarting } = useDownloadOf(workspaceId, md5);
  return (
    <Button
      look="primary"
      letter="D"
      isDisabled={isStarting || (download !== null && isRunningDownload(download))}
      onPress={start}
    >
      <DownloadIcon size={14} strokeWidth={1.6} aria-hidden="true" />
      {isAgain ? text.fetchAgain : text.download}
    </Button>
  );
}

function ExportSample({ sample: { sha256, md5, sha1, name, vault } }: Pick<SampleAtHand, 'sample'>) {
  const [isOpen, setOpen] = useState(false);
  const hash = sha256 ?? md5 ?? sha1;
  const held = vault === 'held' ? sha256 : null;
  // A dialog that went with damaged bytes does not come back with good ones.
  if (held === null && isOpen) setOpen(false);
  return (
    <>
      <HandOver
        selections={hash === null ? [] : [{ kind: 'named', hashes: [hash] }]}
        count={hash === null ? 0 : 1}
        name={name}
        onZip={held === null ? null : () => setOpen(true)}
      />
      {held !== null && isOpen && <ExportDialog sha256={held} onClose={() => setOpen(false)} />}
    </>
  );
}

function ScanButton({ workspaceId, sha256, scan }: { workspaceId: string; sha256: string; scan: SampleScan }) {
  return (
    <Button letter="S" isDisabled={scan.isStarting} onPress={() => scan.start(workspaceId, sha256)}>
      <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.scan}
    </Button>
  );
}

function CopyMenu({ atHand }: { atHand: SampleAtHand }) {
  const { hits } = useSampleHits(atHand);
  const { sha256, sha1, md5, name } = atHand.sample;
  const hashes = [sha256, sha1, md5].filter((hash) => hash !== null);
  const last: OwnCopy[] = [
    ...(hashes.length > 1 ? [ownCopy('all', hashes.join('\n'))] : []),
    ...(name === null || name === '' ? [] : [ownCopy('name', name)]),
  ];
  return <CopySamplesMenu samples={[toldOf(atHand.sample, hits ?? [])]} last={last} triggerLetter="C" />;
}

const ownCopy = (id: keyof typeof text.copyWhat, words: string): OwnCopy => ({
  id,
  text: text.copyWhat[id],
  copied: async () => success({ words, news: text.copied(text.copyWhat[id]) }),
});
