import { LongText, TimeText } from '../../components/service-text.tsx';
import { classNames } from '../../styles/class-names.ts';
import styles from './fact-list.module.css';
import type { RecordFact } from './record-facts.ts';

const charactersShown = 300;

export interface FactListProps {
  facts: readonly RecordFact[];
  /** Whose words the names are: a service's field names are mono, as it wrote them. */
  names: 'ours' | 'of the service';
}

export function FactList({ facts, names }: FactListProps) {
  return (
    <dl className={classNames(names === 'of the service' && styles.fieldNames)}>
      {facts.map((fact, index) => (
        <div key={`${index}:${fact.name}`} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd className={classNames(fact.kind === 'mono' && styles.mono)}>
            {fact.kind === 'time' ? (
              <TimeText sent={fact.value} />
            ) : (
              <bdi>
                <LongText text={fact.value} charactersShown={charactersShown} />
              </bdi>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
