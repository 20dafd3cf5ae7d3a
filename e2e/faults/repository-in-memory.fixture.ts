import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { formReader } from './form-reader.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface KeptFile {
  name: string;
  bytes: Buffer;
  /** The fields of the upload it came with. */
  fields: [string, string][];
}

export interface RepositoryInMemory {
  baseUrl: string;
  /** By MD5. */
  files: Map<string, KeptFile>;
  /** Bodies of comments that came. */
  comments: string[];
  close(): Promise<void>;
}

/** The least a repository can be that keeps what it is sent: something behind a proxy under test. */
export async function startRepositoryInMemory(): Promise<RepositoryInMemory> {
  const files = new Map<string, KeptFile>();
  const comments: string[] = [];
  const server = createServer((request, response) => {
    const action = new URLSearchParams(request.url?.split('?')[1] ?? '').get('action');
    const kept =
      action === 'uploadfiles'
        ? keep(files, request)
        : buffer(request).then(
            (body) => (action === 'addcomment' && comments.push(body.toString()), { id: comments.length }),
          );
    kept.then(
      (answer) =>
        response
          .writeHead(action === 'addcomment' ? 201 : 200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(answer)),
      () => response.destroy(),
    );
  });
  const baseUrl = await listenOnLoopback(server);
  return {
    baseUrl,
    files,
    comments,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function keep(files: Map<string, KeptFile>, request: IncomingMessage): Promise<{ files: { md5: string }[] }> {
  const parts: Promise<{ name: string; bytes: Buffer }>[] = [];
  const { sink, fields } = formReader(
    request.headers,
    ({ name }, bytes) => void parts.push(buffer(bytes).then((whole) => ({ name, bytes: whole }))),
  );
  request.pipe(sink);
  const given = await Promise.race([fields, once(request, 'aborted').then(() => null)]);
  if (given === null) throw new Error('the form is not whole');
  return {
    files: (await Promise.all(parts)).map((part) => {
      const md5 = createHash('md5').update(part.bytes).digest('hex');
      files.set(md5, { ...part, fields: given });
      return { md5 };
    }),
  };
}
