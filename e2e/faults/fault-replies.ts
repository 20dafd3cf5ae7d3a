import type { IncomingMessage, ServerResponse } from 'node:http';

export interface FaultyReply {
  request: IncomingMessage;
  response: ServerResponse;
  /** What a sound server would send. */
  due: Buffer;
}
type Reply = (reply: FaultyReply) => void;

const page = '<!doctype html>\n<html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n';
const phpWarning =
  '<br />\n<b>Warning</b>:  Undefined variable $row in <b>/var/www/html/core.php</b> on line <b>214</b><br />\n';
const dripMs = 50;

const plain =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): Reply =>
  ({ response }) => {
    response.writeHead(status, {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  };

const refusal = (status: number, text = ''): Reply => plain(status, text);

/** Sends what is due, changed; the length fits the change unless another one is claimed. */
const changed =
  (change: (due: Buffer) => Buffer, claim: (sent: Buffer, due: Buffer) => number = (sent) => sent.length): Reply =>
  ({ response, due }) => {
    const sent = change(due);
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': claim(sent, due) });
    response.end(sent);
  };

const half = (due: Buffer): Buffer => due.subarray(0, Math.floor(due.length / 2));
const stray = (due: Buffer): Buffer => Buffer.concat([due, Buffer.from('{}')]);

/** Announces the length of the reply, sends half of it, and then does what is requested. */
const halfThen =
  (then: (response: ServerResponse) => void): Reply =>
  ({ response, due }) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': due.length });
    response.write(half(due), () => then(response));
  };

/** Everything a server was seen to do wrong, or could. */
export const faults = {
  // Nothing, or not enough
  silence: () => {},
  hangup: ({ request }) => void request.socket.destroy(),
  reset: ({ request }) => void request.socket.resetAndDestroy(),
  'empty-reply': plain(200, ''),
  'closes-half-way': halfThen((response) => response.destroy()),
  'silent-half-way': halfThen(() => {}),
  'headers-then-silence': ({ response, due }) => {
    response.writeHead(200, { 'Content-Length': due.length });
    response.flushHeaders();
  },
  'slow-drip': ({ response, due }) => drip(response, due),

  // Something else
  'html-page': plain(200, page),
  'html-page-404': plain(404, page),
  'invalid-json': plain(200, '{"file": {"md5": '),
  'text-before-json': changed((due) => Buffer.concat([Buffer.from(phpWarning), due])),
  'text-after-json': changed((due) => Buffer.concat([due, Buffer.from(phpWarning)])),
  'wrong-bytes': changed((due) => Buffer.from(due.map((byte) => byte ^ 0xff))),
  'stray-inside-length': changed(stray),
  'stray-after-length': changed(stray, (_sent, due) => due.length),
  'too-short': changed(half),
  'length-too-small': changed(
    (due) => due,
    (sent) => sent.length - 1,
  ),
  'length-too-large': ({ response, due }) => {
    response.writeHead(200, { 'Content-Length': due.length + 100, Connection: 'close' });
    response.write(due, () => response.destroy());
  },
  'huge-reply': ({ response }) => flood(response),
  'garbage-protocol': ({ request }) => void request.socket.end('\x16\x03\x01 this is no HTTP\r\n\r\n\0\0\0'),
  'false-compression': ({ response, due }) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': due.length });
    response.end(due);
  },

  // Elsewhere
  'redirect-to-installer': plain(302, '', { Location: '/install.php?step=1' }),
  'redirect-to-login': plain(302, '', { Location: 'https://login.example/?return=api.php' }),
  'redirect-loop': ({ request, response }) =>
    plain(302, '', { Location: request.url ?? '/' })({ request, response, due: Buffer.alloc(0) }),

  // A status
  '401': refusal(401),
  '403': refusal(403, 'Not enough rights'),
  '404': refusal(404),
  '406': refusal(406),
  '413': refusal(413, page),
  '429': plain(429, '', { 'Retry-After': '7' }),
  '500': refusal(500, phpWarning),
  '502': refusal(502, page),
  '503': plain(503, page, { 'Retry-After': '1' }),
  '504': refusal(504),
} as const satisfies Record<string, Reply>;

export type Fault = keyof typeof faults;

/** One byte at a time, until the client leaves. */
function drip(response: ServerResponse, due: Buffer): void {
  let sent = 0;
  response.writeHead(200, { 'Content-Length': due.length });
  const timer = setInterval(() => {
    response.write(due.subarray(sent, sent + 1));
    sent += 1;
    if (sent >= due.length) response.end();
  }, dripMs);
  response.once('close', () => clearInterval(timer));
  response.once('finish', () => clearInterval(timer));
}

/** JSON that never ends, as fast as the client takes it. */
function flood(response: ServerResponse): void {
  const piece = Buffer.from(`"${'a'.repeat(64 * 1024 - 3)}",`);
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"file": [');
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}
