import type { Job } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { sizeWords } from '../byte-words.ts';
import styles from './jobs.module.css';
import { text } from './text.ts';
import { throughputShape } from './throughput-shape.ts';
import { useSecond } from './use-second.ts';

/** Nearer to an edge than this, the label of now would lie over the one of the start or the end. */
const roomForNow = 0.16;

/** Bytes a second over the running time, with the end where it is known. */
export function ThroughputLine({ job }: { job: Job }) {
  const shape = throughputShape(job, useSecond());
  if (shape === null) return null;
  const line = shape.points.map(([x, y]) => `${(x * 1000).toFixed(1)},${(y * 100).toFixed(1)}`).join(' ');
  const end = shape.endTime === null ? null : clockWords(shape.endTime);
  const alternative = text.throughput.alternative(
    sizeWords(shape.latest),
    sizeWords(shape.most),
    clockWords(shape.startTime),
    clockWords(shape.nowTime),
    end,
  );
  return (
    <div className={styles.throughput} role="img" aria-label={alternative}>
      <div className={styles.plot}>
        <svg className={styles.drawing} viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
          <polygon className={styles.area} points={`0,100 ${line} ${(shape.now * 1000).toFixed(1)},100`} />
          <polyline className={styles.line} points={line} vectorEffect="non-scaling-stroke" />
        </svg>
        {shape.endTime !== null && (
          <span
            className={styles.dot}
            style={{ left: `${shape.now * 100}%`, top: `${(shape.points.at(-1)?.[1] ?? 1) * 100}%` }}
          />
        )}
        {shape.top > 0 && (
          <span className={classNames(typography.smallNote, styles.top)}>{text.rate(topWords(shape.top))}</span>
        )}
      </div>
      <ThroughputAxis start={clockWords(shape.startTime)} now={clockWords(shape.nowTime)} end={end} at={shape.now} />
    </div>
  );
}

function ThroughputAxis({ start, now, end, at }: { start: string; now: string; end: string | null; at: number }) {
  const hasRoom = at > roomForNow && at < 1 - roomForNow;
  return (
    <div className={classNames(layout.between, typography.monoCaption, layout.relative)} aria-hidden="true">
      <span>{start}</span>
      {end !== null && hasRoom && (
        <span className={styles.now} style={{ left: `${at * 100}%` }}>{`${now} ${text.now}`}</span>
      )}
      <span>{end ?? now}</span>
    </div>
  );
}

const clockWords = (time: Date): string => time.toISOString().slice(11, 19);
/** The top of an axis is a round number: no digits after it that say nothing. */
const topWords = (bytes: number): string => sizeWords(bytes).replace(/\.0+(?= )/, '');
