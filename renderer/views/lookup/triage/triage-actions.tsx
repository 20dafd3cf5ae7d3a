import { Download, Tag } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { hashKindOf } from '../../../../shared/domain/hash.ts';
import type { LibrarySelection } from '../../../../shared/domain/library.ts';
import { type ReportedSample, reportedSample } from '../../../../shared/domain/sample-table.ts';
import type { TriageSelected } from '../../../../shared/domain/triage.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation, useWork, valueOf } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { tickedCount } from '../../../components/data-grid/row-selection.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { formatSize } from '../../../components/format.ts';
import { useToast } from '../../../components/toasts.tsx';
import { beginBulk } from '../../../features/bulk-download/bulk-tally.ts';
import { CompareAction } from '../../../features/compare/compare-action.tsx';
import { CopySamplesMenu } from '../../../features/copy-samples/copy-samples.tsx';
import { ExportMenu } from '../../../features/export/export-menu.tsx';
import { type ActionTarget, namedSelections, readFacts } from '../../../features/library/action-target.ts';
import { TagList, TagPopover } from '../../../features/library/tag-popover.tsx';
import { useTriageStore } from '../../../features/lookup/triage-store.tsx';
import { useStartedJob } from '../../../state/jobs.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from './strings.ts';
import {
  knownSamples,
  type ReadTicked,
  ticksOf,
  type TriageQuestion,
  type TriageWindows,
  useReadTicked,
} from './triage-rows.ts';
import styles from './triage.module.css';

/** What can be done with the ticked rows; nothing of it is there without one. */
export function TriageActions({ id, windows: { question, total } }: { id: number; windows: TriageWindows }) {
  const { place } = useTriageStore();
  const ticked = tickedCount(place.selection, total ?? 0);
  return ticked === 0 ? null : <Bar id={id} question={question} ticked={ticked} />;
}

function Bar({ id, question, ticked }: { id: number; question: TriageQuestion; ticked: number }) {
  const bridge = useBridge();
  const {
    job,
    place: { selection, filter },
  } = useTriageStore();
  const only = useMemo(() => ticksOf(selection), [selection]);
  const { data: sums } = useOperation('triage.selected', { id, filter, only });
  const read = useReadTicked(question, selection);
  const known = sums?.known ?? 0;
  const selections = useKnownSelections(read);
  const download = useDownload(job?.workspaceId ?? null, read);
  return (
    <footer
      className={classNames(layout.wrapRow, layout.bottom, styles.actions)}
      role="group"
      aria-label={text.actions}
      data-pane
      data-row-actions={text.selected(ticked)}
    >
      <p className={classNames(typography.note, layout.flex8, layout.widest, styles.sums)} data-figures role="status">
        <span className={typography.figure}>{text.selected(ticked)}</span>
        <span>{sums && sumWords(sums)}</span>
      </p>
      <div className={classNames(layout.wrap, styles.buttons)}>
        <TagAction count={known} read={read} />
        <CopySamplesMenu
          samples={{ count: ticked, read: () => samplesToCopy(bridge, read) }}
          scope={text.selected(ticked)}
          triggerLetter="C"
        />
        <CompareAction ticked={ticked} selection={async () => (await selections())[0] ?? null} count={known} />
        <ExportMenu selections={selections} count={known} name={null} onZip={null} />
        <Button
          look="primary"
          letter="D"
          isDisabled={(sums?.toDownload ?? 0) === 0 || download.isPending}
          onPress={() => download.mutate()}
        >
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.download(sums?.toDownload ?? 0)}
        </Button>
      </div>
    </footer>
  );
}

function sumWords({ inVault, toDownload, bytes, unsized }: TriageSelected): string {
  const size = unsized === 0 ? formatSize(bytes) : text.partlySized(bytes === 0 ? null : formatSize(bytes), unsized);
  return [
    ...(toDownload === 0 ? [] : [text.toDownload(toDownload, size)]),
    ...(inVault === 0 ? [] : [text.inVault(inVault)]),
  ].join(', ');
}

/** Reads the ticked samples that the library knows. A failure is shown, and there are none then. */
function useKnownSelections(read: ReadTicked): () => Promise<readonly LibrarySelection[]> {
  const report = useReportedFailure();
  return async () => {
    const rows = await read();
    if (!rows.ok) return (report(rows.failure), []);
    return namedSelections(knownSamples(rows.value));
  };
}

/** What was given up is no news. */
function useReportedFailure(): (failure: Failure) => void {
  const toast = useToast();
  return (failure) => {
    if (failure.kind !== 'cancelled') toast({ meaning: 'bad', text: describeFailure(failure).what, failure });
  };
}

/** A bulk download of the ticked samples that are not in the vault, as a job of its own. */
function useDownload(workspaceId: string | null, read: ReadTicked) {
  const bridge = useBridge();
  const report = useStartedJob(text.downloading);
  const reportFailure = useReportedFailure();
  return useWork(
    'triage.download',
    async () => {
      const rows = await valueOf(read());
      return valueOf(
        downloadOf(
          bridge,
          workspaceId ?? '',
          rows.flatMap(({ toDownload }) => toDownload ?? []),
        ),
      );
    },
    { onDone: (job) => report(job), onFailed: reportFailure },
  );
}

const downloadOf = (bridge: Bridge<File>, workspaceId: string, hashes: readonly string[]) =>
  beginBulk(
    bridge,
    { workspaceId, hashes: async (from, count) => hashes.slice(from, from + count), isOver: () => false },
    () => {},
  );

/** What is known of a hash is copied with it. */
async function samplesToCopy(bridge: Bridge<File>, read: ReadTicked): Promise<Result<ReportedSample[]>> {
  const rows = await read();
  if (!rows.ok) return rows;
  const known = knownSamples(rows.value);
  const facts = await readFacts(bridge, { selections: namedSelections(known) }, known.length);
  if (!facts.ok) return facts;
  const byHash = new Map(facts.value.map((sample) => [sample.sha256 ?? sample.md5, sample]));
  return success(
    rows.value.map(({ hash, sample }) => reportedSample(byHash.get(sample) ?? { [hashKindOf(hash) ?? 'md5']: hash })),
  );
}

function TagAction({ count, read }: { count: number; read: ReadTicked }) {
  return (
    <TagPopover
      count={count}
      trigger={
        <Button letter="T" isDisabled={count === 0} why={text.noneKnown}>
          <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.tag}
        </Button>
      }
    >
      <TickedTags count={count} read={read} />
    </TagPopover>
  );
}

/** They are read while the first tag is typed, once for all tags that are given. */
function TickedTags({ count, read }: { count: number; read: ReadTicked }) {
  const [target] = useState(() => readOnce(read));
  useEffect(() => void target(), [target]);
  return <TagList count={count} target={target} one={null} />;
}

/** Reads once more only where it failed. */
function readOnce(read: ReadTicked): () => Promise<Result<ActionTarget>> {
  let reading: Promise<Result<ActionTarget>> | null = null;
  const begin = async (): Promise<Result<ActionTarget>> => {
    const rows = await read();
    if (!rows.ok) {
      reading = null;
      return rows;
    }
    const hashes = knownSamples(rows.value);
    return success({ count: hashes.length, ticked: hashes.length, selections: namedSelections(hashes) });
  };
  return () => (reading ??= begin());
}
