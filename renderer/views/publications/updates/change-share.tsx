import type { DifferenceCounts } from '../../../../shared/domain/publication.ts';
import { classNames } from '../../../styles/class-names.ts';
import styles from './compare.module.css';

export interface ChangeShareProps {
  counts: DifferenceCounts;
  /** Of the package that would come. */
  rules: number;
}

/**
 * How much of a package an update changes, as a bar: new, gone and changed rules beside those that stay. The figures
 * say the same.
 */
export function ChangeShare({ counts: { added, removed, changed }, rules }: ChangeShareProps) {
  const parts = [
    [styles.shareAdded, added],
    [styles.shareRemoved, removed],
    [styles.shareChanged, changed],
    [null, Math.max(0, rules - added - changed)],
  ] as const;
  return (
    <div className={styles.share} aria-hidden="true">
      {parts.map(
        ([look, count], at) => count > 0 && <span key={at} className={classNames(look)} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}
