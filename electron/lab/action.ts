import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LabRight } from '../../shared/domain/lab.ts';
import type { RequestParameters } from './request-query.ts';
import type { Caller } from './tokens.ts';

/** One call whose token, right and method are already checked. */
export interface ActionCall extends RequestParameters {
  caller: Caller;
  request: IncomingMessage;
  /**
   * The request's body as it comes, to be read once. Throws LabError when it is over so many bytes, known before the
   * first is read where its length is announced, and when it comes too slowly.
   */
  body(mostBytes: number): AsyncIterable<Uint8Array>;
  response: ServerResponse;
}

export interface Action {
  method: 'GET' | 'POST';
  right: LabRight;
  /** How it says that it does not answer; JSON where nothing is said. */
  refusals?: 'text';
  /** Answers the call. Throws LabError for what the caller did wrong. */
  answer(call: ActionCall): Promise<void>;
}

/** One service behind its own `{base_url}/api.php`, by the names of its actions. */
export type Service = ReadonlyMap<string, Action>;
