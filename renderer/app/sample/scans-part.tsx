import { useState } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { cutMiddle } from '../../components/format.ts';
import { TimeText } from '../../components/service-text.tsx';
import { useKnownJobs } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import { PartHead } from './part-head.tsx';
import styles from './parts.module.css';
import { type ScanTime, scanTimes } from './scan-times.ts';
import { text } from './text.ts';
import { useSampleHits } from './use-sample-hits.ts';
import type { SampleAtHand } from './use-sample.ts';

const shownAtFirst = 8;
const rulesNamed = 3;
const longestRule = 40;

/**
 * Which scans and hunts looked at the sample, and what each was the last to see. Why they cannot be read is told with
 * the hits and the history.
 */
export function ScansPart({ atHand, hash }: { atHand: SampleAtHand; hash: string }) {
  const { hits } = useSampleHits(atHand);
  const { data } = useOperation('samples.history', { hash });
  const [shown, setShown] = useState(shownAtFirst);
  const scans = scanTimes(data?.rows ?? [], hits ?? []);
  if (scans.length === 0) return null;
  return (
    <section className={styles.part} aria-labelledby="scans">
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
    <li className={styles.historyRow}>
      <span className={styles.aside}>
        <TimeText sent={time} />
      </span>
      <span>{job === undefined ? text.scanGone : text.scanKinds[kind]}</span>
      {rules.length > 0 && <bdi className={styles.place}>{text.seenThere(rulesOf(rules))}</bdi>}
      <span className={styles.push} />
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
    .map((rule) => visibleText(cutMiddle(rule, longestRule)))
    .join(', ');
  return rules.length > rulesNamed ? `${named} ${text.moreRules(rules.length - rulesNamed)}` : named;
}
