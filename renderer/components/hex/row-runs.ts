import { characterOf, isPrintable } from './cursor-values.ts';
import { hexOf, rowBytes } from './offsets.ts';

/** What lies under a byte: nothing, a match, the current match, or what is selected. */
export const grounds = { none: '.', match: 'm', current: 'c', selected: 's' } as const;
export type Tone = 'zero' | 'print' | 'other';

/** Some characters that look the same. */
export interface Run {
  text: string;
  ground: string;
  /** null on a ground: there all bytes look the same. */
  tone: Tone | null;
  isCursor: boolean;
}

export interface RowRuns {
  hex: Run[];
  text: Run[];
}

const half = rowBytes / 2;

/**
 * A row as runs. `ground` has a character of `grounds` for each of its sixteen places, `cursor` is the place of the
 * cursor, or -1. The gap between two bytes on the same ground has it, too, so that a match is one bar.
 */
export function runsOf(bytes: Uint8Array, ground: string, cursor: number): RowRuns {
  const hex: Run[] = [];
  const text: Run[] = [];
  for (const [place, byte] of bytes.entries()) {
    const own = ground[place] ?? grounds.none;
    const look = { ground: own, tone: own === grounds.none ? toneOf(byte) : null, isCursor: place === cursor };
    append(hex, { ...look, text: hexOf(byte) });
    append(text, { ...look, text: characterOf(byte) });
    if (place === bytes.length - 1) continue;
    const gap = ground[place + 1] === own ? own : grounds.none;
    append(hex, {
      text: place === half - 1 ? '  ' : ' ',
      ground: gap,
      tone: gap === grounds.none && !look.isCursor ? look.tone : null,
      isCursor: false,
    });
  }
  return { hex, text };
}

function append(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (last && last.ground === run.ground && last.tone === run.tone && last.isCursor === run.isCursor)
    last.text += run.text;
  else runs.push(run);
}

function toneOf(byte: number): Tone {
  if (byte === 0) return 'zero';
  return isPrintable(byte) ? 'print' : 'other';
}
