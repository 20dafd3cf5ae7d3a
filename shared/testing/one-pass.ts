/** A quadratic reader takes longer than this for the text of `timeToRead`; a linear one takes a fraction of it. */
export const longestPassMs = 10_000;

/** How long `read` takes for a long text that repeats a piece, in milliseconds. A first, short text warms it up. */
export function timeToRead(read: (text: string) => unknown, piece: string, characters = 200_000): number {
  const textOf = (length: number): string => piece.repeat(length / piece.length);
  read(textOf(1000));
  const text = textOf(characters);
  const began = Date.now();
  read(text);
  return Date.now() - began;
}
