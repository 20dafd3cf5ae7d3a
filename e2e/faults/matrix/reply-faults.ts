import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ReplyFault } from './faults.ts';

/** What a sound service would answer. */
export interface Due {
  status: number;
  body: Buffer;
  isJson: boolean;
}

export interface FaultyReply {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of a fault that leaves nothing undone. */
  due: Due;
  /** Another server. */
  elsewhere: string;
}
type Reply = (reply: FaultyReply) => void;

const page =
  '<!doctype html>\n<html><head><title>Sign in</title></head><body><form method="post"><input name="password" ' +
  'type="password"></form></body></html>\n';
const warning =
  '<br />\n<b>Warning</b>:  Undefined variable $row in <b>/var/www/html/core.php</b> on line <b>214</b><br />\n';
const hugeBytes = 100 * 1024 * 1024;
const deepLevels = 100_000;
/** Seconds. */
export const askedPause = 1;
export const longPause = 3600;

const plain =
  (status: number, text = '', headers: Record<string, string> = {}): Reply =>
  ({ response }) => {
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  };

/** Sends what is due, changed; the length fits the change unless another one is claimed. */
const changed =
  (
    change: (due: Due) => Buffer,
    headers: Record<string, string> = {},
    claim: (sent: number) => number = (sent) => sent,
  ): Reply =>
  ({ response, due }) => {
    const sent = change(due);
    response.writeHead(due.status, {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': claim(sent.length),
      ...headers,
    });
    response.end(sent);
  };

const half = (body: Buffer): Buffer => body.subarray(0, Math.floor(body.length / 2));
const gzip = { 'Content-Encoding': 'gzip' };

/** Announces the length of the reply, sends half of it, and then does what is requested. */
const halfThen =
  (then: (response: ServerResponse) => void): Reply =>
  ({ response, due: { status, body } }) => {
    response.writeHead(status, { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length });
    response.write(half(body), () => then(response));
  };

const redirect =
  (target: (reply: FaultyReply) => string): Reply =>
  (reply) =>
    plain(302, '', { Location: target(reply) })(reply);

export const replyFaults: Record<ReplyFault, Reply> = {
  'reset-before-headers': ({ request }) => void request.socket.resetAndDestroy(),
  'reset-half-way': halfThen((response) => response.destroy()),
  stall: halfThen(() => {}),
  'one-byte-a-second': ({ response, due }) => drip(response, due),
  'length-too-short': changed(
    ({ body }) => body,
    {},
    (sent) => Math.floor(sent / 2),
  ),
  'length-too-long': ({ response, due: { status, body } }) => {
    response.writeHead(status, { 'Content-Length': body.length + 100, Connection: 'close' });
    response.write(body, () => response.destroy());
  },
  'truncated-gzip': changed(({ body }) => half(gzipSync(body)), gzip),
  'invalid-gzip': changed(({ body }) => body, gzip),
  'status-401': plain(401),
  'status-403-with-text': plain(403, 'Not enough rights'),
  'status-403-empty': plain(403),
  'status-404-empty': plain(404),
  'status-406': plain(406),
  'status-413': plain(413),
  'status-429': plain(429, '', { 'Retry-After': String(askedPause) }),
  'status-500-empty': plain(500),
  'status-503-html': plain(503, page),
  'status-503-hour': plain(503, page, { 'Retry-After': String(longPause) }),
  'status-200-html': plain(200, page),
  'status-200-empty': plain(200),
  'text-before': changed(({ body }) => Buffer.concat([Buffer.from(warning), body])),
  'other-text-before': changed(({ body }) => Buffer.concat([Buffer.from('Please note: '), body])),
  'text-after': changed(({ body }) => Buffer.concat([body, Buffer.from(warning)])),
  'two-stray-bytes': changed(({ body }) => Buffer.concat([body, Buffer.from('{}')])),
  'whole-gzip': changed(({ body }) => gzipSync(body), gzip),
  'gzip-and-stray-bytes': changed(({ body }) => Buffer.concat([gzipSync(body), Buffer.from('{}')]), gzip),
  'unknown-encoding': changed(({ body }) => body, { 'Content-Encoding': 'compress' }),
  'database-down': plain(200, 'Connection Failed: 2002'),
  'redirect-loop': redirect(({ request }) => (request.url ?? '').replace(/([?&])token=[^&]*&?/, '$1')),
  'redirect-elsewhere': redirect(({ elsewhere }) => `${elsewhere}/login?next=api`),
  'huge-json': ({ response, due }) => flood(response, due),
  'deep-json': changed(({ body, isJson }) =>
    withMember(isJson ? body : null, '['.repeat(deepLevels) + ']'.repeat(deepLevels)),
  ),
  'wrong-charset': changed(({ body, isJson }) =>
    isJson ? Buffer.from(body.toString(), 'utf16le') : Buffer.from(body.toString('latin1'), 'utf16le'),
  ),
};

/** An object with one more member, before its own. */
function withMember(object: Buffer | null, value: string): Buffer {
  const rest = object === null ? '}' : `,${object.toString().slice(1)}`;
  return Buffer.from(`{"more":${value}${rest}`);
}

/** Until the client leaves. */
function drip(response: ServerResponse, { status, body }: Due): void {
  let sent = 0;
  response.writeHead(status, { 'Content-Length': body.length });
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= body.length) response.end();
  }, 1000);
  response.once('close', () => clearInterval(timer));
}

/** As fast as the client takes it. */
function flood(response: ServerResponse, { status }: Due): void {
  const piece = Buffer.alloc(64 * 1024, 'a');
  let sent = 0;
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.write('{"more":"');
  const more = (): void => {
    while (!response.destroyed && sent < hugeBytes) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end('"}');
  };
  more();
}
