import { CommentsPane } from './comments-pane.tsx';
import { DeskHistory } from './desk-history.tsx';
import { FurtherFields } from './further-fields.tsx';
import { Headline } from './headline.tsx';
import styles from './sample.module.css';
import { RecordPart } from './record-part.tsx';
import { RejectedRuns } from './rejected-runs.tsx';
import type { FoundState } from './sample-actions.tsx';
import { HitsPart } from './hits-part.tsx';
import { HashesPart } from './hashes-part.tsx';
import { TagsPart } from './tags-part.tsx';
import type { SampleScan } from './use-sample-scan.ts';
import { VerdictsPart } from './verdicts-part.tsx';

/** The record of one sample, and what this desk knows of it. */
export function SampleResult({ found, scan }: { found: FoundState; scan: SampleScan }) {
  const { record, asked, local } = found.result;
  return (
    <div className={styles.panes}>
      <div className={styles.sample} data-pane>
        {found.choice.found.length === 1 && found.choice.rejected.length > 0 && <div className={styles.part}><RejectedRuns lengths={found.choice.rejected} /></div>}
        <Headline found={found} />
        <HashesPart found={found} />
        <div className={styles.columns}>
          <div className={styles.column}>
            <VerdictsPart record={record} />
            <TagsPart tags={record.tags} own={local.tags} />
          </div>
          <RecordPart record={record} />
        </div>
        <HitsPart found={found} scan={scan} />
        <FurtherFields fields={record.unknown} />
        <DeskHistory hash={asked} />
      </div>
      <CommentsPane found={found} />
    </div>
  );
}
