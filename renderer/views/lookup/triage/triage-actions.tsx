import { useQuery } from '@tanstack/react-query';
import { Download, Tag } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { LibrarySelection } from '../../../../shared/domain/library.ts';
import { type ReportedSample, reportedSample } from '../../../../shared/domain/sample-table.ts';
import { hashKindOf } from '../../../../shared/domain/hash.ts';
import type { TriageRow, TriageSelected } from '../../../../shared/domain/triage.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { success } from '../../../../shared/failure.ts';
import type { Bridge } from '../../../../shared/transport.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { useOperation, useWork, valueOf } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { tickedCount } from '../../../components/data-grid/row-selection.ts';
import { describeFailure } from '../../../components/failure-format.ts';
import { formatSize } from '../../../components/format.ts';
import { TagField } from '../../../components/tag-field/tag-field.tsx';
import { useToast } from '../../../components/toasts.tsx';
import { CompareAction } from '../../../features/compare/compare-action.tsx';
import { CopySamplesMenu } from '../../../features/copy-samples/copy-samples.tsx';
import { ExportMenu } from '../../../features/export/export-menu.tsx';
import { beginBulk } from '../../../features/bulk-download/bulk-tally.ts';
import { useTriageStore } from '../../../features/lookup/triage-store.tsx';
import { queueChange, useTagSuggestions } from '../../../features/sample/sample-changes.ts';
import { useStartedJob } from '../../../state/jobs.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from './strings.ts';
import { readTicked, ticksOf, type TriageQuestion, type TriageWindows } from './triage-rows.ts';
import styles from './triage.module.css';

/** As many are named in one selection. */
const mostNamed = 5000;

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
  const rows = (): ReturnType<typeof readTicked> => readTicked(bridge, question, selection);
  const hashes = useKnownHashes(question, ticked);
  const selections = useMemo(() => selectionsOf(hashes ?? []), [hashes]);
  const download = useDownload(job?.workspaceId ?? null);
  return (
    <footer
      className={classNames(layout.wrapRow, layout.bottom, styles.actions)}
      role="group"
      aria-label={text.actions}
      data-pane
      data-row-actions={text.selected(ticked)}
    >
      <p className={classNames(typography.note, layout.flex8, layout.widest)} data-figures role="status">
        <span className={typography.figure}>{text.selected(ticked)}</span>
        <span>{sums && sumWords(sums)}</span>
      </p>
      <div className={layout.wrap8}>
        <TagAction hashes={hashes ?? []} />
        <CopySamplesMenu
          samples={{
            count: ticked,
            read: async () => {
              const read = await rows();
              return read.ok ? success(read.value.map(forClipboard)) : read;
            },
          }}
          scope={text.selected(ticked)}
          triggerLetter="C"
        />
        <CompareAction ticked={ticked} selection={selections[0] ?? null} count={hashes?.length ?? 0} />
        <ExportMenu selections={selections} count={hashes?.length ?? 0} name={null} onZip={null} />
        <Button
          look="primary"
          letter="D"
          isDisabled={(sums?.toDownload ?? 0) === 0 || download.isPending}
          onPress={() => download.mutate({ question, selection })}
        >
          <Download size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.download(sums?.toDownload ?? 0)}
        </Button>
      </div>
    </footer>
  );
}

function sumWords({ rows, inVault, toDownload, bytes, unsized }: TriageSelected): string {
  const size = toDownload === 0 ? [] : [text.toDownload(formatSize(bytes))];
  const besides = unsized === 0 ? [] : [text.unsized(unsized)];
  return [...size, ...besides, text.inVault(inVault, rows) ?? ''].filter((words) => words !== '').join(', ');
}

/** What the library knows the ticked samples by; null while that is being read. */
function useKnownHashes(question: TriageQuestion, ticked: number): readonly string[] | null {
  const bridge = useBridge();
  const {
    place: { selection },
  } = useTriageStore();
  const { kind, keys } = selection;
  const { data } = useQuery<string[], Failure>({
    queryKey: ['triage.ticked', question.id, question.filter, question.sort, kind, [...keys], ticked],
    queryFn: async () => {
      const rows = await valueOf(readTicked(bridge, question, selection));
      return [...new Set(rows.flatMap(({ sample }) => sample?.hash ?? []))];
    },
    gcTime: 0,
  });
  return data ?? null;
}

function selectionsOf(hashes: readonly string[]): LibrarySelection[] {
  return Array.from({ length: Math.ceil(hashes.length / mostNamed) }, (_, page) => ({
    kind: 'named' as const,
    hashes: hashes.slice(page * mostNamed, (page + 1) * mostNamed),
  }));
}

/** A bulk download of the ticked samples that are not in the vault, as a job of its own. */
function useDownload(workspaceId: string | null) {
  const bridge = useBridge();
  const toast = useToast();
  const report = useStartedJob(text.downloading);
  return useWork(
    'triage.download',
    async ({ question, selection }: { question: TriageQuestion; selection: Parameters<typeof readTicked>[2] }) => {
      const rows = await valueOf(readTicked(bridge, question, selection));
      const hashes = rows.filter(canCome).map(({ sample, hash }) => sample?.md5 ?? hash);
      return valueOf(downloadOf(bridge, workspaceId ?? '', hashes));
    },
    {
      onDone: (job) => report(job),
      onFailed: (failure) => toast({ meaning: 'bad', text: describeFailure(failure).what, failure }),
    },
  );
}

const without: ReadonlySet<TriageRow['state']> = new Set(['vault', 'unknown', 'needs-md5', 'forbidden']);
const canCome = ({ state }: TriageRow): boolean => !without.has(state);

const downloadOf = (bridge: Bridge<File>, workspaceId: string, hashes: readonly string[]) =>
  beginBulk(
    bridge,
    { workspaceId, hashes: async (from, count) => hashes.slice(from, from + count), isOver: () => false },
    () => {},
  );

function forClipboard({ hash, sample }: TriageRow): ReportedSample {
  if (sample === null) return reportedSample({ [hashKindOf(hash) ?? 'md5']: hash });
  // A row counts its hits and does not name them.
  const { hits: _, vault, ...facts } = sample;
  return reportedSample({ ...facts, inVault: vault === 'held' });
}

function TagAction({ hashes }: { hashes: readonly string[] }) {
  return (
    <TagPopover
      hashes={hashes}
      trigger={
        <Button letter="T" isDisabled={hashes.length === 0}>
          <Tag size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.tag}
        </Button>
      }
    />
  );
}

function TagPopover({ hashes, trigger }: { hashes: readonly string[]; trigger: ReactNode }) {
  return (
    <DialogTrigger>
      {trigger}
      <Popover className={classNames(surface.popover, styles.popover)} offset={4} containerPadding={8}>
        <Dialog className={classNames(styles.tagDialog)} aria-label={text.tagLabel(hashes.length)}>
          <Tags hashes={hashes} />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

/** Local tags, added and removed as they are typed. */
function Tags({ hashes: hashesNow }: { hashes: readonly string[] }) {
  const bridge = useBridge();
  const toast = useToast();
  const suggestions = useTagSuggestions();
  // As they were when the list opened: rows may be ticked by then that are not meant.
  const [hashes] = useState(hashesNow);
  const [tags, setTags] = useState<readonly string[]>([]);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  const change = async (tag: string, gives: boolean): Promise<void> => {
    setTags((before) => [...before.filter((each) => each !== tag), ...(gives ? [tag] : [])]);
    let changed = 0;
    for (const selection of selectionsOf(hashes)) {
      const answer = await queueChange(bridge, () =>
        bridge.call('library.change', {
          selection,
          change: { add: gives ? [tag] : [], remove: gives ? [] : [tag] },
        }),
      );
      if (!answer.ok)
        return toast({ meaning: 'bad', text: describeFailure(answer.failure).what, failure: answer.failure });
      changed += answer.value.changed;
    }
    toast({ meaning: 'ok', text: (gives ? text.tagged : text.untagged)(visibleText(tag), changed) });
  };
  return (
    <div ref={field} className={layout.stack8}>
      <TagField
        label={text.tagLabel(hashes.length)}
        tags={tags}
        {...suggestions}
        onAdd={(tag) => void change(tag, true)}
        onRemove={(tag) => void change(tag, false)}
      />
      <p className={typography.hint}>{text.tagHint}</p>
    </div>
  );
}
