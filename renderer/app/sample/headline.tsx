import { useLayoutEffect, useRef } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { exactSizeWords, readTime } from '../../components/format.ts';
import { SampleName, TimeText } from '../../components/service-text.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import { classNames } from '../../styles/class-names.ts';
import { DownloadState } from './download-state.tsx';
import styles from './headline.module.css';
import parts from './parts.module.css';
import { text } from './text.ts';
import type { SampleAtHand } from './use-sample.ts';
import { DamagedNotice, VaultStateWords } from './vault-state.tsx';

const longestName = 72;

/** What the sample is called, what it is, and where its bytes are. */
export function Headline({ atHand }: { atHand: SampleAtHand }) {
  const { name, tlp, vault, type, sizeBytes, firstSeen, lastSeen } = atHand.sample;
  const heading = useRef<HTMLHeadingElement>(null);
  const whole = name === null || name === '' ? null : visibleText(name);
  // The answer is where one goes on from: the keys of the sample work as soon as it is seen, and a screen reader reads
  // its name.
  useLayoutEffect(() => {
    heading.current?.focus();
  }, []);
  return (
    <section className={parts.part}>
      <div className={styles.nameLine}>
        <h2
          ref={heading}
          tabIndex={-1}
          className={classNames(styles.name, whole === null && styles.unnamed)}
          title={whole ?? undefined}
        >
          {name === null || whole === null ? text.unnamed : <SampleName name={name} longest={longestName} />}
        </h2>
        {tlp !== null && <TlpLabel level={tlp} />}
        <VaultStateWords vault={vault} />
      </div>
      <p className={styles.facts}>
        {typeAndSize(type, sizeBytes)}. <Seen first={firstSeen} last={lastSeen} />
      </p>
      <DamagedNotice sample={atHand.sample} />
      <DownloadState atHand={atHand} />
    </section>
  );
}

/** One time when it was seen in one minute only. */
function Seen({ first, last }: { first: string; last: string }) {
  if (readTime(first).text === readTime(last).text)
    return (
      <>
        {text.seenOnce} <TimeText sent={last} />.
      </>
    );
  return (
    <>
      {text.seenFirst} <TimeText sent={first} />, {text.seenLast} <TimeText sent={last} />.
    </>
  );
}

function typeAndSize(type: string | null, sizeBytes: number | null): string {
  if (type === null) return sizeBytes === null ? text.sizeUnknown : exactSizeWords(sizeBytes);
  return `${visibleText(type)}, ${sizeBytes === null ? text.alsoSizeUnknown : exactSizeWords(sizeBytes)}`;
}
