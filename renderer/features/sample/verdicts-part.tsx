import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { FactList } from './fact-list.tsx';
import { PartHead } from './part-head.tsx';
import { verdictFacts } from './record-facts.ts';
import styles from './parts.module.css';
import { text } from './text.ts';

export function VerdictsPart({ record }: { record: SampleRecord | null }) {
  const facts = record === null ? [] : verdictFacts(record);
  return (
    <section className={styles.part} aria-labelledby="verdicts">
      <PartHead id="verdicts" title={text.verdicts} />
      {facts.length === 0 ? (
        <p className={styles.nothing}>{text.noVerdicts}</p>
      ) : (
        <FactList facts={facts} names="ours" />
      )}
    </section>
  );
}
