import type { FoundHash } from '../../../shared/domain/hash.ts';
import styles from './lookup.module.css';
import { text } from './text.ts';

export function AskedHash({ hash }: { hash: FoundHash }) {
  return (
    <p className={styles.askedHash}>
      {text.kinds[hash.kind]} <code>{hash.value}</code>
    </p>
  );
}
