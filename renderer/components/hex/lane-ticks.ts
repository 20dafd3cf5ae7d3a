import type { ByteSpan } from './hex-mark.ts';

/** CSS pixels. Narrower ones are hard to see, and to hit. */
export const leastTick = 3;

/** One mark along a file, in CSS pixels from its beginning. Matches whose ticks would touch are one. */
export interface LaneTick {
  left: number;
  width: number;
  /** How many matches it stands for, and the place of the first of them. */
  count: number;
  first: number;
  /** The bytes that it covers, from the first to the end of the last. */
  from: number;
  to: number;
}

/**
 * The matches of a rule, by offset, along a lane. What a service says lies behind the end of the file is at its end.
 */
export function laneTicks(matches: readonly ByteSpan[], sizeBytes: number, width: number): LaneTick[] {
  const ticks: LaneTick[] = [];
  const scale = width / Math.max(1, sizeBytes);
  for (const [index, { offset, length }] of matches.entries()) {
    const wide = Math.min(Math.max(leastTick, length * scale), width);
    const left = Math.max(0, Math.min(offset * scale, width - wide));
    const last = ticks.at(-1);
    // No whole pixel between them: they would be read as one.
    if (last !== undefined && left < last.left + last.width + 1) {
      last.width = Math.max(last.width, left + wide - last.left);
      last.to = Math.max(last.to, offset + length);
      last.count += 1;
    } else {
      ticks.push({ left, width: wide, count: 1, first: index, from: offset, to: offset + length });
    }
  }
  return ticks;
}

/** The tick of a match. */
export const tickOf = (ticks: readonly LaneTick[], match: number): LaneTick | undefined =>
  ticks.find(({ first, count }) => match >= first && match < first + count);

/** The match that is meant by a place in a lane, in CSS pixels: the first of the nearest tick. null: there is none. */
export function nearestMatch(ticks: readonly LaneTick[], x: number): number | null {
  let nearest: LaneTick | null = null;
  for (const tick of ticks) if (nearest === null || distanceTo(tick, x) < distanceTo(nearest, x)) nearest = tick;
  return nearest?.first ?? null;
}

const distanceTo = ({ left, width }: LaneTick, x: number): number => Math.max(left - x, x - left - width, 0);
