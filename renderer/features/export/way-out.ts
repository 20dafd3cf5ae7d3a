import type { Failure } from '../../../shared/failure.ts';

/** What an action says of one way out of the desk. */
export interface WayOut<I, O> {
  data: O | undefined;
  error: Failure | null;
  isPending: boolean;
  reset(): void;
  mutate(input: I): void;
}
