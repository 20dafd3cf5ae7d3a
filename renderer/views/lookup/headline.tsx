import { CircleDashed, ShieldCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useDownloadOf } from '../../app/downloads.tsx';
import { exactSizeWords } from '../../components/byte-words.ts';
import { SampleName } from '../../components/sample-name.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { TlpLabel } from '../../components/tlp-label.tsx';
import { tlpOf } from '../../../shared/domain/tlp.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { readTime } from '../../components/utc-time.ts';
import { classNames } from '../../styles/class-names.ts';
import { DownloadState } from './download-state.tsx';
import styles from './sample.module.css';
import type { FoundState } from './sample-actions.tsx';
import { knownSample } from './sample-hashes.ts';
import { text } from './text.ts';

const longestName = 72;

export function Headline({ found }: { found: FoundState }) {
  const { record, local, asked } = found.result;
  const { download } = useDownloadOf(found.workspaceId, asked);
  const name = useRef<HTMLHeadingElement>(null);
  const known = knownSample(found.result, download);
  const tlp = tlpOf(record.tags);
  const whole = record.name === null || record.name === '' ? null : visibleText(record.name);
  // The answer is where one goes on from: the keys of the sample work at once, and a screen reader reads its name.
  useEffect(() => {
    name.current?.focus();
  }, []);
  return (
    <section className={styles.part}>
      <div className={styles.nameLine}>
        <h2 ref={name} tabIndex={-1} className={classNames(styles.name, whole === null && styles.unnamed)} title={whole ?? undefined}>
          {record.name === null || whole === null ? text.unnamed : <SampleName name={record.name} longest={longestName} />}
        </h2>
        {tlp !== null && <TlpLabel level={tlp} />}
        <VaultState inVault={known.inVault} />
      </div>
      <p className={styles.facts}>
        {typeAndSize(record.mime, known.sizeBytes)}. <Seen first={local.firstSeen} last={local.lastSeen} />
      </p>
      <DownloadState found={found} />
    </section>
  );
}

/** One time when it was seen in one minute only. */
function Seen({ first, last }: { first: string; last: string }) {
  if (readTime(first).text === readTime(last).text) return <>{text.seenOnce} <TimeText sent={last} />.</>;
  return <>{text.seenFirst} <TimeText sent={first} />, {text.seenLast} <TimeText sent={last} />.</>;
}

function typeAndSize(mime: string | null, sizeBytes: number | null): string {
  if (mime === null) return sizeBytes === null ? text.sizeUnknown : exactSizeWords(sizeBytes);
  return `${visibleText(mime)}, ${sizeBytes === null ? text.alsoSizeUnknown : exactSizeWords(sizeBytes)}`;
}

function VaultState({ inVault }: { inVault: boolean }) {
  const Icon = inVault ? ShieldCheck : CircleDashed;
  return (
    <p className={classNames(styles.vault, inVault && styles.inVault)} role="status">
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      {inVault ? text.inVault : text.notInVault}
    </p>
  );
}
