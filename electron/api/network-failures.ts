import type { Failure, FailureOf } from '../../shared/failure.ts';
import type { Redaction } from '../base/redaction.ts';
import type { CallFacts } from './call.ts';

type Reason = FailureOf<'unreachable'>['reason'];

/** Codes of Node's network errors (`errno`, getaddrinfo, OpenSSL and the HTTP parser) by what they mean to a person. */
const reasons: readonly (readonly [RegExp, Reason])[] = [
  [/^(ENOTFOUND|EAI_.*|ENODATA|ESERVFAIL)$/, 'name'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED)$/, 'reset'],
  [/^(HPE_.*|ERR_SSL_.*|ERR_HTTP_.*|EPROTO)$/, 'protocol'],
  [/^E[A-Z]+$/, 'network'],
];

/** null for an error that does not come from the network, which is then a defect of ours. */
export function failureOfNetworkError(error: unknown, { service, address }: CallFacts): Failure | null {
  const code = errorCode(error);
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined ? null : { kind: 'unreachable', service, address, reason, code };
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/**
 * A copy of an error that can be kept: message without secrets, its code, and none of the packets or inputs Node
 * attaches.
 */
export function scrubbedError(error: unknown, redaction: Redaction): Error {
  const message = error instanceof Error ? error.message : 'a value that is not an error was thrown';
  const copy = new Error(redaction.text(message));
  copy.name = error instanceof Error ? error.name : 'Error';
  const code = errorCode(error);
  return code === '' ? copy : Object.assign(copy, { code });
}
