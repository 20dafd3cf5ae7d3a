import { useSyncExternalStore } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { formatSecond, formatSize } from '../format.ts';
import styles from './jobs.module.css';
import { text } from './strings.ts';

/** Nearer to an edge than this, the label of now would lie over the one of the start or the end. */
const spaceForNow = 0.16;

/** Bytes a second over the running time, with the end where it is known. */
export function ThroughputLine({ job }: { job: Job }) {
  const shape = throughputShape(job, useSecond());
  if (shape === null) return null;
  const line = shape.points.map(([x, y]) => `${(x * 1000).toFixed(1)},${(y * 100).toFixed(1)}`).join(' ');
  const end = shape.endTime === null ? null : formatClock(shape.endTime);
  const alternative = text.throughput.alternative(
    formatSize(shape.latest),
    formatSize(shape.most),
    formatClock(shape.startTime),
    formatClock(shape.nowTime),
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
          <span className={classNames(typography.smallNote, styles.top)}>{text.rate(formatTop(shape.top))}</span>
        )}
      </div>
      <ThroughputAxis start={formatClock(shape.startTime)} now={formatClock(shape.nowTime)} end={end} at={shape.now} />
    </div>
  );
}

function ThroughputAxis({ start, now, end, at }: { start: string; now: string; end: string | null; at: number }) {
  const hasSpace = at > spaceForNow && at < 1 - spaceForNow;
  return (
    <div className={classNames(layout.between, typography.monoCaption, layout.relative)} aria-hidden="true">
      <span>{start}</span>
      {end !== null && hasSpace && (
        <span className={styles.now} style={{ left: `${at * 100}%` }}>{`${now} ${text.now}`}</span>
      )}
      <span>{end ?? now}</span>
    </div>
  );
}

const formatClock = (time: Date): string => formatSecond(time).slice(11, 19);
/** The top of an axis is a round number: no digits after it that say nothing. */
const formatTop = (bytes: number): string => formatSize(bytes).replace(/\.0+(?= )/, '');

/** A throughput line in a box of 1 × 1, and what its axes say. */
interface ThroughputShape {
  /** Points from left to right; y grows downwards. */
  points: readonly (readonly [number, number])[];
  /** Where the line ends, from 0 to 1; what is right of it is yet to come. */
  now: number;
  /** Bytes a second: the top of the box, and the most that was reached. */
  top: number;
  most: number;
  latest: number;
  startTime: Date;
  nowTime: Date;
  /** null when the end is not known, or reached. */
  endTime: Date | null;
}

/** Fewer values look like a statement about the service, and are the beginning of a request. */
const fewest = 6;

/** null while there is no line to draw. The line shows running time only; a pause takes no space in it. */
export function throughputShape(
  { throughput: { values, secondsEach }, started, ended, state, secondsLeft }: Job,
  now: Date,
): ThroughputShape | null {
  const latest = values.at(-1);
  if (started === null || latest === undefined || values.length < fewest) return null;
  const ran = (values.length - 1) * secondsEach;
  const left = state === 'running' ? (secondsLeft ?? 0) : 0;
  const share = ran / (ran + left);
  const most = Math.max(...values);
  const top = roundTop(most);
  const nowTime = lastTime(started, ended, state === 'running' ? now : null, ran);
  return {
    points: values.map(
      (value, index) => [(index / (values.length - 1)) * share, top === 0 ? 1 : 1 - value / top] as const,
    ),
    now: share,
    top,
    most,
    latest,
    startTime: new Date(started),
    nowTime,
    endTime: left > 0 ? new Date(nowTime.getTime() + left * 1000) : null,
  };
}

/** For a paused job, the time at which it would have come so far without a pause. */
function lastTime(started: string, ended: string | null, now: Date | null, ran: number): Date {
  if (ended !== null) return new Date(ended);
  return now ?? new Date(new Date(started).getTime() + ran * 1000);
}

/** The next value that reads well on an axis: 1, 1.2, 1.5, 2, 3, 4, 5, 6, 8 of a binary unit's tens and hundreds. */
function roundTop(value: number): number {
  if (value <= 0) return 0;
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024)));
  const power = 10 ** Math.floor(Math.log10(value / unit));
  const steps = [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power * unit);
  return steps.find((step) => step >= value) ?? value;
}

/** The time now, to the second. */
function useSecond(): Date {
  return new Date(useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000)) * 1000);
}

function everySecond(report: () => void): () => void {
  const timer = setInterval(report, 1000);
  return () => clearInterval(timer);
}
