import type { YaraPiece } from '../../../components/yara/coloured-lines.ts';

/** A piece of a line, and whether it is what changed in it. */
export interface MarkedPiece {
  piece: YaraPiece;
  isChanged: boolean;
}

/** Cuts coloured pieces where a change begins and ends. `at`: UTF-16 offsets into the line, in any order. */
export function markedPieces(pieces: readonly YaraPiece[], at: readonly (readonly [number, number])[]): MarkedPiece[] {
  const marked: MarkedPiece[] = [];
  let start = 0;
  for (const { text, kind } of pieces) {
    const end = start + text.length;
    const cuts = at.flat().filter((cut) => cut > start && cut < end);
    const edges = [...new Set([start, ...cuts, end])].toSorted((first, second) => first - second);
    for (const [step, from] of edges.slice(0, -1).entries()) {
      const to = edges[step + 1] ?? end;
      marked.push({
        piece: { text: text.slice(from - start, to - start), kind },
        isChanged: at.some(([first, last]) => first <= from && to <= last),
      });
    }
    start = end;
  }
  return marked;
}
