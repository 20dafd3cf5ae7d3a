import { useState } from 'react';
import type { RejectedRun } from '../../../shared/domain/hash-extraction.ts';
import { reasonSentence } from '../../../shared/domain/hash-reasons.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './bulk-download.module.css';
import type { TextSummary } from './extracted-text.ts';
import { text } from './text.ts';

const shownAtFirst = 50;
const shownMore = 500;

/** Every run that looked meant as a hash and is none, with its line and its reason. */
export function RejectedList({ summary: { rejected, rejectedCount } }: { summary: TextSummary }) {
  const [shown, setShown] = useState(shownAtFirst);
  const left = rejected.length - shown;
  return (
    <section className={classNames(layout.stack, styles.rejectedList)} aria-labelledby="rejected-runs">
      <div className={classNames(layout.row, styles.rejectedHead)}>
        <h3 id="rejected-runs" className={styles.countsTitle} data-figures>
          {text.rejectedTitle(rejectedCount)}
        </h3>
        <CopyButton label={text.copy} text={() => rejected.map(asLine).join('\n')} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <div className={styles.rejectedRuns} tabIndex={0} role="group" aria-labelledby="rejected-runs">
        <ul>
          {rejected.slice(0, shown).map((run, index) => (
            <li key={`${run.line}:${index}`} className={styles.run} title={run.text}>
              <span className={typography.faint} data-figures>
                {text.line(run.line)}
              </span>
              <span>{reasonSentence(run.reason)}</span>
            </li>
          ))}
        </ul>
        {left > 0 && (
          <Button size="small" look="quiet" onPress={() => setShown(shown + shownMore)}>
            {text.more(Math.min(left, shownMore))}
          </Button>
        )}
        {rejectedCount > rejected.length && left <= 0 && (
          <p className={classNames(typography.hint, styles.aside)}>{text.rejectedKept(rejected.length)}</p>
        )}
      </div>
    </section>
  );
}

const asLine = ({ line, text: run, reason }: RejectedRun): string =>
  `${text.line(line)}\t${run}\t${reasonSentence(reason)}`;
