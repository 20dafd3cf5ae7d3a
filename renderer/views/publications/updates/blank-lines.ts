import type { DifferenceLine } from '../../../../shared/domain/publication.ts';

/**
 * Removed lines and the added ones behind them that differ in blanks alone: nothing else in them says what changed.
 * `textOf`: of a line, as it is.
 */
export function onlyBlanksChanged(
  lines: readonly DifferenceLine[],
  textOf: (line: DifferenceLine) => string,
): Set<DifferenceLine> {
  const found = new Set<DifferenceLine>();
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    if (line.kind !== 'removed' || next?.kind !== 'added' || line.at.length + next.at.length > 0) continue;
    if (withoutBlanks(textOf(line)) !== withoutBlanks(textOf(next))) continue;
    found.add(line).add(next);
  }
  return found;
}

const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '');
