import type { Severity } from '../../shared/domain/sample.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import styles from './severity.module.css';

/** `unset`: no record states one. `unknown`: no record was fetched. */
export type SeverityLevel = Severity | 'unset' | 'unknown';

export const severityWords: Readonly<Record<SeverityLevel, string>> = {
  bad: 'Bad',
  unwanted: 'Unwanted',
  other: 'Other',
  unset: 'Not set',
  unknown: 'Unknown',
};

/** From how a row of the library has it. */
export const severityLevel = (severity: Severity | null, isRecorded: boolean): SeverityLevel =>
  severity ?? (isRecorded ? 'unset' : 'unknown');

interface SeverityMarkProps {
  level: SeverityLevel;
  /** CSS pixels: in a chip, a row, the verdict line. */
  size: 10 | 12 | 22;
  /** False beside its word. */
  isAlone?: boolean;
}

/** A filled shape, where states of work are outlined icons: "bad" and "failed" share a red and are never confused. */
export function SeverityMark({ level, size, isAlone = true }: SeverityMarkProps) {
  return (
    <svg
      className={classNames(styles.mark, styles[level])}
      width={size}
      height={size}
      viewBox="0 0 22 22"
      {...(isAlone ? { role: 'img', 'aria-label': severityWords[level] } : { 'aria-hidden': true })}
    >
      {shapes[level]}
      {size === 22 && signs[level]}
    </svg>
  );
}

const shapes: Readonly<Record<SeverityLevel, React.ReactNode>> = {
  bad: <path d="M7 1h8l6 6v8l-6 6H7l-6-6V7z" />,
  unwanted: <path d="M11 1.5 21.5 20.5H.5z" />,
  other: <rect x="2" y="2" width="18" height="18" rx="2" />,
  unset: <circle className={styles.ring} cx="11" cy="11" r="9" strokeDasharray="4.2 3.9" />,
  unknown: (
    <>
      <circle className={styles.ring} cx="11" cy="11" r="9" />
      <path className={styles.stroke} d="M8.4 8.6a2.7 2.7 0 1 1 3.9 2.4c-.9.5-1.3 1-1.3 1.9" />
      <circle cx="11" cy="15.8" r="1.3" />
    </>
  ),
};

/** Inside a large mark. */
const signs: Readonly<Partial<Record<SeverityLevel, React.ReactNode>>> = {
  bad: (
    <g className={styles.sign}>
      <path d="M11 6v6" />
      <path d="M11 15.6v.2" />
    </g>
  ),
  unwanted: (
    <g className={styles.sign}>
      <path d="M11 9v5" />
      <path d="M11 17.2v.2" />
    </g>
  ),
  other: (
    <g className={styles.sign}>
      <path d="M7 11h8" />
    </g>
  ),
};

/** Shape, colour and word. */
export function SeverityWord({ level }: { level: SeverityLevel }) {
  return (
    <span className={classNames(layout.row6, styles.word, styles[level])}>
      <SeverityMark level={level} size={12} isAlone={false} />
      <span>{severityWords[level]}</span>
    </span>
  );
}
