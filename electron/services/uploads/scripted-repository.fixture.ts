import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { listenLocally } from '../testing/test-host.fixture.ts';

/** A file as it arrived whole in a form. */
export interface ReceivedFile {
  field: string;
  name: string;
  md5: string;
  sizeBytes: number;
}

/** An upload whose body arrived to its end. */
export interface ReceivedForm {
  /** In the order in which they came. */
  fields: [name: string, value: string][];
  files: ReceivedFile[];
  bodyBytes: number;
}

export interface RepositoryScript {
  /** Answers for a record itself, and then returns `true`. */
  record?(md5: string, response: ServerResponse, number: number): boolean | Promise<boolean>;
  /** Before the body is read: `true` where it deals with the request itself. */
  head?(request: IncomingMessage, response: ServerResponse, number: number): boolean | Promise<boolean>;
  /** Called once the body has arrived. Without it everything is stored, and reported. */
  upload?(form: ReceivedForm, response: ServerResponse, number: number): void | Promise<void>;
}

/** A repository on this computer that keeps MD5s in memory, and misbehaves as a test defines. */
export interface ScriptedRepository {
  baseUrl: string;
  script: RepositoryScript;
  /** MD5s it has. */
  stored: Set<string>;
  /** Uploads by their number that arrived whole. */
  forms: ReceivedForm[];
  /** MD5s it was asked about, in order. */
  asked: string[];
  /** Requests of uploads that began. */
  uploads(): number;
  connections(): number;
  /** How often each MD5 arrived in a body that came to its end. */
  timesReceived(): Map<string, number>;
  /** It takes the files in, and answers as a repository of the family does. */
  store(form: ReceivedForm, response: ServerResponse): void;
  stop(): void;
}

export async function startRepository(script: RepositoryScript = {}): Promise<ScriptedRepository> {
  const stored = new Set<string>();
  const forms: ReceivedForm[] = [];
  const asked: string[] = [];
  let uploads = 0;
  let connections = 0;
  const store = (form: ReceivedForm, response: ServerResponse): void => {
    response.end(JSON.stringify({ files: form.files.map(({ md5 }) => itemFor(md5, stored)) }));
  };
  const repository: ScriptedRepository = {
    baseUrl: '',
    script,
    stored,
    forms,
    asked,
    uploads: () => uploads,
    connections: () => connections,
    store,
    stop: () => {},
    timesReceived: () => {
      const times = new Map<string, number>();
      for (const { md5 } of forms.flatMap(({ files }) => files)) times.set(md5, (times.get(md5) ?? 0) + 1);
      return times;
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const { script: now } = repository;
    if (query.get('action') === 'getfile') {
      const md5 = query.get('hash') ?? '';
      const number = asked.push(md5);
      if (await now.record?.(md5, response, number)) return;
      response.end(JSON.stringify({ file: stored.has(md5) ? { md5 } : null }));
      return;
    }
    uploads += 1;
    const number = uploads;
    if (await now.head?.(request, response, number)) return;
    const form = await formOf(request);
    forms.push(form);
    if (now.upload) await now.upload(form, response, number);
    else store(form, response);
  };
  const server = createServer((request, response) => {
    // A body that is broken off on purpose has no answer.
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => (connections += 1));
  repository.baseUrl = await listenLocally(server);
  repository.stop = () => server.close().closeAllConnections();
  return repository;
}

function itemFor(md5: string, stored: Set<string>): { md5: string; error?: string } {
  if (stored.has(md5)) return { md5, error: 'File is already uploaded' };
  stored.add(md5);
  return { md5 };
}

async function formOf(request: IncomingMessage): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: [], files: [], bodyBytes: 0 };
  const parser = new Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    preservePath: true,
    limits: { fieldSize: 16 * 1024 * 1024 },
  });
  parser.on('field', (name, value) => void form.fields.push([name, value]));
  parser.on('file', (field, stream, name) => {
    const hash = createHash('md5');
    const file: ReceivedFile = { field, name, md5: '', sizeBytes: 0 };
    form.files.push(file);
    stream.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      file.sizeBytes += chunk.length;
    });
    stream.on('end', () => (file.md5 = hash.digest('hex')));
  });
  const finished = once(parser, 'finish');
  request.on('data', (chunk: Buffer) => (form.bodyBytes += chunk.length));
  request.on('error', (error) => parser.destroy(error));
  request.pipe(parser);
  await finished;
  return form;
}

export const valuesOf = (form: ReceivedForm | undefined, name: string): string[] =>
  (form?.fields ?? []).filter(([field]) => field === name).map(([, value]) => value);

export const md5Of = (bytes: Uint8Array | string): string => createHash('md5').update(bytes).digest('hex');
