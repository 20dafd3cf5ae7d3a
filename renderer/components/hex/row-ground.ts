import { type Stretch, stretchesWithin } from './mark-spans.ts';
import { rowBytes } from './offsets.ts';
import { grounds } from './row-runs.ts';

/** What is marked in a file. */
export interface Marked {
  /** In order, none over another. */
  matches: readonly Stretch[];
  current: Stretch | null;
  selected: Stretch | null;
}

/** What lies under each byte of the row that begins at `start`: a character of `grounds` for each. */
export function groundOf(start: number, { matches, current, selected }: Marked): string {
  const ground = Array.from<string>({ length: rowBytes }).fill(grounds.none);
  const lay = (what: string, stretch: Stretch): void =>
    void ground.fill(what, Math.max(0, stretch.start - start), Math.max(0, Math.min(rowBytes, stretch.end - start)));
  for (const match of stretchesWithin(matches, start, start + rowBytes)) lay(grounds.match, match);
  if (current) lay(grounds.current, current);
  if (selected) lay(grounds.selected, selected);
  return ground.join('');
}
