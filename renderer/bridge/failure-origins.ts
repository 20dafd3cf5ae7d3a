import type { OperationName } from '../../shared/contract.ts';
import type { Failure } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';

/** Which call a failure was the answer to, and when it came (UTC, ISO 8601). */
export interface FailureOrigin {
  operation: OperationName | 'stage';
  at: string;
}

/** A failure that came inside of an answer, such as that of a job, has none. */
const origins = new WeakMap<Failure, FailureOrigin>();

export const originOf = (failure: Failure): FailureOrigin | null => origins.get(failure) ?? null;

/**
 * The same bridge; where a failure came from is noted before anybody sees it. What was asked is not: it may hold a
 * passphrase.
 */
export function notingOrigins(bridge: Bridge<File>): Bridge<File> {
  const note = (failure: Failure, operation: FailureOrigin['operation']): void =>
    void origins.set(failure, { operation, at: new Date().toISOString() });
  return {
    call: (name, input) => {
      const reply = bridge.call(name, input);
      void reply.then((result) => !result.ok && note(result.failure, name));
      return reply;
    },
    subscribe: (name, listener) => bridge.subscribe(name, listener),
    stageFile: (file) => {
      const reply = bridge.stageFile(file);
      void reply.then((result) => !result.ok && note(result.failure, 'stage'));
      return reply;
    },
  };
}
