import { RotateCw, VolumeX } from 'lucide-react';
import { useState } from 'react';
import { csvLine } from '../../../../shared/domain/csv.ts';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { type ReportedSample, reportedSample } from '../../../../shared/domain/sample-table.ts';
import type { ScanFilter, ScannedFile } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { caseAppDialog } from '../../../features/case/case-dialog.tsx';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { nameInSentence } from '../../../components/format.ts';
import { shortOffset } from '../../../components/hex/hex-mark.ts';
import { Menu } from '../../../components/menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { CopySamplesMenu, type OwnCopy } from '../../../features/copy-samples/copy-samples.tsx';
import { titleOfJob } from '../../../features/export/export-menu.tsx';
import { SaveListMenu } from '../../../features/export/save-list-menu.tsx';
import { JobActions, type JobActs } from '../../../features/jobs/job-actions.tsx';
import { MuteDialog } from '../../../features/mutes/mute-dialogs.tsx';
import { filterOf, useScanPlace } from '../../../features/scans/scan-places.tsx';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { useStartScan } from '../../../features/scans/start-scan.ts';
import { useDialogWhenReady } from '../../../state/app-dialogs.tsx';
import layout from '../../../styles/layout.module.css';
import { type ShownFile, useShownFile, useShownPosition } from './shown-file.ts';
import type { ShownHit, ShownMatch } from './shown-hits.ts';
import { text } from './strings.ts';
import { TagSamples } from './tag-samples.tsx';

/** What can be done with what is shown: at the right of the head of the view. */
export function ScanHeadActions({ job, acts }: { job: Job; acts: JobActs }) {
  const [place] = useScanPlace(job.id);
  const position = useShownPosition(job);
  const { shown } = useShownFile(job.id, place.by === 'file' ? position : null);
  const listed = filterOf(place, place.find);
  const rule =
    place.by === 'rule' ? (place.group?.by === 'rule' ? place.group.rule : null) : (shown?.hit?.rule ?? null);
  const mute = shown?.hit?.mute ?? null;
  const meant =
    place.by === 'file' && shown !== null
      ? nameInSentence(shown.file.name ?? shown.file.sha256)
      : visibleText(rule ?? '');
  return (
    <div className={layout.contents} data-row-actions={meant}>
      {!isFinalJob(job) && <JobActions job={job} acts={acts} />}
      <CopyResults source={sourceOf(shown, rule)} />
      <TagSamples jobId={job.id} filter={listed} one={shown?.file ?? null} isSingle={job.items === 1} />
      <MuteRule job={job} rule={mute === null ? rule : null} sample={shown?.file.sha256 ?? null} />
      <ExportResults jobId={job.id} filter={listed} />
      {isFinalJob(job) && <ScanAgain job={job} filter={listed} file={shown?.file ?? null} />}
    </div>
  );
}

const sourceOf = (shown: ShownFile | null, rule: string | null): CopySource =>
  shown === null ? { file: null, rule, hit: null, matches: [], match: -1 } : { ...shown, rule };

/** `rule`: null where none can be muted. */
function MuteRule({ job: { workspaceId }, rule, sample }: { job: Job; rule: string | null; sample: string | null }) {
  const [muting, setMuting] = useState<string | null>(null);
  return (
    <>
      <Button
        letter="M"
        isDisabled={rule === null || workspaceId === null}
        why={rule === null ? text.noRuleShown : text.workspaceGone}
        onPress={() => setMuting(rule)}
      >
        <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.muteRule}
      </Button>
      {muting !== null && workspaceId !== null && (
        <MuteDialog workspaceId={workspaceId} rule={muting} sample={sample} onClose={() => setMuting(null)} />
      )}
    </>
  );
}

/** Copies something of what is shown: the rule and its matches, or the sample. */
function CopyResults({ source }: { source: CopySource }) {
  const first = copiedForms.flatMap((form): OwnCopy[] => {
    const words = copiedText(form, source);
    const what = text.copyWhat[form];
    return words === null
      ? []
      : [{ id: form, text: what, copied: async () => success({ words, news: text.copiedNews(what) }) }];
  });
  return (
    <CopySamplesMenu
      samples={source.file === null ? [] : [reportedFile(source.file)]}
      first={first}
      triggerLetter="C"
    />
  );
}

const reportedFile = ({ sha256, md5, name, sizeBytes, tlp, tags, inVault, results }: ScannedFile): ReportedSample =>
  reportedSample({
    sha256,
    md5,
    name,
    sizeBytes,
    tlp,
    tags,
    inVault,
    hits: [...new Set(results.flatMap(({ hits }) => hits.map(({ rule }) => rule)))],
  });

const copiedForms = ['rule', 'offset', 'text', 'csv', 'json'] as const;
type CopiedForm = (typeof copiedForms)[number];

/** What is shown now, and can be copied. */
interface CopySource {
  file: ScannedFile | null;
  rule: string | null;
  hit: ShownHit | null;
  matches: readonly ShownMatch[];
  match: number;
}

/** As text for the clipboard; null: there is none of it. CSV as RFC 4180 has it. */
function copiedText(form: CopiedForm, { file, rule, hit, matches, match }: CopySource): string | null {
  const current = matches[match];
  if (form === 'rule') return rule;
  if (form === 'offset') return current === undefined ? null : shortOffset(current.offset);
  if (file === null || hit === null || matches.length === 0) return null;
  const rows = matches.map(({ label, offset, saidLength, data }) => ({
    string: label,
    offset,
    length: saidLength,
    data,
  }));
  if (form === 'text')
    return rows
      .map(
        ({ string, offset, length, data }) =>
          `${[hit.rule, string, shortOffset(offset), length ?? '', data ?? ''].join('\t')}\n`,
      )
      .join('');
  if (form === 'csv') {
    const head = csvLine(['sha256', 'file', 'rule', 'string', 'offset', 'length', 'data']);
    return (
      head +
      rows
        .map(({ string, offset, length, data }) =>
          csvLine([file.sha256, file.name, hit.rule, string, offset, length, data]),
        )
        .join('')
    );
  }
  return `${JSON.stringify({ sha256: file.sha256, file: file.name, rule: hit.rule, matches: rows }, null, 2)}\n`;
}

const formats = ['csv', 'json'] as const;

/** What is listed as a file, or its files as a case. */
function ExportResults({ jobId, filter }: { jobId: number; filter: ScanFilter }) {
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
      return toast({
        meaning: 'bad',
        text: text.noCase(describeFailure(listed.failure).what),
        failure: listed.failure,
      });
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

const atOnce = 1000;

/** The samples that are listed, some more than one scan takes at most. */
async function listedSamples(bridge: Bridge<File>, jobId: number, filter: ScanFilter): Promise<Result<string[]>> {
  const found: string[] = [];
  for (let offset = 0; found.length <= mostSamples; offset += atOnce) {
    const answer = await bridge.call('scans.groups', { jobId, by: 'file', filter, offset, limit: atOnce });
    if (!answer.ok) return answer;
    found.push(...answer.value.groups.flatMap((group) => (group.by === 'file' ? [group.sha256] : [])));
    if (offset + atOnce >= answer.value.total || answer.value.groups.length === 0) break;
  }
  return success([...new Set(found)]);
}

const words = (
  <>
    <RotateCw size={14} strokeWidth={1.6} aria-hidden="true" />
    {text.again}
  </>
);

/** Begins another scan of the file that is shown, or of all that are listed, with the rules as they are now. */
function ScanAgain(props: ScanAgainProps) {
  const { job, file } = props;
  const { scanThis, scanListed, isBusy, obstacle, dismiss } = useScanAgain(props);
  const cannot = isBusy || job.workspaceId === null;
  const why = isBusy ? text.scanBegins : job.workspaceId === null ? text.workspaceGone : text.noFileShown;
  return (
    <>
      {job.items === 1 ? (
        <Button isDisabled={cannot || file === null} why={why} onPress={scanThis}>
          {words}
        </Button>
      ) : (
        <Menu
          label={text.againMenu}
          choices={[
            { id: 'this', text: text.againThis, isDisabled: file === null },
            { id: 'listed', text: text.againListed },
          ]}
          onChoose={(id) => (id === 'this' ? scanThis() : scanListed())}
          trigger={
            <Button isDisabled={cannot} why={why}>
              {words}
            </Button>
          }
        />
      )}
      {obstacle !== null && (
        <Dialog
          title={text.again}
          isOpen
          onClose={dismiss}
          actions={
            <Button onPress={dismiss} takesFocus>
              {text.close}
            </Button>
          }
        >
          <NotBegun obstacle={obstacle} />
        </Dialog>
      )}
    </>
  );
}

const whichOf = (failure: Failure): string | undefined =>
  failure.kind === 'not-in-vault' ? text.againWhich(failure.sha256) : undefined;

function NotBegun({ obstacle }: { obstacle: Obstacle }) {
  if (obstacle.kind === 'failed') return <FailureNotice failure={obstacle.failure} after={whichOf(obstacle.failure)} />;
  if (obstacle.kind === 'missing')
    return (
      <Notice meaning="warn" title={text.againMissingTitle}>
        {text.againMissingSentence}
      </Notice>
    );
  return (
    <Notice meaning="warn" title={text.tooMany(mostSamples)}>
      {text.tooManySentence}
    </Notice>
  );
}

/** Why another scan did not begin. `missing`: the one file that was meant is not in the vault. */
type Obstacle = { kind: 'failed'; failure: Failure } | { kind: 'missing' } | { kind: 'too-many' };

interface ScanAgainProps {
  job: Job;
  filter: ScanFilter;
  file: Pick<ScannedFile, 'sha256' | 'inVault'> | null;
}

interface AnotherScan {
  scanThis(): void;
  scanListed(): void;
  isBusy: boolean;
  obstacle: Obstacle | null;
  dismiss(): void;
}

/** Another scan of what was scanned, by the same sides with the rules as they are now. */
function useScanAgain({ job: { id, workspaceId, task }, filter, file }: ScanAgainProps): AnotherScan {
  const bridge = useBridge();
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [meant, mean] = useState<'this' | 'listed' | null>(null);
  const [isReading, setReading] = useState(false);
  const [unread, setUnread] = useState<Obstacle | null>(null);
  const begin = (which: 'this' | 'listed', samples: string[]): void => {
    if (workspaceId === null) return;
    mean(which);
    start({ workspaceId, engines: task.kind === 'scan' ? task.engines : 'local', files: [], samples, tlp: null });
  };
  const scanListed = async (): Promise<void> => {
    setReading(true);
    const read = await listedSamples(bridge, id, filter);
    setReading(false);
    if (!read.ok) setUnread({ kind: 'failed', failure: read.failure });
    else if (read.value.length > mostSamples) setUnread({ kind: 'too-many' });
    else begin('listed', read.value);
  };
  return {
    scanThis: () => file !== null && (file.inVault ? begin('this', [file.sha256]) : setUnread({ kind: 'missing' })),
    scanListed: () => void scanListed(),
    isBusy: isReading || isStarting,
    obstacle: unread ?? (failure === null || meant === null ? null : notBegun(failure, meant)),
    dismiss: () => {
      setUnread(null);
      mean(null);
    },
  };
}

/** Of one file it is known which one is not there; of many, the failure names it. */
const notBegun = (failure: Failure, meant: 'this' | 'listed'): Obstacle =>
  meant === 'this' && failure.kind === 'not-in-vault' ? { kind: 'missing' } : { kind: 'failed', failure };
