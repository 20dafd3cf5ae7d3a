import { FailureError } from '../../shared/failure.ts';

/** Bytes in pieces of any size. What arrives may come at once or over time. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The same bytes in new buffers of exactly `size` bytes, but for the last, which may be shorter. */
export async function* inPiecesOf(
  size: number,
  bytes: ByteSource,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + size - filled);
      piece.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** An iteration whose first step was taken already, to learn from it before the rest is asked for. */
export async function* startingWith<T>(
  first: IteratorResult<T>,
  rest: AsyncIterator<T>,
): AsyncGenerator<T, void, void> {
  for (let step = first; !step.done; step = await rest.next()) yield step.value;
}

/**
 * Exported bytes, and their outcome: `done`, the kind of a failure, or `aborted` when the reader of the bytes stopped.
 * It is reported before the file that they go into has its name. A program that is killed before reports nothing
 * (docs/journal.md).
 */
export async function* withOutcome(
  bytes: AsyncIterable<Uint8Array>,
  report: (outcome: string) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let outcome = 'aborted';
  try {
    yield* bytes;
    outcome = 'done';
  } catch (error) {
    outcome = error instanceof FailureError ? error.failure.kind : 'unexpected';
    throw error;
  } finally {
    report(outcome);
  }
}
