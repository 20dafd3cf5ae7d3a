import type { Failure } from '../../../shared/failure.ts';

/** What `useAction` says of one way out of the desk. */
export interface WayOut<I, O> {
  data: O | undefined;
  error: Failure | null;
  isPending: boolean;
  reset(): void;
  mutate(input: I, options?: { onSuccess(output: O): void }): void;
}
