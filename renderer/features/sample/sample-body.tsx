import { type KeyboardEvent, type ReactNode, useMemo, useRef } from 'react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import type { Failure } from '../../../shared/failure.ts';
import { useSettings } from '../../state/settings.ts';
import { Conversation } from '../comments/conversation.tsx';
import { BytesPart } from './bytes-part.tsx';
import { BytesView } from './bytes-view.tsx';
import { Headline } from './headline.tsx';
import styles from './sample-body.module.css';
import { SampleFacts } from './sample-facts.tsx';
import { text } from './text.ts';
import { useMatchMarks } from './use-match-marks.ts';
import type { SampleScan } from './use-sample-scan.ts';
import type { SampleAtHand } from './use-sample.ts';
import { type ShownBytes, useShownBytes } from './use-shown-bytes.ts';

export interface SampleBodyProps {
  atHand: SampleAtHand;
  /** Any of its hashes. */
  hash: string;
  /** The one that its service was asked with; null: none was. */
  asked: string | null;
  scan: SampleScan;
  /** Why what this desk knows of it cannot be read. */
  failure: Failure | null;
  onReadAgain(): void;
  /** What stands before all of it. */
  above?: ReactNode;
}

/**
 * All that this desk and its services know of one sample, and what is said of it. Give it a `key` of the sample's own.
 */
export function SampleBody(props: SampleBodyProps) {
  const {
    atHand: { sample, workspaceId },
    atHand,
    above,
  } = props;
  const marks = useMatchMarks(atHand);
  const bytes = useShownBytes(marks);
  const held = sample.vault === 'held' ? sample.sha256 : null;
  const source = useMemo((): ByteSource | null => (held === null ? null : { kind: 'vault', sha256: held }), [held]);
  const pane = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !bytes.isOpen) return;
    event.preventDefault();
    bytes.close();
    pane.current?.querySelector<HTMLElement>('button[data-letter="B"]')?.focus();
  };
  const ofRecord = sample.records.find((record) => record.workspaceId === workspaceId)?.record.comments;
  return (
    <div className={styles.panes}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leads back from the bytes */}
      <div ref={pane} className={styles.sample} data-pane onKeyDown={onKeyDown}>
        {above}
        <Headline atHand={atHand} />
        {source !== null && sample.sizeBytes !== null && (
          <BytesPart
            source={source}
            sizeBytes={sample.sizeBytes}
            marks={marks}
            window={bytes.window}
            isOpen={bytes.isOpen}
            onToggle={bytes.toggle}
            onGoTo={bytes.open}
            onMark={bytes.openMark}
          />
        )}
        {source !== null && sample.sizeBytes !== null && bytes.isOpen ? (
          <OpenBytes source={source} sizeBytes={sample.sizeBytes} marks={marks} bytes={bytes} />
        ) : (
          <SampleFacts {...props} />
        )}
      </div>
      {sample.md5 === null ? (
        <p className={styles.noThread}>{text.noThread}</p>
      ) : (
        <Conversation workspaceId={workspaceId} md5={sample.md5} {...(ofRecord === undefined ? {} : { ofRecord })} />
      )}
    </div>
  );
}

interface OpenBytesProps {
  source: ByteSource;
  sizeBytes: number;
  marks: ReturnType<typeof useMatchMarks>;
  bytes: ShownBytes;
}

function OpenBytes({ source, sizeBytes, marks, bytes }: OpenBytesProps) {
  const { values } = useSettings();
  return (
    <div className={styles.hex}>
      <BytesView
        source={source}
        sizeBytes={sizeBytes}
        marks={marks}
        current={bytes.mark}
        onCurrent={bytes.setMark}
        goTo={bytes.goTo}
        onWindow={bytes.setWindow}
        letters={values.singleLetterKeys}
      />
    </div>
  );
}
