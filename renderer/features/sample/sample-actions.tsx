import { Download as DownloadIcon, RotateCcw, ScanSearch } from 'lucide-react';
import { useId, useState } from 'react';
import { type ReportedSample, reportedSample } from '../../../shared/domain/sample-table.ts';
import { isRunningDownload } from '../../../shared/domain/sample.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { normalTag, tlpOf } from '../../../shared/domain/tag.ts';
import { success } from '../../../shared/failure.ts';
import { Button } from '../../components/button.tsx';
import { useLate } from '../../components/use-late.ts';
import { keys } from '../../keyboard/keys.ts';
import { useDownloadOf } from '../../state/downloads.tsx';
import { useReportedAction } from '../../state/reported-action.ts';
import { useWorkspaceNames } from '../../state/workspaces.tsx';
import aloud from '../../styles/aloud.module.css';
import { CopySamplesMenu, type OwnCopy } from '../copy-samples/copy-samples.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { ExportZipDialog, useReportedZip } from '../export/zip-dialog.tsx';
import type { SampleScan } from '../scans/start-scan.ts';
import styles from './sample.module.css';
import { type CurrentSample, type ShownSample, useSampleHits } from './shown-sample.ts';
import { text } from './strings.ts';

interface SampleActionsProps {
  currentSample: CurrentSample;
  scan: SampleScan;
  /** Refreshes from its service. Left out if that is offered beside its record. */
  onAgain?: () => void;
  /** Its repository has just said that it does not know the hash. */
  isUnknownAtRepository?: boolean;
}

/** What can be done with the sample, each with its letter. */
export function SampleActions({ currentSample, scan, onAgain, isUnknownAtRepository = false }: SampleActionsProps) {
  const { sample, workspaceId } = currentSample;
  const held = sample.vault === 'held' ? sample.sha256 : null;
  return (
    <>
      {onAgain && (
        <Button look="quiet" letter={keys.sample.refresh.keys} onPress={onAgain}>
          <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
          <span data-label>{text.again}</span>
        </Button>
      )}
      <CopyMenu currentSample={currentSample} />
      <ExportSample sample={sample} />
      {/* The step that moves the work on is always the last: the others stay in their places. */}
      {(held !== null || sample.md5 !== null) && (
        <span className={styles.mainAction}>
          {held === null ? (
            <DownloadButton
              workspaceId={workspaceId}
              md5={sample.md5 ?? ''}
              isAgain={sample.vault !== 'none'}
              isUnknown={isUnknownAtRepository}
            />
          ) : (
            <ScanButton workspaceId={workspaceId} md5={sample.md5 ?? ''} sha256={held} scan={scan} />
          )}
        </span>
      )}
    </>
  );
}

interface DownloadButtonProps {
  workspaceId: string;
  md5: string;
  isAgain: boolean;
  isUnknown: boolean;
}

function DownloadButton({ workspaceId, md5, isAgain, isUnknown }: DownloadButtonProps) {
  const { download, start, isStarting } = useDownloadOf(workspaceId, md5);
  const nameOf = useWorkspaceNames();
  const id = useId();
  const button = (
    <Button
      look={isUnknown ? 'default' : 'primary'}
      {...(isUnknown ? { 'aria-describedby': id } : {})}
      letter={keys.sample.download.keys}
      isDisabled={isStarting || (download !== null && isRunningDownload(download))}
      onPress={start}
    >
      <DownloadIcon size={14} strokeWidth={1.6} aria-hidden="true" />
      {isAgain ? text.fetchAgain : text.download}
    </Button>
  );
  if (!isUnknown) return button;
  const why = text.unknownAt(nameOf(workspaceId));
  return (
    <span title={why}>
      {button}
      <span id={id} className={aloud.only}>
        {why}
      </span>
    </span>
  );
}

function ExportSample({ sample: { sha256, md5, sha1, name, vault } }: Pick<CurrentSample, 'sample'>) {
  const [isOpen, setOpen] = useState(false);
  const hash = sha256 ?? md5 ?? sha1;
  const held = vault === 'held' ? sha256 : null;
  // A dialog that went with damaged bytes does not come back with good ones.
  if (held === null && isOpen) setOpen(false);
  return (
    <>
      <ExportMenu
        selections={hash === null ? [] : [{ kind: 'named', hashes: [hash] }]}
        count={hash === null ? 0 : 1}
        name={name}
        onZip={held === null ? null : () => setOpen(true)}
      />
      {held !== null && isOpen && <ExportSampleDialog sha256={held} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ScanButtonProps {
  workspaceId: string;
  md5: string;
  sha256: string;
  scan: SampleScan;
}

function ScanButton({ workspaceId, md5, sha256, scan }: ScanButtonProps) {
  const { download } = useDownloadOf(workspaceId, md5);
  const isSettled = useLate(true);
  return (
    <Button
      look="primary"
      letter={keys.sample.scan.keys}
      // The second click of a double one on "Download" starts no scan.
      isDisabled={scan.isStarting || (download !== null && !isSettled)}
      onPress={() => scan.start(workspaceId, sha256)}
    >
      <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
      {text.scan}
    </Button>
  );
}

function CopyMenu({ currentSample }: { currentSample: CurrentSample }) {
  const { hits } = useSampleHits(currentSample);
  const { sha256, sha1, md5, name } = currentSample.sample;
  const hashes = [sha256, sha1, md5].filter((hash) => hash !== null);
  const last: OwnCopy[] = [
    ...(hashes.length > 1 ? [ownCopy('all', hashes.join('\n'))] : []),
    ...(name === null || name === '' ? [] : [ownCopy('name', name)]),
  ];
  return (
    <CopySamplesMenu
      samples={[sampleForClipboard(currentSample.sample, hits ?? [])]}
      last={last}
      triggerLetter={keys.sample.copy.keys}
    />
  );
}

const ownCopy = (id: keyof typeof text.copyWhat, words: string): OwnCopy => ({
  id,
  text: text.copyWhat[id],
  copied: async () => success({ words, news: text.copied(text.copyWhat[id]) }),
});

/** Exports are named by SHA-256; its first twelve characters represent it, as in tables. */
const shortName = (fileName: string): string => fileName.replace(/^([0-9a-f]{12})[0-9a-f]{52}\.zip$/, '$1');

/** A sample leaves this computer. */
export function ExportSampleDialog({ sha256, onClose }: { sha256: string; onClose(): void }) {
  const failureText = (why: string): string => text.notExported(sha256.slice(0, 12), why);
  const exporting = useReportedAction(
    'samples.exportZip',
    useReportedZip({ shownName: shortName, exportedText: text.exportedTo, failureText }, onClose),
  );
  const { variables } = exporting;
  return (
    <ExportZipDialog
      title={text.exportTitle}
      sentence={text.exportSentence}
      exporting={exporting}
      retry={variables && { name: 'samples.exportZip', input: variables }}
      onExport={(how) => exporting.mutate({ sha256, ...how })}
      shownName={shortName}
      onClose={onClose}
    />
  );
}

/** What services and this computer say of the sample, as it is copied. */
function sampleForClipboard(sample: ShownSample, hits: readonly SampleHit[]): ReportedSample {
  const { sha256, sha1, md5, sizeBytes, name, type, tlp, threat, tags, serviceTags, firstSeen, lastSeen, vault } =
    sample;
  return reportedSample({
    sha256,
    sha1,
    md5,
    sizeBytes,
    name,
    type,
    tlp,
    threat,
    firstSeen,
    lastSeen,
    inVault: vault === 'held',
    tags: [...tags],
    serviceTags: serviceTags.filter((tag) => tlpOf([tag]) === null && !tags.includes(normalTag(tag))),
    hits: [...new Set(hits.map(({ rule }) => rule))],
  });
}
