import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from './loopback-server.ts';
import { type SeenRequest, seenRequest, watch } from './seen-request.ts';

/** What a rule editor answers to one action, or at one path. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface ScriptedRuleEditor {
  baseUrl: string;
  /** The address of each request so far, as it came. */
  asked: readonly string[];
  /** Each POST so far, with its form once that has come. */
  posted: readonly SeenRequest[];
  /** From now on. A POST is answered when its body is there, or `at-once`, without reading it. */
  answer(
    action: 'checkpackageversion' | 'downloadpublication' | 'scanfile' | 'getfile',
    answer: Answer,
    when?: 'whole' | 'at-once',
  ): void;
  /** What lies at a path besides `/api.php`. */
  place(path: string, answer: Answer): void;
  /** Publishes bytes the usual way: a newer version under an id, behind a redirect. */
  publish(version: string, bytes: Uint8Array, id?: string): void;
  close(): Promise<void>;
}

/** A rule editor whose every answer a test decides. */
export async function startRuleEditor(): Promise<ScriptedRuleEditor> {
  const asked: string[] = [];
  const posted: SeenRequest[] = [];
  const actions = new Map<string, Answer>();
  const paths = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    asked.push(url);
    const [path = '', query = ''] = url.split('?');
    const answer = path === '/api.php' ? actions.get(new URLSearchParams(query).get('action') ?? '') : paths.get(path);
    if (request.method === 'POST') posted.push(seenRequest(request));
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  });
  const baseUrl = await listenOnLoopback(server);
  const editor: ScriptedRuleEditor = {
    baseUrl,
    asked,
    posted,
    answer: (action, answer, when = 'whole') =>
      void actions.set(action, when === 'whole' ? afterBody(posted, answer) : answer),
    place: (path, answer) => void paths.set(path, answer),
    publish: (version, bytes, id = version) => {
      editor.answer('checkpackageversion', (response, { url = '' }) =>
        response.end(
          JSON.stringify({
            outdated: new URLSearchParams(url.split('?')[1]).get('version') !== version,
            last_version: version,
            id,
          }),
        ),
      );
      editor.answer('downloadpublication', (response) =>
        response.writeHead(302, { Location: `/files/${version}.zip` }).end(),
      );
      editor.place(`/files/${version}.zip`, (response) =>
        response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes),
      );
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return editor;
}

/** A client that leaves in the middle gets no answer. */
function afterBody(posted: readonly SeenRequest[], answer: Answer): Answer {
  return (response, request) => {
    const seen = posted.at(-1);
    if (request.method !== 'POST' || seen === undefined) return answer(response, request);
    void watch(request, request, seen).then(() => request.complete && answer(response, request));
  };
}
