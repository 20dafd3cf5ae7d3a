import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { CopyIcon } from './copy-button.tsx';
import { words } from './format.ts';
import styles from './hash-line.module.css';

interface HashLineProps {
  /** SHA-256, SHA-1 or MD5. */
  kind: string;
  /** Lower case; null when it is not known. */
  value: string | null;
  /** `given`: a person looked it up. `asked`: its service was asked with it instead. */
  use: 'given' | 'asked' | null;
}

/** A whole hash with its copy button: a row of a description list. */
export function HashLine({ kind, value, use }: HashLineProps) {
  return (
    <div className={classNames(layout.grid8, styles.line)}>
      <dt className={classNames(typography.hint, styles.kind)}>{kind}</dt>
      <dd className={classNames(layout.wrap, styles.value)}>
        {value === null ? (
          <span className={typography.hint}>{words.notKnownYet}</span>
        ) : (
          <code className={classNames(typography.code, typography.anywhere)}>{value}</code>
        )}
        {use !== null && <span className={styles.asked}>{words.hashUses[use]}</span>}
      </dd>
      {value !== null && (
        <dd>
          <CopyIcon text={value} label={`${words.copy} ${kind}`} />
        </dd>
      )}
    </div>
  );
}
