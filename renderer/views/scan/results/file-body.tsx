import { CircleDashed, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { Job, JobItem } from '../../../../shared/domain/job.ts';
import { knownWords, lookedWords } from '../../../../shared/domain/scan-table.ts';
import type { KnownBesides, ScanResult } from '../../../../shared/domain/scan.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice, ReadFailure } from '../../../components/failure-notice.tsx';
import { nameInSentence } from '../../../components/format.ts';
import { Notice } from '../../../components/notice.tsx';
import { FailureRemedy } from '../../../state/failure-remedy.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { BytesPane } from './bytes-pane.tsx';
import { shortHash } from './group-line.tsx';
import styles from './results.module.css';
import { isHit, isWithoutHits, requestedSides, rulesOf, type ShownFile } from './shown-file.ts';
import { text } from './strings.ts';
import { Reply } from './where-scanned.tsx';

const icons = {
  noHits: <SearchX size={20} strokeWidth={1.6} />,
  waiting: <CircleDashed size={20} strokeWidth={1.6} />,
};

interface FileBodyProps {
  job: Job;
  shown: ShownFile;
  /** To the bytes of the current match. */
  toBytes(): void;
}

/**
 * What came of a file: its matches and bytes, or why there are none. "No hits" needs the answer of every side that was
 * asked.
 */
export function FileBody({ job, shown, toBytes }: FileBodyProps) {
  const { file, hits } = shown;
  const unknown = file.results.find(({ state }) => state === 'not-understood')?.raw ?? null;
  return (
    <>
      <Troubles results={file.results} />
      {file.known !== null && !hits.some(isHit) && <Known known={file.known} />}
      {hits.length > 0 && <BytesPane jobId={job.id} shown={shown} toBytes={toBytes} />}
      {isWithoutHits(job, shown) && (
        <Without
          title={titleOf(job, shown)}
          sentence={noHitsBy(file.results)}
          job={job}
          shown={shown}
          toBytes={toBytes}
        />
      )}
      {hits.length === 0 && unknown !== null && (
        <section className={classNames(layout.stack8, styles.reply)} data-pane aria-label={text.replyHead}>
          <h2 className={typography.title}>{text.replyHead}</h2>
          <Reply raw={unknown} />
        </section>
      )}
      {hits.length === 0 && file.results.length < requestedSides(job) && (
        <NoResult job={job} shown={shown} toBytes={toBytes} />
      )}
    </>
  );
}

const nameOf = ({ file: { name, sha256 } }: ShownFile): string =>
  name === null ? sha256.slice(0, shortHash) : nameInSentence(name);

const titleOf = (job: Job, shown: ShownFile): string =>
  text.noHitsTitle(nameOf(shown), lookedWords(job, rulesOf(shown.file)));

/** Beside "no hits", and beside a scan that failed: what speaks against the file all the same. */
function Known({ known }: { known: KnownBesides }) {
  const words = knownWords(known);
  if (words.length === 0) return null;
  return (
    <div className={classNames(layout.stack8, layout.inset, layout.fixed)}>
      <Notice meaning="warn" title={text.knownTitle}>
        <bdi>{visibleText(words.map((each) => `${each}.`).join(' '))}</bdi>
      </Notice>
    </div>
  );
}

/** Sides that could not scan it, or were not understood. */
function Troubles({ results }: { results: readonly ScanResult[] }) {
  const failures = results.flatMap(({ state, failure }) => (state === 'failed' && failure !== null ? [failure] : []));
  const isUnknown = results.some(({ state }) => state === 'not-understood');
  const isCut = results.some((result) => result.isCut);
  const globals = [...new Set(results.flatMap(({ withoutGlobal }) => withoutGlobal))];
  const namesLeftOut = Math.max(0, ...results.map((result) => result.namesLeftOut ?? 0));
  if (failures.length === 0 && !isUnknown && !isCut && globals.length === 0 && namesLeftOut === 0) return null;
  return (
    <div className={classNames(layout.stack8, layout.inset, layout.fixed)}>
      {failures.map((failure) => (
        <FailureNotice key={JSON.stringify(failure)} failure={failure} action={<FailureRemedy failure={failure} />} />
      ))}
      {isUnknown && (
        <Notice meaning="warn" title={text.notUnderstoodTitle}>
          {text.notUnderstoodSentence}
        </Notice>
      )}
      {globals.length > 0 && (
        <Notice meaning="warn" title={text.withoutGlobalTitle(globals.length)}>
          {text.withoutGlobalSentence(globals.map((rule) => visibleText(rule)).join(', '))}
        </Notice>
      )}
      {namesLeftOut > 0 && (
        <Notice meaning="warn" title={text.namesLeftOutTitle(namesLeftOut)}>
          {text.namesLeftOutSentence}
        </Notice>
      )}
      {isCut && (
        <Notice meaning="info" title={text.cutTitle}>
          {text.cutSentence}
        </Notice>
      )}
    </div>
  );
}

/** Each side that looked, with which rules. */
function noHitsBy(results: readonly ScanResult[]): string {
  return results
    .map(({ side, engine, package: used }) => {
      const count = used === null || used.rules === null ? text.noHitsBy.unknownRules : text.rules(used.rules);
      const version = visibleText(used?.version ?? text.noHitsBy.unknownVersion);
      return side === 'local'
        ? text.noHitsBy.local(text.engines[engine ?? 'wasm'], count, version)
        : text.noHitsBy.service(count, version);
    })
    .join(' ');
}

/** A file without a hit still has its bytes. */
function Without({ title, sentence, job, shown, toBytes }: FileBodyProps & { title: string; sentence: string }) {
  const [isShown, show] = useState<number | null>(null);
  if (isShown === shown.file.position) return <BytesPane jobId={job.id} shown={shown} toBytes={toBytes} />;
  return (
    <EmptyState
      icon={icons.noHits}
      title={title}
      sentence={sentence}
      action={<Button onPress={() => show(shown.file.position)}>{text.showBytes}</Button>}
    />
  );
}

/** A hunt keeps no result of a sample without hits: the outcome of the item shows whether it is one. */
function NoResult({ job, shown, toBytes }: FileBodyProps) {
  const { file } = shown;
  const filter = { states: [], find: file.sha256 };
  const { data, error } = useOperation('jobs.items', {
    id: job.id,
    filter,
    sort: { column: 'position', descending: false },
    offset: 0,
    limit: 1,
  });
  if (error !== null)
    return (
      <div className={classNames(layout.stack8, layout.inset, layout.fixed)}>
        <ReadFailure failure={error} of="jobs.items" />
      </div>
    );
  if (data === undefined) return null;
  const item = data.items[0] ?? null;
  const failure = item?.failure ?? null;
  if (failure !== null)
    return (
      <div className={classNames(layout.stack8, layout.inset, layout.fixed)}>
        <FailureNotice failure={failure} action={<FailureRemedy failure={failure} />} />
      </div>
    );
  if (job.task.kind === 'hunt' && item?.state === 'done') {
    const { local, rules, package: used } = job.task;
    const words = text.huntNoHitsBy(
      text.engines[local ?? 'wasm'],
      rules,
      visibleText(used.version ?? text.packageUnknown),
    );
    return <Without title={titleOf(job, shown)} sentence={words} job={job} shown={shown} toBytes={toBytes} />;
  }
  const state = stateOf(item);
  const isUnderWay = job.active.some(({ position }) => position === file.position);
  return (
    <EmptyState
      icon={icons.waiting}
      title={isUnderWay ? text.scanning : text.noResultTitle[state]}
      sentence={text.noResultSentence[state]}
    />
  );
}

function stateOf(item: JobItem | null): keyof typeof text.noResultTitle {
  if (item === null) return 'other';
  if (item.state === 'waiting' || item.state === 'cancelled' || item.state === 'failed') return item.state;
  return 'other';
}
