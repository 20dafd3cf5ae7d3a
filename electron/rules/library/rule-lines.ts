/** The lines of a part of a text, without their ends. A text whose line ends alone were changed has the same lines. */
export function* linesOf(
  text: string,
  { start, end }: { start: number; end: number },
): Generator<string, void, undefined> {
  for (let at = start; ;) {
    const found = text.indexOf('\n', at);
    const next = found === -1 || found >= end ? end : found;
    yield text.slice(at, next > at && text[next - 1] === '\r' ? next - 1 : next);
    if (next === end) return;
    at = next + 1;
  }
}
