import { type Failure, FailureError } from '../../shared/failure.ts';

/** The error an action ends with. Throws when it succeeds. */
export async function errorOf(action: () => unknown): Promise<unknown> {
  try {
    await action();
  } catch (error) {
    return error;
  }
  throw new Error('it succeeded, and should have failed');
}

/** The failure an action ends with. Throws when it succeeds, and whatever else it throws. */
export async function failureOf(action: () => unknown): Promise<Failure> {
  const error = await errorOf(action);
  if (error instanceof FailureError) return error.failure;
  throw error;
}
