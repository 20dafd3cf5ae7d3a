import { useState } from 'react';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import typography from '../styles/typography.module.css';
import { formatDuration, formatSize, words } from './format.ts';
import styles from './progress-line.module.css';

interface ProgressLineProps {
  label: string;
  receivedBytes: number;
  /** null when the other side did not say. */
  totalBytes: number | null;
  bytesPerSecond: number;
  /** Where there is one line for its words: the label gives way, and the rate is in a tooltip. */
  isOneLine?: boolean;
}

/**
 * The most that was shown, in percent: a bar that fell back would look as if something was lost, though a transfer may
 * begin again, and a total may be corrected. Of one run; another one has another key.
 */
export function useRising(share: number | null): number | null {
  const [most, setMost] = useState(share);
  if (share !== null && (most === null || share > most)) setMost(share);
  return share === null ? most : Math.max(share, most ?? 0);
}

/** What is received whole is still verified: 100 is only for what is over. */
const mostPercent = 99;

/** Bytes, rate and time left over a bar. Without a total there is no bar to fill, and none is made up. */
export function ProgressLine({
  label,
  receivedBytes,
  totalBytes,
  bytesPerSecond,
  isOneLine = false,
}: ProgressLineProps) {
  const total = totalBytes !== null && totalBytes > 0 ? totalBytes : null;
  const share = useRising(total === null ? null : Math.min(mostPercent, (receivedBytes / total) * 100));
  const left = total === null || bytesPerSecond <= 0 ? null : (total - receivedBytes) / bytesPerSecond;
  const rate = words.rate(formatSize(bytesPerSecond));
  return (
    <ProgressBar
      className={classNames(isOneLine ? layout.stack2 : layout.stack4, layout.widest)}
      aria-label={label}
      {...(share === null ? { isIndeterminate: true } : { value: share })}
    >
      <div className={classNames(isOneLine ? layout.flex12 : layout.wrap, styles.words, isOneLine && styles.oneLine)}>
        <span className={isOneLine ? typography.cut : undefined}>{label}</span>
        <span
          className={classNames(layout.flex12, typography.faint)}
          title={isOneLine && bytesPerSecond > 0 ? rate : undefined}
        >
          <span>{words.received(formatSize(receivedBytes), total === null ? null : formatSize(total))}</span>
          {bytesPerSecond > 0 && !isOneLine && <span>{rate}</span>}
          {left !== null && <strong className={typography.figure}>{words.left(formatDuration(left))}</strong>}
        </span>
      </div>
      <div className={styles.track} aria-hidden="true">
        {share !== null && <div className={styles.fill} style={{ width: `${share}%` }} />}
      </div>
    </ProgressBar>
  );
}
