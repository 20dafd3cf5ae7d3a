import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LabRight } from '../../shared/domain/lab.ts';
import type { RequestParameters } from './request-query.ts';
import type { Rights } from './tokens.ts';

/** One call whose token, right and method are already checked. */
export interface ActionCall extends RequestParameters {
  /** All rights of the caller's token. */
  rights: Rights;
  request: IncomingMessage;
  response: ServerResponse;
}

export interface Action {
  method: 'GET' | 'POST';
  right: LabRight;
  /** Answers the call. Throws LabError for what the caller did wrong. */
  answer(call: ActionCall): Promise<void>;
}

/** One service behind its own `{base_url}/api.php`, by the names of its actions. */
export type Service = ReadonlyMap<string, Action>;
