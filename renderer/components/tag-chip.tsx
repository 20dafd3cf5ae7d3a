import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import typography from '../styles/typography.module.css';
import { words } from './format.ts';
import styles from './tag-chip.module.css';

/**
 * A tag as it was sent: the namespace, up to the last colon, is fainter than the value. `isForeign`: a service's, and
 * not given on this desk.
 */
export function TagChip({ tag, isForeign = false }: { tag: string; isForeign?: boolean }) {
  const shown = visibleText(tag);
  const cut = shown.lastIndexOf(':') + 1;
  return (
    <span
      className={classNames(styles.chip, isForeign && styles.foreign)}
      title={isForeign ? words.serviceTag : undefined}
    >
      <bdi>
        {cut > 0 && <span className={typography.faint}>{shown.slice(0, cut)}</span>}
        {shown.slice(cut)}
      </bdi>
    </span>
  );
}
