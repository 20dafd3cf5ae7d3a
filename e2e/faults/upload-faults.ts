import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerFaulty, passedOn, refusedToken } from './faulty-post.ts';
import { breakOff } from './forwarded.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { ReplyGate } from './reply-gate.ts';
import { type SeenRequest, seenRequest } from './seen-request.ts';
import type { CommentFault, UploadFault } from './upload-fault.ts';

export type { SeenForm, SeenPart, SeenRequest } from './seen-request.ts';
export type { CommentFault, UploadFault } from './upload-fault.ts';

export interface UploadFaults {
  baseUrl: string;
  /**
   * Every request so far, in order, without its token. What came of a body is known before the client has its answer.
   */
  requests: readonly SeenRequest[];
  /** Those of one action. */
  requestsOf(action: string): SeenRequest[];
  /** How many requests of an action there were, and the bytes of their bodies that came. */
  counted(action: string): { requests: number; bytes: number };
  /** Each is done to one upload, in this order. */
  fail(...faults: UploadFault[]): void;
  /** Each is done to one comment, in this order. */
  failComments(...faults: CommentFault[]): void;
  /** Faults that were not done yet. */
  waiting(): (UploadFault | CommentFault)[];
  /** After so many more uploads every request is answered with 401, until `acceptToken`. */
  refuseTokenAfter(uploads: number): void;
  acceptToken(): void;
  /** Where uploads and comments wait that are held or stalled. */
  gate: Pick<ReplyGate, 'holding' | 'release'>;
  close(): Promise<void>;
}

interface Proxy {
  target: string;
  gate: ReplyGate;
  uploads: UploadFault[];
  comments: CommentFault[];
  /** Null while the token is good for ever. */
  uploadsLeft: number | null;
}

/**
 * A proxy before a repository that passes everything on, but for the faults a test asks for in its uploads and
 * comments.
 */
export async function startUploadFaults({ target }: { target: string }): Promise<UploadFaults> {
  const proxy: Proxy = { target, gate: new ReplyGate(), uploads: [], comments: [], uploadsLeft: null };
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const seen = seenRequest(request);
    requests.push(seen);
    answer(proxy, seen, request, response).catch((error: unknown) => breakOff(response, error));
  });
  const requestsOf = (action: string): SeenRequest[] => requests.filter((request) => request.action === action);
  return {
    baseUrl: await listenOnLoopback(server),
    requests,
    requestsOf,
    counted: (action) => ({
      requests: requestsOf(action).length,
      bytes: requestsOf(action).reduce((sum, { bytes }) => sum + bytes, 0),
    }),
    fail: (...faults) => void proxy.uploads.push(...faults),
    failComments: (...faults) => void proxy.comments.push(...faults),
    waiting: () => [...proxy.uploads, ...proxy.comments],
    refuseTokenAfter: (uploads) => void (proxy.uploadsLeft = uploads),
    acceptToken: () => void (proxy.uploadsLeft = null),
    gate: proxy.gate,
    close: async () => {
      proxy.gate.release();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  proxy: Proxy,
  seen: SeenRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = { target: proxy.target, gate: proxy.gate, seen, request, response };
  if (proxy.uploadsLeft === 0) return refusedToken(call);
  if (proxy.uploadsLeft !== null && seen.action === 'uploadfiles') proxy.uploadsLeft -= 1;
  const fault = takeFault(proxy, seen);
  return fault === null ? passedOn(call) : answerFaulty(call, fault);
}

function takeFault({ uploads, comments }: Proxy, { method, action }: SeenRequest): UploadFault | CommentFault | null {
  if (method !== 'POST') return null;
  if (action === 'uploadfiles') return uploads.shift() ?? null;
  return action === 'addcomment' ? (comments.shift() ?? null) : null;
}
