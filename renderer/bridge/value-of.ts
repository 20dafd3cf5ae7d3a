import type { Result } from '../../shared/failure.ts';

/** A `Result` as a query library wants it: the value, or rejected with the `Failure` itself. */
export async function valueOf<T>(reply: Promise<Result<T>>): Promise<T> {
  const result = await reply;
  return result.ok ? result.value : Promise.reject(result.failure);
}
