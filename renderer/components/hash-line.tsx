import { CopyIcon } from './copy-button.tsx';
import styles from './hash-line.module.css';
import { words } from './words.ts';

export interface HashLineProps {
  /** SHA-256, SHA-1 or MD5. */
  kind: string;
  /** Lower case; null when it is not known. */
  value: string | null;
  isAsked: boolean;
}

/** A whole hash with its copy button: a row of a description list. */
export function HashLine({ kind, value, isAsked }: HashLineProps) {
  return (
    <div className={styles.line}>
      <dt className={styles.kind}>{kind}</dt>
      <dd className={styles.value}>
        {value === null ? (
          <span className={styles.missing}>{words.notKnownYet}</span>
        ) : (
          <code className={styles.hash}>{value}</code>
        )}
        {isAsked && <span className={styles.asked}>{words.askedWithThis}</span>}
      </dd>
      {value !== null && (
        <dd className={styles.copy}>
          <CopyIcon text={value} label={`${words.copy} ${kind}`} />
        </dd>
      )}
    </div>
  );
}
