import type { EventName, EventPayload, OperationInput, OperationName, OperationOutput } from './contract.ts';
import type { Result } from './failure.ts';
import type { StagedFile } from './domain/staged-file.ts';

/**
 * The page's only door to the host, the same over Electron's IPC and over HTTP.
 * `PageFile` is the DOM's `File` in the page; this room knows no DOM.
 */
export interface Bridge<PageFile> {
  /** Never rejects: a lost host is the failure `host-gone`. */
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<Result<OperationOutput<N>>>;
  /** Calls the listener for each event of that name until the returned function is called. */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void;
  /** Turns a file the person dropped or picked into an opaque id that operations take instead of a path. */
  stageFile(file: PageFile): Promise<Result<StagedFile>>;
}
