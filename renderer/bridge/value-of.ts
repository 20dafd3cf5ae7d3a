import type { Result } from '../../shared/failure.ts';

/** A `Result` as a query library wants it: the value, or rejected with the `Failure` itself. */
export async function valueOf<T>(reply: Promise<Result<T>>): Promise<T> {
  const result = await reply;
  // The query library hands a rejection on as `error`; a failure is data, and no Error around it would say more.
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  return result.ok ? result.value : Promise.reject(result.failure);
}
