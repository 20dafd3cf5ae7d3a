import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { toFetch } from '../../app/bulk-tally.ts';
import { numberWords } from '../../components/byte-words.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './bulk-download.module.css';
import type { TextSummary } from './extracted-text.ts';
import { text } from './text.ts';

/** Counts that add up: what is fetched, what is not, and what was no hash of its own. */
export function HashCounts({ summary }: { summary: TextSummary }) {
  const { check } = useBulkDesk();
  const { tally, isDone } = check;
  return (
    <section className={classNames(layout.bottom, styles.counts)} aria-labelledby="hash-counts">
      <h3 id="hash-counts" className={styles.countsTitle} data-figures>
        <span role="status">{isDone ? text.toFetch(toFetch(tally)) : text.checking(tally.asked, summary.found)}</span>
      </h3>
      <dl data-figures>
        <Count title={text.md5} count={tally.md5} />
        <Count title={text.resolved} count={tally.resolved} />
        <Count title={text.needsMd5} count={tally.needsMd5} isAside />
        <Count title={text.alreadyHere} count={tally.alreadyHere} isAside />
        <Count title={text.again} count={summary.repeated} isAside />
        <Count title={text.rejected} count={summary.rejectedCount} isAside />
      </dl>
    </section>
  );
}

function Count({ title, count, isAside = false }: { title: string; count: number; isAside?: boolean }) {
  return (
    <div className={classNames(layout.flex12, styles.count, isAside && styles.asideCount)}>
      <dt>{title}</dt>
      <dd>{numberWords(count)}</dd>
    </div>
  );
}
