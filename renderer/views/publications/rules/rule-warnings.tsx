import { TriangleAlert } from 'lucide-react';
import type { RuleWarning } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import styles from './rules.module.css';
import { text } from './text.ts';

const shownAtMost = 8;

/** What is warned of in a rule that works, by line. */
export function RuleWarnings({ warnings }: { warnings: readonly RuleWarning[] }) {
  const rest = warnings.length - shownAtMost;
  return (
    <div className={styles.warnings}>
      <p className={classNames(layout.row6, styles.warningsTitle)}>
        <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.warningsTitle(warnings.length)}
      </p>
      <ul aria-label={text.warningsTitle(warnings.length)}>
        {warnings.slice(0, shownAtMost).map((warning) => (
          <li key={`${warning.line}:${warning.code}:${warning.text}`}>
            <bdi>{visibleText(text.warningAt(warning.line, warning.text))}</bdi>{' '}
            <code>{visibleText(warning.code)}</code>
          </li>
        ))}
        {rest > 0 && <li>{text.moreWarnings(rest)}</li>}
      </ul>
    </div>
  );
}
