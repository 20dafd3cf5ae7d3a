import { useEffect, useState } from 'react';
import { reasonSentence } from '../../../shared/domain/hash-extraction.ts';
import type { RejectedRun } from '../../../shared/domain/hash-extractor.ts';
import type { FoundHash } from '../../../shared/domain/hash.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { LookupLeads } from '../../features/lookup/lookup-leads.tsx';
import { type LookupState, useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { SampleActions } from '../../features/sample/sample-actions.tsx';
import { type SampleReading, useSample } from '../../features/sample/shown-sample.ts';
import type { SampleScan } from '../../features/scans/start-scan.ts';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { lazyPart } from '../../state/lazy-dialog.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './lookup.module.css';
import { text } from './strings.ts';

/** Not part of the first load: a page without a look-up yet needs none of it. */
const SampleBody = lazyPart(() => import('../../features/sample/sample-page.tsx').then((module) => module.SampleBody));

/** A hash that was looked up, with whatever came of it. */
export type LookedUp = Extract<LookupState, { kind: 'asking' | 'found' | 'failed' }>;

interface LookedUpProps {
  state: LookedUp;
  scan: SampleScan;
}

/**
 * What is known of the sample by now: by the library at once, and by the answer of its service. Two samples may have
 * one MD5: the one whose bytes are known is meant.
 */
function useLookedUp(state: LookedUp): SampleReading {
  const { data } = useOperation('library.sample', { hash: state.hash.value });
  const fresh = state.kind === 'found' ? state : null;
  const local = fresh?.result.local.sha256 ?? null;
  // Under another of its hashes it would be read once more, and what is shown would be gone until then.
  const isSame =
    fresh === null || (data?.row.md5 === fresh.result.asked && (local === null || data.row.sha256 === local));
  return useSample(isSame ? state.hash.value : (local ?? fresh.result.asked), fresh);
}

/**
 * All that is known of a hash, from the moment that it is looked up on. What its service does is shown at its record.
 */
export function LookedUpSample({ state, scan }: LookedUpProps) {
  const { again } = useLookupStore();
  const { currentSample, failure, readAgain } = useLookedUp(state);
  // Those of many hashes are listed with them.
  const rejected = state.choice.many === null ? state.choice.rejected : [];
  if (currentSample === null)
    return state.kind === 'failed' ? (
      <LookupFailure failure={state.failure} hash={state.hash} workspaceId={state.workspaceId} />
    ) : (
      <LookupWaiting hash={state.hash} rejected={rejected} />
    );
  const failed = state.kind === 'failed' ? state.failure : null;
  const { insteadOf } = state.choice;
  const { sample } = currentSample;
  return (
    <SampleBody
      currentSample={currentSample}
      hash={state.kind === 'found' ? state.result.asked : state.hash.value}
      given={state.hash.value}
      asked={state.kind === 'found' ? state.result.asked : state.hash.value}
      scan={scan}
      failure={failure}
      onReadAgain={readAgain}
      lookup={{
        number: state.number,
        isAsking: state.kind === 'asking',
        failure: failed,
        elapsedMs: state.kind === 'found' ? state.result.elapsedMs : null,
        again,
        leads: failed !== null && (
          <LookupLeads
            failure={failed}
            hash={state.hash}
            workspaceId={state.workspaceId}
            known={{
              recordedAt: sample.records.map((record) => record.workspaceId),
              isHeld: sample.vault === 'held',
            }}
          />
        ),
      }}
      above={
        <>
          {insteadOf !== undefined && <OtherSample insteadOf={insteadOf} shown={sample[insteadOf.kind]} />}
          {rejected.length > 0 && (
            <div className={layout.insetLine}>
              <RejectedRuns runs={rejected} />
            </div>
          )}
        </>
      }
    />
  );
}

/** The MD5 that was entered is of another sample. One whose own hash is unknown may be the same. */
function OtherSample({ insteadOf: { kind, value }, shown }: { insteadOf: FoundHash; shown: string | null }) {
  if (shown === null || shown === value) return null;
  return (
    <div className={layout.insetLine}>
      <Notice meaning="warn" title={text.otherSample} isAlert>
        {text.otherSampleThen(text.kinds[kind], shown.slice(0, shortHash), value.slice(0, shortHash))}
      </Notice>
    </div>
  );
}

/** What can be done with it, in the head of the view. */
export function LookedUpActions({ state, scan }: LookedUpProps) {
  const { again } = useLookupStore();
  const { currentSample } = useLookedUp(state);
  if (currentSample === null) return null;
  const isUnknown = state.kind === 'failed' && isUnknownHash(state.failure);
  return <SampleActions currentSample={currentSample} scan={scan} onAgain={again} isUnknownAtRepository={isUnknown} />;
}

const isUnknownHash = ({ kind }: Failure): boolean => kind === 'unknown-hash' || kind === 'unknown-behind-warning';

const mostShown = 20;
const longestShown = 40;
const shortHash = 12;

/** Every run that looks like a hash and was not taken, with the reason: nothing is dropped in silence. */
function RejectedRuns({ runs, isAlert = false }: { runs: readonly RejectedRun[]; isAlert?: boolean }) {
  if (runs.length === 0) return null;
  return (
    <Notice meaning="warn" title={text.rejectedTitle(runs.length)} isAlert={isAlert}>
      {runs.slice(0, mostShown).map((run, index) => (
        <span key={index} className={styles.rejectedRun}>
          <code>{cutMiddle(run.text, longestShown)}</code> {reasonSentence(run.reason)}
        </span>
      ))}
      {runs.length > mostShown && (
        <span className={styles.rejectedRun}>{text.moreRejected(runs.length - mostShown)}</span>
      )}
    </Notice>
  );
}

/**
 * Nothing was sent: the text holds no hash. Said once, where the text is; several runs that were not taken are listed.
 */
export function NoHash({ failure, rejected }: { failure: Failure; rejected: readonly RejectedRun[] }) {
  const { what, then } = sentenceFor(failure);
  const isListed = rejected.length > 1 || (rejected.length === 1 && failure.kind === 'no-hash');
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
      {isListed ? (
        <RejectedRuns runs={rejected} isAlert />
      ) : (
        <Notice meaning="warn" title={what} isAlert>
          {then}
        </Notice>
      )}
    </div>
  );
}

interface LookupFailureProps {
  failure: Failure;
  hash: FoundHash;
  workspaceId: string;
}

/** Nothing is known of it here either. */
function LookupFailure({ failure, hash, workspaceId }: LookupFailureProps) {
  const { again } = useLookupStore();
  const retry = { name: 'samples.lookup', input: { workspaceId, hash: hash.value } } as const;
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
      <LookedUpHash hash={hash} />
      <FailureNotice
        failure={failure}
        meaning={meaningOf(failure)}
        retry={retry}
        retryLetter="R"
        onRetry={again}
        action={<FailureRemedy failure={failure} />}
      />
      <LookupLeads failure={failure} hash={hash} workspaceId={workspaceId} known={null} />
    </div>
  );
}

/** A quick answer needs no words. A slow one shows which service it waits for and how long, and can be cancelled. */
function LookupWaiting({ hash, rejected }: { hash: FoundHash; rejected: readonly RejectedRun[] }) {
  const isLate = useLate(true);
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane aria-busy="true">
      {isLate && <LookedUpHash hash={hash} />}
      {isLate && <Waiting />}
      <RejectedRuns runs={rejected} />
    </div>
  );
}

function Waiting() {
  const { stopWaiting } = useLookupStore();
  const { current } = useWorkspaces();
  const seconds = useSeconds();
  return (
    <div className={classNames(layout.stack4, styles.waiting)}>
      <p data-figures>{text.waitingFor(visibleText(current?.name ?? ''), seconds)}</p>
      <p className={typography.sentence}>{text.waitingThen}</p>
      <div>
        <Button size="small" onPress={stopWaiting}>
          {text.stopWaiting}
        </Button>
      </div>
    </div>
  );
}

/** Since it appeared, which is 300 ms after the question. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

function LookedUpHash({ hash }: { hash: FoundHash }) {
  return (
    <p className={classNames(layout.baseline8, typography.hint, styles.askedHash)}>
      {text.kinds[hash.kind]} <code>{hash.value}</code>
    </p>
  );
}
