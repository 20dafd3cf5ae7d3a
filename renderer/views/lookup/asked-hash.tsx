import type { FoundHash } from '../../../shared/domain/hash.ts';
import { classNames } from '../../styles/class-names.ts';
import typography from '../../styles/typography.module.css';
import styles from './lookup.module.css';
import { text } from './text.ts';

export function AskedHash({ hash }: { hash: FoundHash }) {
  return (
    <p className={classNames(typography.hint, styles.askedHash)}>
      {text.kinds[hash.kind]} <code>{hash.value}</code>
    </p>
  );
}
