/** Pieces as one source, and which piece a line of it is of. */
export interface JoinedPieces {
  source: string;
  /** `line` is one-based in the source, and so is that of the result in its piece. */
  find(line: number): { piece: number; line: number } | null;
  /** One-based: the line of the source in which a piece begins. */
  startOf(piece: number): number;
}

export function joinPieces(pieces: readonly string[], isLeftOut: (piece: number) => boolean): JoinedPieces {
  const parts: string[] = [];
  const starts: { piece: number; line: number }[] = [];
  let line = 1;
  for (const [piece, text] of pieces.entries()) {
    if (isLeftOut(piece)) continue;
    starts.push({ piece, line });
    parts.push(text);
    line += 1 + lineEnds(text);
  }
  const find = (wanted: number): { piece: number; line: number } | null => {
    const start = starts[countUpTo(starts, wanted) - 1];
    return start === undefined || wanted >= line ? null : { piece: start.piece, line: wanted - start.line + 1 };
  };
  const lines = new Map(starts.map((start) => [start.piece, start.line]));
  return { source: parts.join('\n'), find, startOf: (piece) => lines.get(piece) ?? 1 };
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** How many begin at the line or above. */
function countUpTo(starts: readonly { line: number }[], line: number): number {
  let from = 0;
  let to = starts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((starts[middle]?.line ?? 0) <= line) from = middle + 1;
    else to = middle;
  }
  return from;
}
