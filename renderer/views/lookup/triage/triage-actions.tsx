import { Download, Tag } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { hashKindOf } from '../../../../shared/domain/hash.ts';
import type { LibrarySelection } from '../../../../shared/domain/library.ts';
import { type ReportedSample, reportedSample } from '../../../../shared/domain/sample-table.ts';
import { downloadedStates, type TriageRow, type TriageSelected } from '../../../../shared/domain/triage.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation, useWork, valueOf } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { type RowSelection, tickedCount } from '../../../components/data-grid/row-selection.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { formatSize, nameInSentence } from '../../../components/format.ts';
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
  oneOfEachSample,
  type ReadTicked,
  shortHash,
  ticksOf,
  type TriageWindows,
  useReadTicked,
} from './triage-rows.ts';
import styles from './triage.module.css';

interface TriageActionsProps {
  id: number;
  windows: TriageWindows;
  /** What the actions mean where nothing is ticked; null: no row yet. */
  current: TriageRow | null;
}

/** What can be done with the ticked rows, or with the current one. */
export function TriageActions({ id, windows: { question, total }, current }: TriageActionsProps) {
  const bridge = useBridge();
  const { job, place } = useTriageStore();
  const { selection: ticks, filter } = place;
  const ticked = tickedCount(ticks, total ?? 0);
  const one = ticked === 0 ? current : null;
  const position = one?.position;
  const selection = useMemo(
    (): RowSelection<number> =>
      ticked > 0 ? ticks : { kind: 'these', keys: new Set(position === undefined ? [] : [position]) },
    [ticked, ticks, position],
  );
  const only = useMemo(() => ticksOf(selection), [selection]);
  const { data } = useOperation('triage.selected', { id, filter, only }, { enabled: ticked > 0 || one !== null });
  const sums = data ?? (one === null ? null : sumsOf(one));
  const read = useReadTicked(question, selection);
  const known = sums?.known ?? 0;
  const selections = useKnownSelections(read);
  const download = useDownload(job?.workspaceId ?? null, read);
  const isNone = ticked === 0 && one === null;
  const words = isNone ? text.noneChosen : one === null ? text.selected(ticked) : nameOf(one);
  return (
    <footer
      className={classNames(layout.wrapRow, layout.bottom, styles.actions)}
      role="group"
      aria-label={text.actions}
      data-pane
      data-row-actions={words}
    >
      <p className={classNames(typography.note, layout.flex8, layout.widest, styles.sums)} data-figures role="status">
        <span className={ticked > 0 ? typography.figure : typography.cut}>
          <bdi>{words}</bdi>
        </span>
        <span>{sums && sumWords(sums)}</span>
      </p>
      <div className={classNames(layout.wrap, styles.buttons)}>
        <TagAction count={known} read={read} why={isNone ? text.noneChosen : text.noneKnown} />
        <CopySamplesMenu
          samples={{ count: sums?.samples ?? ticked, read: () => samplesToCopy(bridge, read) }}
          {...(ticked > 0 && { scope: text.selected(ticked) })}
          triggerLetter="C"
        />
        <CompareAction ticked={ticked} selection={async () => (await selections())[0] ?? null} count={known} />
        <ExportMenu selections={selections} count={known} name={null} onZip={null} />
        <Button
          look="primary"
          letter="D"
          isDisabled={(sums?.toDownload ?? 0) === 0 || download.isPending}
          why={isNone ? text.noneChosen : text.noneToDownload}
          onPress={() => download.mutate()}
        >
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.download(sums?.toDownload ?? 0)}
        </Button>
      </div>
    </footer>
  );
}

const nameOf = ({ sample, hash }: TriageRow): string =>
  sample === null || sample.name === null || sample.name === ''
    ? hash.slice(0, shortHash)
    : nameInSentence(sample.name);

/** Of one row, until they are read: the menu of a row shows them at once. */
function sumsOf({ state, sample, hash }: TriageRow): TriageSelected {
  const hasMd5 = sample !== null || hashKindOf(hash) === 'md5';
  const isToDownload = hasMd5 && downloadedStates.includes(state);
  return {
    rows: 1,
    samples: 1,
    known: sample === null ? 0 : 1,
    inVault: state === 'vault' ? 1 : 0,
    toDownload: isToDownload ? 1 : 0,
    bytes: isToDownload ? (sample?.sizeBytes ?? 0) : 0,
    unsized: isToDownload && (sample === null || sample.sizeBytes === null) ? 1 : 0,
  };
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
        downloadOf(bridge, workspaceId ?? '', [...new Set(rows.flatMap(({ toDownload }) => toDownload ?? []))]),
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

/** What is known of a hash is copied with it, each sample once. */
async function samplesToCopy(bridge: Bridge<File>, read: ReadTicked): Promise<Result<ReportedSample[]>> {
  const rows = await read();
  if (!rows.ok) return rows;
  const known = knownSamples(rows.value);
  const facts = await readFacts(bridge, { selections: namedSelections(known) }, known.length);
  if (!facts.ok) return facts;
  const byHash = new Map(facts.value.map((sample) => [sample.sha256 ?? sample.md5, sample]));
  return success(
    oneOfEachSample(rows.value).map(({ hash, sample }) =>
      reportedSample(byHash.get(sample) ?? { [hashKindOf(hash) ?? 'md5']: hash }),
    ),
  );
}

function TagAction({ count, read, why }: { count: number; read: ReadTicked; why: string }) {
  return (
    <TagPopover
      count={count}
      trigger={
        <Button letter="T" isDisabled={count === 0} why={why}>
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
