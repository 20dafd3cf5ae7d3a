/**
 * The lines of a text that comes in pieces, without their ends; null for one that is longer than `most` UTF-16 units,
 * of which no more is held than that and a piece.
 */
export async function* boundedLines(
  pieces: AsyncIterable<string>,
  most: number,
): AsyncGenerator<string | null, void, void> {
  let line = '';
  const whole = (): string | null => (line.length > most ? null : line);
  for await (const piece of pieces) {
    for (const [at, part] of piece.split('\n').entries()) {
      if (at > 0) {
        yield whole();
        line = '';
      }
      if (line.length <= most) line += part;
    }
  }
  if (line !== '') yield whole();
}
