import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { listenOnLoopback } from '../faults/loopback-server.ts';

/**
 * A repository that knows one sample, of which very much was said, in threads that answer each other. It is as quick as
 * can be: its reply lies ready.
 */
export interface DiscussedSample {
  baseUrl: string;
  md5: string;
  name: string;
  close(): void;
}

const content = 'much was said of this';
const md5 = hash('md5', content);
/** A new thread begins with each so many. */
const threadLength = 20;

export async function startDiscussedSample(comments: number): Promise<DiscussedSample> {
  const said = Array.from({ length: comments }, (_, at) => commentAt(at));
  let reply = replyWith(said);
  const take = async (request: IncomingMessage): Promise<string> => {
    said.push({ ...commentAt(said.length), ...newComment(await text(request)) });
    reply = replyWith(said);
    return JSON.stringify({ id: said.length });
  };
  const server = createServer((request, response) => {
    const answered = request.method === 'GET' ? Promise.resolve(reply) : take(request);
    // A client that goes away in the middle ends its own reply and not the server.
    void answered.then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      () => request.destroy(),
    );
  });
  return {
    baseUrl: await listenOnLoopback(server),
    md5,
    name: 'discussed.bin',
    close: () => server.close().closeAllConnections(),
  };
}

/** The documented form of `addcomment`. */
const sent = z.object({ content: z.string(), parent: z.string() });

function newComment(form: string): { content: string; parent: number | null } {
  const { content: words, parent } = sent.parse(JSON.parse(new URLSearchParams(form).get('comment') ?? ''));
  return { content: words, parent: parent === '' ? null : Number(parent) };
}

const commentAt = (at: number) => ({
  id: at + 1,
  parent: at % threadLength === 0 ? null : at - (at % 3 === 0 ? 1 : 0),
  content:
    `remark ${at}: the same builder as in the sample before, its key begins with ` +
    hash('md5', String(at)).slice(0, 8),
  author: `analyst ${at % 17}`,
  created: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
});

const replyWith = (comments: readonly ReturnType<typeof commentAt>[]): string =>
  JSON.stringify({
    md5,
    sha1: hash('sha1', content),
    sha256: hash('sha256', content),
    filename: 'discussed.bin',
    size: content.length,
    date: '2026-01-01T00:00:00Z',
    user_name: 'bench',
    threat: null,
    criticity: 2,
    mime: null,
    locked: false,
    vtsubmit: false,
    cksubmit: false,
    tags: 'bench',
    comments,
  });
