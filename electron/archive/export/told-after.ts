import { FailureError } from '../../../shared/failure.ts';

/**
 * Bytes that leave the desk, and what became of them: `done`, the kind of a failure, or `aborted` when whoever took
 * them stopped. It is told before the file that they go into has its name. A program that is killed before tells
 * nothing (docs/journal.md).
 */
export async function* toldAfter(
  bytes: AsyncIterable<Uint8Array>,
  tell: (outcome: string) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let outcome = 'aborted';
  try {
    yield* bytes;
    outcome = 'done';
  } catch (error) {
    outcome = error instanceof FailureError ? error.failure.kind : 'unexpected';
    throw error;
  } finally {
    tell(outcome);
  }
}
