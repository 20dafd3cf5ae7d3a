import { RotateCcw } from 'lucide-react';
import { assertNever } from '../../../shared/assert-never.ts';
import { hashKindOf } from '../../../shared/domain/hash.ts';
import { csvHead, csvRows, hashLines, jsonHead, jsonRows, jsonTail } from '../../../shared/domain/job-table.ts';
import {
  isFinalJob,
  type ItemSort,
  type ItemState,
  type Job,
  type JobItem,
  retryableStates,
  triableState,
  type TriableState,
} from '../../../shared/domain/job.ts';
import { type ReportedSample, reportedSample } from '../../../shared/domain/sample-table.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useAction, useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { isTicked, tickedCount } from '../../components/data-grid/row-selection.ts';
import { formatNumber } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { lacking, retryable } from '../../components/jobs/job-format.ts';
import { keys } from '../../keyboard/keys.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { CopySamplesMenu, joinedInStints, mostTableRows, type OwnCopy } from '../copy-samples/copy-samples.tsx';
import { SaveListMenu } from '../export/save-list-menu.tsx';
import { text as serversText } from '../servers/strings.ts';
import { useCaseOfItems, useZipOfItems } from './export-items.tsx';
import { type ItemsTarget, readItems } from './item-windows.ts';
import type { JobActs } from './job-actions.tsx';
import styles from './job-items.module.css';
import { text } from './strings.ts';

const { altering } = serversText;

interface ItemsFooterProps extends Omit<ItemsTarget, 'ticked'> {
  acts: JobActs;
}

export function ItemsFooter({ job, acts, question, total, selection }: ItemsFooterProps) {
  const ticked = tickedCount(selection, total);
  const meant: ItemsTarget = { job, question, selection, ticked, total };
  const again = statesToRetry(question.filter.states);
  const count = again.reduce((sum, state) => sum + job.counts[state], 0);
  return (
    <footer className={classNames(layout.row, layout.bottom, styles.footer)}>
      <p data-figures>
        {ticked > 0 ? <span className={typography.figure}>{text.selected(ticked)}</span> : stateWords(job)}
      </p>
      <div
        className={layout.wrap8}
        data-row-actions={ticked > 0 ? text.selected(ticked) : text.shownItems(formatNumber(total))}
      >
        {job.task.kind === 'upload' && isFinalJob(job) && <AlteredRecords id={job.id} />}
        <SaveList meant={meant} />
        <CopyItems meant={meant} />
        {count > 0 && ticked === 0 && (
          <Button letter={keys.job.retry.keys} onPress={() => acts.retry(again)}>
            <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
            {text.retry(count)}
          </Button>
        )}
      </div>
    </footer>
  );
}

/** Files that are stored with another comment or fewer tags than were sent, and the way to put that right. */
function AlteredRecords({ id }: { id: number }) {
  const { data } = useOperation('uploads.altered', { id });
  const toast = useToast();
  const repair = useAction('uploads.repair', {
    onDone: ({ repaired, failure }) => {
      if (repaired > 0) toast({ meaning: 'ok', text: altering.repaired(formatNumber(repaired)) });
      if (failure !== null) toast({ meaning: 'bad', text: sentenceFor(failure).what, failure });
    },
    onFailed: (failure) => toast({ meaning: 'bad', text: sentenceFor(failure).what, failure }),
  });
  if (data === undefined || data.items === 0) return null;
  return (
    <span className={layout.inline6}>
      <span className={typography.hint}>{altering.title(formatNumber(data.items), data.items === 1)}</span>
      {data.canRepair && (
        <Button isDisabled={repair.isPending} onPress={() => repair.mutate({ id })}>
          {repair.isPending ? altering.repairing : altering.repair}
        </Button>
      )}
    </span>
  );
}

/** Chosen by their outcome, any items without a sample can be tried again: a right may have been given meanwhile. */
function statesToRetry(chosen: readonly ItemState[]): readonly TriableState[] {
  return chosen.length === 0 ? retryableStates : triableState.options.filter((state) => chosen.includes(state));
}

function stateWords(job: Job): string {
  const missing = lacking(job);
  const reported = missing > 0 ? [text.missing[job.task.kind](formatNumber(missing))] : [];
  const again = retryable(job) > 0 ? [text.canBeRetried(formatNumber(retryable(job)))] : [];
  const active = Math.min(job.active.length, job.counts.waiting);
  const ahead = isFinalJob(job) ? [] : [text.inFlight(formatNumber(active), formatNumber(job.counts.waiting - active))];
  return [...ahead, ...reported, ...again].join(', ');
}

const listFormats = ['csv', 'json'] as const;

/** Exports items: all that are shown as a list, and the samples of those that are meant in other forms. */
function SaveList({ meant }: { meant: ItemsTarget }) {
  const bridge = useBridge();
  const more = [useZipOfItems(meant), useCaseOfItems(meant)].filter((choice) => choice !== null);
  const {
    job: { id },
    question: { filter },
    ticked,
  } = meant;
  if (ticked > 0 && more.length === 0) return null;
  return (
    <SaveListMenu
      words={text.saveList}
      letter={keys.job.export.keys}
      formats={ticked === 0 ? listFormats : []}
      save={(how) => bridge.call('jobs.exportItems', { id, filter, ...how })}
      more={more}
    />
  );
}

const asGiven: ItemSort = { column: 'position', descending: false };
/** An item contains only the hashes, the name and the size of its sample. */
const sampleFormats = ['sha256', 'sha1', 'md5', 'hashes', 'markdown', 'defanged', 'yara'] as const;

/** Copies the ticked items, or all that are shown, loaded or not. */
function CopyItems({ meant }: { meant: ItemsTarget }) {
  const bridge = useBridge();
  const { ticked, total } = meant;
  const count = ticked === 0 ? total : ticked;
  const read = (): Promise<Result<JobItem[]>> => readMeant(bridge, meant);
  const own = itemForms.map((form): OwnCopy => ({
    id: form,
    text: text.copyWhat[form],
    most: form === 'asked' ? Infinity : mostTableRows,
    copied: async () => {
      const items = await read();
      return items.ok
        ? success({
            words: await joinedInStints(itemPieces(form, items.value)),
            news: text.copiedNews(text.copied[form](items.value.length)),
          })
        : items;
    },
  }));
  const samples = {
    count,
    read: async () => {
      const items = await read();
      return items.ok ? success(items.value.map(itemForClipboard)) : items;
    },
  };
  return (
    <CopySamplesMenu
      samples={samples}
      formats={sampleFormats}
      last={count === 0 ? [] : own}
      scope={text.copyScope(count, ticked > 0)}
      triggerLetter={keys.job.copy.keys}
    />
  );
}

function readMeant(
  bridge: Bridge<File>,
  { job, question, selection, ticked }: ItemsTarget,
): Promise<Result<JobItem[]>> {
  // While a job runs its items change places in every other order, and some would be read twice.
  const sort = isFinalJob(job) ? question.sort : asGiven;
  const isMeant = ticked === 0 ? () => true : ({ position }: { position: number }) => isTicked(selection, position);
  return readItems(bridge, { ...question, sort }, isMeant, ticked === 0 ? Infinity : ticked);
}

/** What is copied of items as such, with what became of each. */
const itemForms = ['asked', 'csv', 'json'] as const;
type ItemForm = (typeof itemForms)[number];

const itemsAtOnce = 200;

/** Items as text, in pieces of a few milliseconds each. */
function* itemPieces(form: ItemForm, items: readonly JobItem[]): Generator<string, void> {
  if (form === 'csv') yield csvHead;
  if (form === 'json') yield jsonHead;
  for (let first = 0; first < items.length; first += itemsAtOnce)
    yield itemRows(form, items.slice(first, first + itemsAtOnce), first === 0);
  if (form === 'json') yield jsonTail;
}

function itemRows(form: ItemForm, items: readonly JobItem[], isFirst: boolean): string {
  switch (form) {
    case 'asked':
      return hashLines(items);
    case 'csv':
      return csvRows(items);
    case 'json':
      return jsonRows(items, isFirst);
    default:
      return assertNever(form);
  }
}

/** As far as an item knows its sample: the hash that was given is one of it. */
function itemForClipboard({ hash, md5, sha256, name, sizeBytes }: JobItem): ReportedSample {
  const given = hashKindOf(hash);
  return reportedSample({
    sha256: sha256 ?? (given === 'sha256' ? hash : null),
    sha1: given === 'sha1' ? hash : null,
    md5: md5 ?? (given === 'md5' ? hash : null),
    name,
    sizeBytes,
  });
}
