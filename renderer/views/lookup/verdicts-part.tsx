import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { FactList } from './fact-list.tsx';
import styles from './sample.module.css';
import { verdictFacts } from './record-facts.ts';
import { PartHead } from './part-head.tsx';
import { text } from './text.ts';

export function VerdictsPart({ record }: { record: SampleRecord }) {
  const facts = verdictFacts(record);
  return (
    <section className={styles.part} aria-labelledby="verdicts">
      <PartHead id="verdicts" title={text.verdicts} />
      {facts.length === 0 ? <p className={styles.nothing}>{text.noVerdicts}</p> : <FactList facts={facts} names="ours" />}
    </section>
  );
}
