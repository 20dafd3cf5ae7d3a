import type { EventName, EventPayload, OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import type { StagedFile } from '../../shared/domain/upload.ts';
import type { Result } from '../../shared/failure.ts';

/**
 * The command line's way to a host: a desk that is open on the data directory, over its local socket, or a host that
 * this process opened itself. Commands cannot tell which.
 */
export interface Door {
  /** `desk`: somebody else's process. What is begun there goes on when this one ends. */
  readonly kind: 'desk' | 'own';
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>>;
  /** Resolves once no event of that name is missed any more. @returns the way to stop listening */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): Promise<() => void>;
  /** A file, by its absolute path; it is not copied. */
  stageFile(path: string): Promise<Result<StagedFile>>;
  /** A folder, by its absolute path. @returns what operations name it by */
  nameFolder(path: string): Promise<string>;
  /** The bytes of a prepared export, once. @throws FailureError `export-gone` */
  take(id: string): AsyncIterable<Uint8Array>;
  /** Ends an own host in order; of a desk only the connection. */
  close(): Promise<void>;
}
