import type { ServerResponse } from 'node:http';

/** Codes are stable, so a client can decide by them; the message is for people (docs/services.md, "The lab"). */
const statusOf = {
  'bad-request': 400,
  'bad-parameter': 400,
  'missing-parameter': 400,
  'repeated-parameter': 400,
  'encryption-not-configured': 400,
  'body-not-expected': 400,
  'body-malformed': 400,
  'token-missing': 401,
  'token-unknown': 401,
  'right-missing': 403,
  'file-restricted': 403,
  'unknown-address': 404,
  'unknown-action': 404,
  'unknown-file': 404,
  'unknown-publication': 404,
  'no-publication': 404,
  'wrong-method': 405,
  'request-timeout': 408,
  'version-taken': 409,
  'body-too-large': 413,
  'wrong-type': 415,
  'range-not-satisfiable': 416,
  'foreign-host': 421,
  'too-many-requests': 429,
  'request-too-large': 431,
  internal: 500,
  'file-damaged': 500,
  'scan-timed-out': 500,
  'scan-failed': 500,
  busy: 503,
  unavailable: 503,
  'disk-full': 507,
} as const;

export type LabErrorCode = keyof typeof statusOf;

/** What an operator configured, or a server they run, is not as it must be. The message is one line for them. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** What a request is answered with instead of what it asked for. Holds nothing of the request but names. */
export class LabError extends Error {
  override readonly name = 'LabError';
  readonly code: LabErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: LabErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return statusOf[this.code];
  }

  get body(): string {
    return JSON.stringify({ error: { code: this.code, message: this.message } });
  }
}

/**
 * Writes `{"error":{"code","message"}}`, or the message alone, with the code's status; ending the reply is the
 * caller's. One already under way can only be cut off.
 */
export function sendError(response: ServerResponse, error: LabError, form: 'json' | 'text'): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(form === 'json' ? error.body : error.message);
  const type = form === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(error.status, { ...error.headers, 'Content-Type': type, 'Content-Length': body.length });
  response.write(body);
}

/** For a connection whose request could not be read, so that there is no response object (RFC 9112). */
export function rawError(error: LabError, reason: string): string {
  return [
    `HTTP/1.1 ${error.status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(error.body)}`,
    'Connection: close',
    '',
    error.body,
  ].join('\r\n');
}
