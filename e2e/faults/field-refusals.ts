import type { IncomingMessage, ServerResponse } from 'node:http';

// How these servers say no: nearly always in the same words, and never in JSON.

/** 401 has no body; 403 has a sentence, whatever was missing. True when the reply was passed on as a refusal. */
export function refusedWhole(reply: IncomingMessage, response: ServerResponse): boolean {
  if (reply.statusCode === 401) {
    reply.resume();
    empty(response, 401);
    return true;
  }
  if (reply.statusCode !== 403) return false;
  notEnoughRights(reply, response);
  return true;
}

export function notEnoughRights(reply: IncomingMessage | null, response: ServerResponse): void {
  reply?.resume();
  response.writeHead(403, { 'Content-Type': 'application/json' });
  response.end('Not enough rights');
}

/** Whatever was asked for: the body is read, and the program ends where it would connect. */
export function databaseDown(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
    response.end('Connection Failed: 2002');
  });
}

/** A lab that cannot be asked is a failed server; a client that left in the middle needs no answer. */
export function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(500, { 'Content-Type': 'text/plain' });
  response.end(String(error));
}

export function addressTooLong(response: ServerResponse): void {
  response.writeHead(414, { 'Content-Type': 'text/html; charset=iso-8859-1', Connection: 'close' });
  response.end(
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n' +
      '<title>414 Request-URI Too Long</title>\n</head><body>\n<h1>Request-URI Too Long</h1>\n</body></html>\n',
  );
}

export const tooLargePage =
  '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n' +
  '<title>413 Request Entity Too Large</title>\n</head><body>\n<h1>Request Entity Too Large</h1>\n' +
  '</body></html>\n';

export function bodyTooLarge(response: ServerResponse): void {
  response.writeHead(413, { 'Content-Type': 'text/html; charset=iso-8859-1' });
  response.end(tooLargePage);
}

export function empty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': 0 });
  response.end();
}
