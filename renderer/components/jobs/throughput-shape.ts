import type { Job } from '../../../shared/domain/job.ts';

/** A throughput line in a box of 1 × 1, and what its axes say. */
export interface ThroughputShape {
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

/** null while there is no line to draw. The line runs over running time; a pause takes no room in it. */
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

/** Of a job that stands still, the time at which it would have come so far without a pause. */
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
