import type { FamilyGroup, RuleGroup } from '../../../../shared/domain/scan.ts';
import styles from './list.module.css';

/**
 * How many files a rule or a family hit, beside the one that hit the most, as a bar; what a hunt found anew comes first
 * in it. The row says both in figures.
 */
export function FileShare({ group: { files, added }, most }: { group: RuleGroup | FamilyGroup; most: number }) {
  const share = (count: number): string => `${(100 * count) / Math.max(1, most, files)}%`;
  const news = Math.min(added, files);
  return (
    <span className={styles.share} aria-hidden="true">
      <span className={styles.shareAdded} style={{ inlineSize: share(news) }} />
      <span className={styles.shareKnown} style={{ inlineSize: share(files - news) }} />
    </span>
  );
}
