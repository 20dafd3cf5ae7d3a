import { reasonSentence, type RejectedRun } from '../../../shared/domain/hash-extraction.ts';
import { cutMiddle } from '../../components/middle-cut.ts';
import { Notice } from '../../components/notice.tsx';
import styles from './lookup.module.css';
import { text } from './text.ts';

const mostShown = 20;
const longestShown = 40;

/** Every run that looks like a hash and was not taken, with the reason: nothing is dropped in silence. */
export function RejectedRuns({ runs, isAlert = false }: { runs: readonly RejectedRun[]; isAlert?: boolean }) {
  if (runs.length === 0) return null;
  return (
    <Notice meaning="warn" title={text.rejectedTitle(runs.length)} isAlert={isAlert}>
      {runs.slice(0, mostShown).map((run, index) => (
        <span key={index} className={styles.rejectedRun}>
          <code>{cutMiddle(run.text, longestShown)}</code> {reasonSentence(run.reason)}
        </span>
      ))}
      {runs.length > mostShown && (
        <span className={styles.rejectedRun}>{text.moreRejected(runs.length - mostShown)}</span>
      )}
    </Notice>
  );
}
