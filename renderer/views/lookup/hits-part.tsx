import { VolumeX } from 'lucide-react';
import { useState } from 'react';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useDownloadOf } from '../../app/downloads.tsx';
import { FailureRemedy, meaningOf } from '../../app/failure-remedy.tsx';
import { useKnownJobs } from '../../app/jobs.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/middle-cut.ts';
import { TimeText } from '../../components/time-text.tsx';
import { classNames } from '../../styles/class-names.ts';
import styles from './sample.module.css';
import { PartHead } from './part-head.tsx';
import type { FoundState } from './sample-actions.tsx';
import { knownSample } from './sample-hashes.ts';
import { text } from './text.ts';
import type { SampleScan } from './use-sample-scan.ts';

const shownAtFirst = 20;
const longestRule = 60;
const longestVersion = 28;

/** What rules found in the sample, as last seen. Nothing where it was never before any. */
export function HitsPart({ found, scan }: { found: FoundState; scan: SampleScan }) {
  const { download } = useDownloadOf(found.workspaceId, found.result.asked);
  const { sha256, inVault } = knownSample(found.result, download);
  const input = { workspaceId: found.workspaceId, sha256: sha256 ?? '' };
  const { data, error, refetch } = useOperation('samples.hits', input, { enabled: sha256 !== null });
  const [shown, setShown] = useState(shownAtFirst);
  const failure = scan.failureOf(sha256);
  const hits = data?.hits ?? [];
  if (sha256 === null || (hits.length === 0 && !inVault && error === null)) return null;
  return (
    <section className={styles.part} aria-labelledby="hits">
      <PartHead id="hits" title={text.hits} aside={text.hitsAside} />
      {failure !== null && <div className={styles.toldHits}><FailureNotice failure={failure} meaning={meaningOf(failure)} action={<FailureRemedy failure={failure} />} /></div>}
      {error !== null && <FailureNotice failure={error} retry={{ name: 'samples.hits', input }} onRetry={() => void refetch()} />}
      {data !== undefined && hits.length === 0 && <p className={styles.nothing}>{text.noHits}</p>}
      <ul aria-labelledby="hits">{hits.slice(0, shown).map((hit) => <HitRow key={`${hit.side}:${hit.rule}`} hit={hit} />)}</ul>
      {hits.length > shown && <div className={styles.moreTags}><Button size="small" look="quiet" onPress={() => setShown(hits.length)}>{text.moreTags(hits.length - shown)}</Button></div>}
    </section>
  );
}

function HitRow({ hit: { rule, side, version, lastSeen, matches, jobId, position, mute } }: { hit: SampleHit }) {
  const { openScan } = useNavigation();
  const { byId } = useKnownJobs();
  const name = visibleText(cutMiddle(rule, longestRule));
  const facts = [text.sides[side], ...(version === null ? [] : [visibleText(cutMiddle(version, longestVersion))]), text.matches(matches)];
  return (
    <li className={styles.hitRow}>
      <code className={classNames(styles.hitRule, mute !== null && styles.mutedRule)} title={visibleText(rule)}><bdi>{name}</bdi></code>
      {mute !== null && <span className={styles.mutedMark} title={visibleText(mute.reason)}><VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />{text.muted}</span>}
      <bdi className={styles.hitFacts} data-figures>{facts.join(', ')}</bdi>
      <span className={styles.push} />
      <span className={styles.aside}><TimeText sent={lastSeen} /></span>
      {/* One that is not in the list any more has nothing to show. */}
      {jobId !== null && byId.has(jobId) && <Button size="small" look="inline" aria-label={text.showHitOf(name)} onPress={() => openScan(jobId, position ?? undefined)}>{text.showHit}</Button>}
    </li>
  );
}
