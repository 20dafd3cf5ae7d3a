import { VolumeX } from 'lucide-react';
import { useState } from 'react';
import { knownWords } from '../../../shared/domain/scan-format.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { TimeText } from '../../components/service-text.tsx';
import { classNames } from '../../styles/class-names.ts';
import { FailureRemedy, meaningOf } from '../failure-remedy.tsx';
import { useKnownJobs } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import styles from './hits-part.module.css';
import { PartHead } from './part-head.tsx';
import parts from './parts.module.css';
import { text } from './text.ts';
import { useSampleHits } from './use-sample-hits.ts';
import type { SampleScan } from './use-sample-scan.ts';
import type { SampleAtHand } from './use-sample.ts';

const shownAtFirst = 20;
const longestRule = 60;
const longestVersion = 28;

/** What rules found in the sample, as last seen. Nothing where it was never before any. */
export function HitsPart({ atHand, scan }: { atHand: SampleAtHand; scan: SampleScan }) {
  const { sha256, vault } = atHand.sample;
  const { hits = [], known, isRead, failure: notRead, retry, readAgain } = useSampleHits(atHand);
  const [shown, setShown] = useState(shownAtFirst);
  const failure = scan.failureOf(sha256);
  const others = known === null ? [] : knownWords(known);
  if (sha256 === null || (hits.length === 0 && others.length === 0 && vault === 'none' && notRead === null))
    return null;
  return (
    <section className={parts.part} aria-labelledby="hits">
      <PartHead id="hits" title={text.hits} aside={text.hitsAside} />
      {failure !== null && (
        <div className={parts.toldHits}>
          <FailureNotice failure={failure} meaning={meaningOf(failure)} action={<FailureRemedy failure={failure} />} />
        </div>
      )}
      {notRead !== null && <FailureNotice failure={notRead} retry={retry} onRetry={readAgain} />}
      {isRead && hits.length === 0 && <p className={parts.nothing}>{text.noHits}</p>}
      {others.length > 0 && (
        <div className={parts.toldHits}>
          <Notice meaning="warn" title={text.knownHits}>
            <bdi>{visibleText(others.map((words) => `${words}.`).join(' '))}</bdi>
          </Notice>
        </div>
      )}
      <ul aria-labelledby="hits">
        {hits.slice(0, shown).map((hit) => (
          <HitRow key={`${hit.side}:${hit.rule}`} hit={hit} />
        ))}
      </ul>
      {hits.length > shown && (
        <div className={parts.moreTags}>
          <Button size="small" look="quiet" onPress={() => setShown(hits.length)}>
            {text.moreTags(hits.length - shown)}
          </Button>
        </div>
      )}
    </section>
  );
}

function HitRow({ hit: { rule, side, version, lastSeen, matches, jobId, position, mute } }: { hit: SampleHit }) {
  const { openScan } = useNavigation();
  const { byId } = useKnownJobs();
  const name = visibleText(cutMiddle(rule, longestRule));
  const facts = [
    text.sides[side],
    ...(version === null ? [] : [visibleText(cutMiddle(version, longestVersion))]),
    text.matches(matches),
  ];
  return (
    <li className={styles.hitRow}>
      <code className={classNames(styles.hitRule, mute !== null && styles.mutedRule)} title={visibleText(rule)}>
        <bdi>{name}</bdi>
      </code>
      {mute !== null && (
        <span className={styles.mutedMark} title={visibleText(mute.reason)}>
          <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.muted}
        </span>
      )}
      <bdi className={styles.hitFacts} data-figures>
        {facts.join(', ')}
      </bdi>
      <span className={parts.push} />
      <span className={parts.aside}>
        <TimeText sent={lastSeen} />
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
    </li>
  );
}
