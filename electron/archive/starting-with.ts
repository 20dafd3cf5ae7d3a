/** An iteration whose first step was taken already, to learn from it before the rest is asked for. */
export async function* startingWith<T>(
  first: IteratorResult<T>,
  rest: AsyncIterator<T>,
): AsyncGenerator<T, void, void> {
  for (let step = first; !step.done; step = await rest.next()) yield step.value;
}
