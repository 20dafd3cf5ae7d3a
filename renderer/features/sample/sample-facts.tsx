import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { useWorkspaces } from '../../state/workspaces.ts';
import { NamesPart } from '../additions/names-part.tsx';
import { DeskHistory } from './desk-history.tsx';
import { FurtherFields } from './further-fields.tsx';
import { HashesPart } from './hashes-part.tsx';
import { HitsPart } from './hits-part.tsx';
import { NotePart } from './note-part.tsx';
import styles from './note.module.css';
import { PartHead } from './part-head.tsx';
import parts from './parts.module.css';
import { RecordPart } from './record-part.tsx';
import type { SampleBodyProps } from './sample-body.tsx';
import { ScansPart } from './scans-part.tsx';
import { recordToShow } from './shown-sample.ts';
import { TagsPart } from './tags-part.tsx';
import { text } from './text.ts';
import { VerdictsPart } from './verdicts-part.tsx';

/** What is known of the sample, part by part, in the order in which it is read. */
export function SampleFacts({ atHand, hash, asked, scan, failure, onReadAgain }: SampleBodyProps) {
  const { sample, workspaceId, isWhole } = atHand;
  const { workspaces } = useWorkspaces();
  const [chosen, choose] = useState<string | null>(null);
  const shown = recordToShow(sample.records, chosen, workspaceId);
  const service = workspaces.find(({ id }) => id === chosen)?.id ?? workspaceId;
  // One that has just been looked up is there with its record, whatever the library says a moment later.
  const notRead = failure?.kind === 'not-in-library' ? null : failure;
  return (
    <>
      {notRead !== null && (
        <div className={parts.part}>
          <FailureNotice
            failure={notRead}
            after={text.notAllKnown}
            retry={{ name: 'library.sample', input: { hash } }}
            onRetry={onReadAgain}
          />
        </div>
      )}
      <HashesPart sample={sample} asked={asked} />
      <NamesPart names={sample.names} />
      <div className={parts.columns}>
        <div className={parts.column}>
          <VerdictsPart record={shown?.record ?? null} />
          <TagsPart atHand={atHand} />
        </div>
        <RecordPart
          records={sample.records}
          shown={shown}
          onChoose={choose}
          question={asked === null && sample.md5 !== null ? { workspaceId: service, hash: sample.md5 } : null}
        />
      </div>
      {sample.sha256 !== null && isWhole && (
        <NotePart key={sample.sha256} sha256={sample.sha256} stored={sample.note?.text ?? ''} />
      )}
      {sample.sha256 !== null && !isWhole && failure === null && (
        <section className={styles.notePlace} aria-labelledby="note">
          <PartHead id="note" title={text.note} />
        </section>
      )}
      <HitsPart atHand={atHand} scan={scan} />
      <ScansPart atHand={atHand} hash={hash} />
      <FurtherFields fields={shown?.record.unknown ?? {}} />
      <DeskHistory hash={hash} />
    </>
  );
}
