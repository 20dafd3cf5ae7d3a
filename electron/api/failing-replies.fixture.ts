import type { FailureKind } from '../../shared/failure.ts';
import { httpReply, type Script } from './scripted-server.fixture.ts';

const page = '<!DOCTYPE html><title>Login</title>';

/**
 * What broken and hostile servers answer to `getfile`, each with the request repeated in it, and the failure that must
 * come of it.
 */
export const failingReplies: readonly (readonly [name: string, script: Script, kind: FailureKind])[] = [
  ['401', (socket, head) => socket.end(httpReply(401, head)), 'token-refused'],
  ['403', (socket, head) => socket.end(httpReply(403, head)), 'forbidden-or-unknown'],
  [
    '403 in JSON',
    (socket, head) => socket.end(httpReply(403, JSON.stringify({ error: { code: 'forbidden', message: head } }))),
    'forbidden',
  ],
  ['404 empty', (socket) => socket.end(httpReply(404, '')), 'action-unknown'],
  [
    '404 in JSON',
    (socket, head) => socket.end(httpReply(404, JSON.stringify({ error: { code: 'unknown-hash', message: head } }))),
    'unknown-hash',
  ],
  ['404 with a page', (socket, head) => socket.end(httpReply(404, page + head)), 'html-reply'],
  ['406', (socket) => socket.end(httpReply(406, '')), 'method-refused'],
  ['400', (socket, head) => socket.end(httpReply(400, head)), 'request-refused'],
  ['413', (socket, head) => socket.end(httpReply(413, head)), 'too-large-for-service'],
  ['429', (socket, head) => socket.end(httpReply(429, head)), 'slow-down'],
  ['500', (socket, head) => socket.end(httpReply(500, head)), 'service-failed'],
  ['500 in JSON', (socket, head) => socket.end(httpReply(500, JSON.stringify({ error: head }))), 'service-failed'],
  ['a page', (socket, head) => socket.end(httpReply(200, page + head)), 'html-reply'],
  ['nothing in the body', (socket) => socket.end(httpReply(200, '')), 'empty-reply'],
  [
    'a warning before the JSON',
    (socket, head) => socket.end(httpReply(200, `<b>Warning</b> ${head} {"file":null}`)),
    'text-around-json',
  ],
  ['bytes after the JSON', (socket, head) => socket.end(httpReply(200, `{"file":null}${head}`)), 'text-around-json'],
  ['text', (socket, head) => socket.end(httpReply(200, head)), 'unreadable-reply'],
  ['JSON that is no record', (socket, head) => socket.end(httpReply(200, JSON.stringify([head]))), 'unreadable-reply'],
  [
    'an error with 200',
    (socket, head) => socket.end(httpReply(200, JSON.stringify({ error: head }))),
    'request-refused',
  ],
  [
    'another sample’s record',
    (socket, head) => socket.end(httpReply(200, JSON.stringify({ file: { md5: 'f'.repeat(32), filename: head } }))),
    'wrong-record',
  ],
  [
    'a redirect to itself with the token',
    (socket, head) => socket.end(httpReply(302, head, { Location: head.split(' ')[1] ?? '' })),
    'redirected',
  ],
  [
    'a redirect with the token in the path',
    (socket, head) =>
      socket.end(httpReply(302, '', { Location: `/login/${head.split('token=')[1]?.split(' ')[0] ?? ''}/` })),
    'redirected',
  ],
  ['a redirect to nowhere', (socket) => socket.end(httpReply(301, '')), 'redirect-refused'],
  ['no HTTP', (socket, head) => socket.end(`SSH-2.0 ${head}`), 'unreachable'],
  ['the request itself', (socket, head) => socket.end(head), 'unreachable'],
  [
    'headers without end',
    (socket, head) => socket.end(`HTTP/1.1 200 OK\r\n${`X: ${head.split('\r\n')[0] ?? ''}\r\n`.repeat(1000)}\r\n`),
    'unreachable',
  ],
  [
    'a length that is no number',
    (socket, head) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${head.split('\r\n')[0] ?? ''}\r\n\r\n`),
    'unreachable',
  ],
  [
    'a length and chunks at once',
    (socket, head) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${head}`),
    'unreachable',
  ],
  [
    'another protocol',
    (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    'unreachable',
  ],
  ['a close without a word', (socket) => socket.destroy(), 'unreachable'],
  ['a reset', (socket) => socket.resetAndDestroy(), 'unreachable'],
  ['half a head', (socket, head) => socket.end(`HTTP/1.1 200 OK\r\nX: ${head.slice(0, 60)}`), 'unreachable'],
  [
    'less than it announced',
    (socket, head) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${head}`),
    'connection-lost',
  ],
  [
    'chunks that break off',
    (socket, head) =>
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${head.length.toString(16)}\r\n${head}\r\n`),
    'connection-lost',
  ],
  [
    'chunks that are none',
    (socket, head) => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${head}`),
    'connection-lost',
  ],
  ['silence', () => {}, 'timed-out'],
  ['a head and then silence', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'), 'timed-out'],
  [
    'half a body and then silence',
    (socket, head) => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${head}`),
    'timed-out',
  ],
];
