import type { ServerResponse } from 'node:http';
import type { InsteadOfArchive } from './bulk-fault.ts';

const loginPage =
  '<!doctype html>\n<html><head><title>Sign in</title></head><body><form method="post" action="/login"><input ' +
  'name="user"><input name="password" type="password"></form></body></html>\n';

export function answerInstead(response: ServerResponse, fault: InsteadOfArchive): void {
  const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };
  switch (fault.kind) {
    case 'text':
      return send(200, fault.text);
    case 'login-page':
      return send(200, loginPage);
    case 'busy':
      return send(429, '', { 'Retry-After': String(fault.retryAfterSeconds) });
    case 'unavailable':
      return send(503, '');
  }
}
