import { ProgressBar } from 'react-aria-components/ProgressBar';
import type { CheckProgress } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './updates.module.css';

const wordsOf = {
  asking: () => '',
  fetching: text.fetched,
  gathering: text.gathered,
  opening: () => '',
  compiling: text.compiled,
} as const;

/** How far a check, or the opening of a file, is. Without a known end no bar is made up. */
export function CheckStrip({ progress: { phase, done, total } }: { progress: CheckProgress }) {
  const { cancel } = useUpdatesDesk();
  const share = total === null || total === 0 ? null : Math.min(100, (done / total) * 100);
  const words = wordsOf[phase](done, total);
  return (
    <div className={classNames(layout.row12, layout.top, styles.strip)}>
      <ProgressBar
        className={classNames(layout.row12, layout.widest, typography.body)}
        aria-label={text.checking}
        valueLabel={`${text.phases[phase]} ${words}`}
        {...(share === null ? { isIndeterminate: true } : { value: share })}
      >
        <span className={styles.phase}>{text.phases[phase]}</span>
        <span className={styles.track} aria-hidden="true">
          {share !== null && <span className={styles.fill} style={{ width: `${share}%` }} />}
        </span>
        <span className={styles.far}>{words}</span>
      </ProgressBar>
      <Button size="small" onPress={cancel} data-landing>
        {text.cancel}
      </Button>
    </div>
  );
}
