import { visibleText } from '../../shared/domain/visible-text.ts';
import typography from '../styles/typography.module.css';
import { agoWords, readTime, words } from './format.ts';
import styles from './time-text.module.css';

/** A time in UTC with Z; one without a zone is the service's own and marked so. */
export function TimeText({ sent }: { sent: string }) {
  const time = readTime(sent);
  if (time.kind === 'utc')
    return (
      <time dateTime={time.iso} title={agoWords(time.iso)} className={styles.time}>
        {time.text}
      </time>
    );
  if (time.kind === 'server')
    return (
      <span className={styles.time}>
        <span data-figures>{time.text}</span> <span className={typography.faint}>{words.serverTime}</span>
      </span>
    );
  return <bdi>{visibleText(time.text)}</bdi>;
}
