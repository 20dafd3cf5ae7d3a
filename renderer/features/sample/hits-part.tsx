import { VolumeX } from 'lucide-react';
import { useState } from 'react';
import type { JournalRow } from '../../../shared/domain/journal.ts';
import { knownWords } from '../../../shared/domain/scan-table.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle, readTime } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { TimeText } from '../../components/service-text.tsx';
import { FailureRemedy, meaningOf } from '../../state/failure-remedy.tsx';
import { useKnownJobs } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Value } from '../library/value-menu.tsx';
import type { SampleScan } from '../scans/start-scan.ts';
import { PartHead } from './parts.tsx';
import styles from './sample.module.css';
import { type CurrentSample, useSampleHits } from './shown-sample.ts';
import { text } from './strings.ts';

const shownAtFirst = 20;
const longestRule = 60;
const longestVersion = 28;
const sourcesNamed = 3;

interface HitsPartProps {
  currentSample: CurrentSample;
  /** Any of its hashes. */
  hash: string;
  scan: SampleScan;
}

/** Rule hits of the sample, by its last scan; in its place, too, before there was one. */
export function HitsPart({ currentSample, hash, scan }: HitsPartProps) {
  const { sha256 } = currentSample.sample;
  const { hits = [], known, isRead, lastScan, failure: notRead, retry, readAgain } = useSampleHits(currentSample);
  const { data: history } = useOperation('samples.history', { hash });
  const [shown, setShown] = useState(shownAtFirst);
  const failure = scan.failureOf(sha256);
  // The severity and the threat are in the verdict, and in the record.
  const others = known === null ? [] : knownWords({ ...known, severity: null, threat: null });
  const isScanned = lastScan !== null || scanTimes(history?.rows ?? [], hits).length > 0;
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="hits">
      <PartHead id="hits" title={text.hits} aside={hits.length > 0 && text.hitsAside} />
      {failure !== null && (
        <div className={styles.reportedHits}>
          <FailureNotice failure={failure} meaning={meaningOf(failure)} action={<FailureRemedy failure={failure} />} />
        </div>
      )}
      {notRead !== null && <FailureNotice failure={notRead} retry={retry} onRetry={readAgain} />}
      {(isRead || sha256 === null) && hits.length === 0 && (
        <p className={typography.aside}>{isScanned ? text.noHits : text.notScanned}</p>
      )}
      {others.length > 0 && (
        <div className={styles.reportedHits}>
          <Notice meaning="warn" title={text.knownHits}>
            <bdi>{visibleText(others.map((words) => `${words}.`).join(' '))}</bdi>
          </Notice>
        </div>
      )}
      <ul aria-labelledby="hits">
        {hits.slice(0, shown).map((hit) => (
          <HitRow key={`${hit.side}:${hit.rule}`} hit={hit} workspaceId={currentSample.workspaceId} />
        ))}
      </ul>
      {hits.length > shown && (
        <div className={styles.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(hits.length)}>
            {text.moreTags(hits.length - shown)}
          </Button>
        </div>
      )}
      {hits.length > 0 && <HitSources hits={hits} />}
    </section>
  );
}

/** Who found them, with which rules, and when the last was seen. */
function HitSources({ hits }: { hits: readonly SampleHit[] }) {
  const sources = new Set(
    hits.map(({ side, version }) =>
      version === null
        ? text.sides[side]
        : text.sideWith(text.sides[side], visibleText(cutMiddle(version, longestVersion))),
    ),
  );
  const last = hits.reduce((latest, { lastSeen }) => (lastSeen > latest ? lastSeen : latest), '');
  return (
    <p className={classNames(typography.smallHint, styles.hitSources)}>
      <bdi>{[...sources].slice(0, sourcesNamed).join(', ')}</bdi>, <TimeText sent={last} />
    </p>
  );
}

function HitRow({
  hit: { rule, side, version, lastSeen, matches, jobId, position, mute },
  workspaceId,
}: {
  hit: SampleHit;
  workspaceId: string;
}) {
  const { openScan } = useNavigation();
  const { byId } = useKnownJobs();
  const name = visibleText(cutMiddle(rule, longestRule));
  const facts = [text.sides[side], ...(version === null ? [] : [visibleText(version)]), readTime(lastSeen).text];
  return (
    <li className={classNames(layout.row8, styles.hitRow)} title={facts.join(', ')}>
      <code className={classNames(styles.hitRule, mute !== null && typography.faint)} title={visibleText(rule)}>
        <Value field="rule" value={rule} workspaceId={workspaceId}>
          <bdi className={typography.cut}>{name}</bdi>
        </Value>
      </code>
      {mute !== null && (
        <span className={classNames(layout.row4, typography.smallNote, layout.fixed)} title={visibleText(mute.reason)}>
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.muted}
        </span>
      )}
      <span className={classNames(layout.row8, styles.hitFacts)}>
        {side === 'service' && (
          <span className={classNames(typography.cut, typography.faint, styles.hitFact)} title={text.sides.service}>
            {text.sides.service}
          </span>
        )}
        <span
          className={classNames(typography.cut, typography.faint, styles.hitFact)}
          title={text.matches(matches)}
          data-figures
        >
          {text.matches(matches)}
        </span>
        {/* One that is not in the list any more has nothing to show. */}
        {jobId !== null && byId.has(jobId) && (
          <Button
            size="small"
            look="inline"
            aria-label={text.showHitOf(name)}
            onPress={() => openScan(jobId, position ?? undefined)}
          >
            {text.showHit}
          </Button>
        )}
      </span>
    </li>
  );
}

const scansShownAtFirst = 8;
const rulesNamed = 3;
const longestScanRule = 40;

/**
 * The scans and hunts that covered the sample, and which hits each was the last to find. Failures to read them are
 * shown with the hits and the history.
 */
export function ScansPart({ currentSample, hash }: { currentSample: CurrentSample; hash: string }) {
  const { hits } = useSampleHits(currentSample);
  const { data } = useOperation('samples.history', { hash });
  const [shown, setShown] = useState(scansShownAtFirst);
  const scans = scanTimes(data?.rows ?? [], hits ?? []);
  if (scans.length === 0) return null;
  return (
    <section className={classNames(layout.insetLine, styles.part)} aria-labelledby="scans">
      <PartHead id="scans" title={text.scans} aside={text.scansAside} />
      <ol aria-labelledby="scans">
        {scans.slice(0, shown).map((scan) => (
          <ScanRow key={scan.jobId} scan={scan} />
        ))}
      </ol>
      {scans.length > shown && (
        <div className={styles.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(scans.length)}>
            {text.moreTags(scans.length - shown)}
          </Button>
        </div>
      )}
    </section>
  );
}

function ScanRow({ scan: { jobId, position, time, rules } }: { scan: ScanTime }) {
  const { openScan } = useNavigation();
  const { byId } = useKnownJobs();
  const job = jobId === null ? undefined : byId.get(jobId);
  const kind = job?.task.kind === 'hunt' ? 'hunt' : 'scan';
  return (
    <li className={classNames(layout.row8, styles.historyRow)}>
      <span className={typography.hint}>
        <TimeText sent={time} />
      </span>
      <span>{job === undefined ? text.scanGone : text.scanKinds[kind]}</span>
      {rules.length > 0 && (
        <bdi className={classNames(typography.cut, typography.muted)}>{text.seenThere(rulesOf(rules))}</bdi>
      )}
      <span className={layout.grow} />
      {job !== undefined && (
        <Button
          size="small"
          look="inline"
          aria-label={text.openScanOf(job.id)}
          onPress={() => openScan(job.id, position ?? undefined)}
        >
          {text.openScan}
        </Button>
      )}
    </li>
  );
}

function rulesOf(rules: readonly string[]): string {
  const named = rules
    .slice(0, rulesNamed)
    .map((rule) => visibleText(cutMiddle(rule, longestScanRule)))
    .join(', ');
  return rules.length > rulesNamed ? `${named} ${text.moreRules(rules.length - rulesNamed)}` : named;
}

/** One scan or hunt that looked at the sample. */
interface ScanTime {
  /** null: it is not known which. */
  jobId: number | null;
  /** The sample's place among its files, where that is known. */
  position: number | null;
  /** UTC, ISO 8601. */
  time: string;
  /** The rules that were seen in it last by this one. Untrusted text. */
  rules: readonly string[];
}

/**
 * The scans of a sample, newest first: those of the journal, which also has scans without hits, and those that its hits
 * name, which may be hunts. A rule is listed under the last scan that hit.
 */
export function scanTimes(rows: readonly JournalRow[], hits: readonly SampleHit[]): ScanTime[] {
  const scans = new Map<number | null, ScanTime>();
  const note = (seen: Omit<ScanTime, 'rules'>, rules: readonly string[]): void => {
    const before = scans.get(seen.jobId);
    const time = before !== undefined && before.time > seen.time ? before.time : seen.time;
    scans.set(seen.jobId, {
      jobId: seen.jobId,
      position: before?.position ?? seen.position,
      time,
      rules: [...new Set([...(before?.rules ?? []), ...rules])],
    });
  };
  for (const {
    operation,
    detail: { job },
    time,
  } of rows)
    if (operation === 'scan' && typeof job === 'number') note({ jobId: job, position: null, time }, []);
  for (const { rule, jobId, position, lastSeen } of hits) note({ jobId, position, time: lastSeen }, [rule]);
  return [...scans.values()].toSorted(newestFirst);
}

function newestFirst(one: ScanTime, other: ScanTime): number {
  if (one.time !== other.time) return one.time < other.time ? 1 : -1;
  return (other.jobId ?? 0) - (one.jobId ?? 0);
}
