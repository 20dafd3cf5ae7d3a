import { randomUUID } from 'node:crypto';
import { type Handlers, isOperationName, type OperationName, operations } from '../shared/contract.ts';
import { failed, FailureError, type Failure, type Result, success } from '../shared/failure.ts';
import { inputWords } from '../shared/input-words.ts';

/** Writes a defect to the log under an id; the id is all that crosses the boundary. */
export type DefectLog = (id: string, operation: string, error: unknown) => void;
export type Dispatch = (name: string, input: unknown) => Promise<Result<unknown>>;

export interface DispatcherHooks {
  /** Called before each handler: the failure it throws is the answer. */
  requireReady(name: OperationName): void;
  /** Called with each failure of a known operation that is answered. */
  onFailure(name: OperationName, failure: Failure): void;
}

const noHooks: DispatcherHooks = { requireReady: () => {}, onFailure: () => {} };

/**
 * name + unknown → validate → handler → Result. The only catch on the boundary: a failure crosses as data,
 * a defect as an id that leads to the log.
 */
export function createDispatcher(
  handlers: Handlers,
  logDefect: DefectLog,
  { requireReady, onFailure }: DispatcherHooks = noHooks,
): Dispatch {
  return async (name, input) => {
    if (!isOperationName(name)) return failed({ kind: 'unknown-operation', name: name.slice(0, 80) });
    const result = await attempt(name, input);
    if (!result.ok) onFailure(name, result.failure);
    return result;
  };

  async function attempt(name: OperationName, input: unknown): Promise<Result<unknown>> {
    try {
      requireReady(name);
      return await run(handlers, name, input);
    } catch (error) {
      if (error instanceof FailureError) return failed(error.failure);
      const id = randomUUID();
      logDefect(id, name, error);
      return failed({ kind: 'unexpected', id });
    }
  }
}

async function run<N extends OperationName>(handlers: Handlers, name: N, input: unknown): Promise<Result<unknown>> {
  const read = operations[name].input.safeParse(input, { error: inputWords });
  if (!read.success) return failed(badInput(name, read.error.issues));
  const handler: (request: never) => Promise<unknown> = handlers[name];
  // `Handlers` ensures that a row's schema gives what its handler takes; TypeScript cannot follow it by a name it does
  // not know yet.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const value = await handler(read.data as never);
  return success(operations[name].output.parse(value));
}

function badInput(operation: string, issues: readonly { path: readonly PropertyKey[]; message: string }[]): Failure {
  return {
    kind: 'bad-input',
    operation,
    issues: issues.slice(0, 20).map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message })),
  };
}
