import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { assertNever } from '../../shared/assert-never.ts';
import { bodyTooLarge, empty, notEnoughRights, tooLargePage } from './field-refusals.ts';
import { askBehind, ownHeaders, passOn } from './forwarded.ts';
import { answerInstead } from './instead-of-archive.ts';
import { answerRejecting } from './rejecting.ts';
import type { ReplyGate } from './reply-gate.ts';
import { type SeenRequest, watch } from './seen-request.ts';
import type { CommentFault, UploadFault } from './upload-fault.ts';

/** One request on its way through the proxy. */
export interface FaultyPost {
  target: string;
  gate: ReplyGate;
  seen: SeenRequest;
  request: IncomingMessage;
  response: ServerResponse;
}

interface WholeReply {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export async function passedOn(call: FaultyPost, body: Readable = call.request): Promise<void> {
  const { reply, watched } = await replyBehind(call, body);
  if (call.request.complete) return passOn(reply, call.response);
  call.response.writeHead(reply.statusCode ?? 500, ownHeaders(reply));
  await pipeline(reply, call.response, { end: false });
  await endAfter(watched, call.response);
}

export async function refusedToken({ seen, request, response }: FaultyPost): Promise<void> {
  await watch(request, request, seen);
  empty(response, 401);
}

export async function answerFaulty(call: FaultyPost, fault: UploadFault | CommentFault): Promise<void> {
  switch (fault.kind) {
    case 'none':
      return passedOn(call);
    case 'stalled':
      return passedOn(call, stalled(call.request, call.gate, fault.afterBytes));
    case 'cut':
      return cut(call, fault.afterBytes);
    case 'too-large':
      return tooLarge(call, fault.body);
    case 'swallowed-reply':
      await wholeReplyBehind(call);
      return void call.request.socket.destroy();
    case 'held':
      return later(call, () => call.gate.wait());
    case 'delayed':
      return later(call, () => pause(fault.ms));
    case 'rejects':
      return rejects(call, fault);
    case 'nothing':
      return insteadOfReply(call, '', fault.arrives);
    case 'empty-list':
      return insteadOfReply(call, '{"files":[]}', fault.arrives);
    default:
      return refuse(call, fault);
  }
}

type Refusal = Extract<
  UploadFault | CommentFault,
  { kind: 'login-page' | 'busy' | 'unavailable' | 'forbidden' | 'token-refused' | 'unknown-action' | 'no-right' }
>;

/** Answered when the whole request is there; the service behind never sees it. */
async function refuse({ seen, request, response }: FaultyPost, fault: Refusal): Promise<void> {
  await watch(request, request, seen);
  switch (fault.kind) {
    case 'login-page':
    case 'busy':
    case 'unavailable':
      return answerInstead(response, fault);
    case 'forbidden':
      return notEnoughRights(null, response);
    case 'token-refused':
      return empty(response, 401);
    case 'unknown-action':
      return empty(response, 404);
    case 'no-right':
      return empty(response, 406);
    default:
      return assertNever(fault);
  }
}

/** What came is written down before anybody has an answer to it; but a service may answer before all of it came. */
async function replyBehind(
  { target, seen, request }: FaultyPost,
  body: Readable,
): Promise<{ reply: IncomingMessage; watched: Promise<void> }> {
  const watched = watch(request, body, seen);
  const reply = await askBehind(target, request, body);
  if (request.complete) await watched;
  return { reply, watched };
}

/**
 * A connection that is closed with bytes unread is reset, and the client may lose the answer (RFC 9112, section 9.6).
 */
async function endAfter(watched: Promise<void>, response: ServerResponse): Promise<void> {
  await watched;
  response.end();
}

async function wholeReplyBehind(call: FaultyPost): Promise<WholeReply> {
  const { reply } = await replyBehind(call, call.request);
  return { status: reply.statusCode ?? 500, headers: ownHeaders(reply), body: await buffer(reply) };
}

async function later(call: FaultyPost, due: () => Promise<void>): Promise<void> {
  const { status, headers, body } = await wholeReplyBehind(call);
  await due();
  if (call.response.destroyed) return;
  call.response.writeHead(status, headers);
  call.response.end(body);
}

async function insteadOfReply(call: FaultyPost, text: string, arrives: boolean): Promise<void> {
  if (arrives) await wholeReplyBehind(call);
  else await watch(call.request, call.request, call.seen);
  call.response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Length': text.length });
  call.response.end(text);
}

async function tooLarge({ seen, request, response }: FaultyPost, body: 'closed' | 'drained' | 'read'): Promise<void> {
  if (body === 'closed') {
    response.setHeader('Connection', 'close');
    return bodyTooLarge(response);
  }
  const watched = watch(request, request, seen);
  if (body === 'read') {
    await watched;
    return bodyTooLarge(response);
  }
  response.writeHead(413, { 'Content-Type': 'text/html', 'Content-Length': tooLargePage.length });
  response.write(tooLargePage);
  await endAfter(watched, response);
}

/** At least so many bytes come, and what was on its way with them. */
async function cut({ seen, request }: FaultyPost, afterBytes = Math.floor((seen.announced ?? 0) / 2)): Promise<void> {
  const enough = Promise.withResolvers<void>();
  const watched = watch(request, request, seen);
  request.on('data', () => seen.bytes >= afterBytes && enough.resolve());
  await Promise.race([enough.promise, watched]);
  request.socket.destroy();
}

async function rejects(
  { target, seen, request, response }: FaultyPost,
  fault: Extract<UploadFault, { kind: 'rejects' }>,
): Promise<void> {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  await watch(request, request, seen);
  await answerRejecting({
    address: `${target}${request.url ?? ''}`,
    headers: request.headers,
    body: Buffer.concat(pieces),
    fault,
    response,
  });
}

/** Lets so many bytes through, then waits once. */
function stalled(request: IncomingMessage, gate: ReplyGate, afterBytes: number): Readable {
  const passed = new PassThrough();
  const stop = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let [bytes, isOpen] = [0, false];
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (!isOpen && bytes >= afterBytes) await gate.wait();
      isOpen ||= bytes >= afterBytes;
      yield chunk;
    }
  };
  // A client that leaves ends this too; the watcher of the request reports it.
  pipeline(request, stop, passed).catch(() => {});
  return passed;
}
