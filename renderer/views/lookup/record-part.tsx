import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { FactList } from './fact-list.tsx';
import styles from './sample.module.css';
import { PartHead } from './part-head.tsx';
import { recordFacts } from './record-facts.ts';
import { text } from './text.ts';

export function RecordPart({ record }: { record: SampleRecord }) {
  const facts = recordFacts(record);
  return (
    <section className={styles.part} aria-labelledby="record">
      <PartHead id="record" title={text.elsewhere} aside={text.asSent} />
      {facts.length === 0 ? <p className={styles.nothing}>{text.nothingMore}</p> : <FactList facts={facts} names="of the service" />}
    </section>
  );
}
