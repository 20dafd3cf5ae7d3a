import { TimeText } from '../../components/time-text.tsx';
import { classNames } from '../../styles/class-names.ts';
import styles from './lookup.module.css';
import type { RecordFact } from './record-facts.ts';

const longestFact = 600;

export function FactList({ facts }: { facts: readonly RecordFact[] }) {
  return (
    <dl className={styles.factList}>
      {facts.map((fact, index) => (
        <div key={`${index}:${fact.name}`} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd className={classNames(fact.kind === 'mono' && styles.mono)}>
            {fact.kind === 'time' ? <TimeText sent={fact.value} /> : <bdi>{fact.value.length > longestFact ? `${fact.value.slice(0, longestFact)}…` : fact.value}</bdi>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
