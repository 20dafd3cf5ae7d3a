/**
 * Works on several at a time, and gives the results in the order of what was given: at most `width` are begun and not
 * taken yet.
 */
export async function* inOrder<In, Out>(
  given: Iterable<In>,
  width: number,
  work: (one: In) => Promise<Out>,
): AsyncGenerator<Out, void, void> {
  const begun: Promise<Out>[] = [];
  for (const one of given) {
    const result = work(one);
    // Awaited in its turn; until then its rejection must not count as unhandled.
    result.catch(() => {});
    if (begun.push(result) < width) continue;
    const first = begun.shift();
    if (first) yield await first;
  }
  for (const result of begun) yield await result;
}
