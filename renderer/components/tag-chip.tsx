import { visibleText } from '../../shared/domain/visible-text.ts';
import styles from './tag-chip.module.css';

/** A tag as it was sent: the namespace, up to the last colon, is fainter than the value. */
export function TagChip({ tag }: { tag: string }) {
  const shown = visibleText(tag);
  const cut = shown.lastIndexOf(':') + 1;
  return (
    <span className={styles.chip}>
      <bdi>
        {cut > 0 && <span className={styles.namespace}>{shown.slice(0, cut)}</span>}
        {shown.slice(cut)}
      </bdi>
    </span>
  );
}
