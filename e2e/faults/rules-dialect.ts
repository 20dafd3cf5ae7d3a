import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { z } from 'zod';
import { empty, fail } from './field-refusals.ts';
import { listenOnLoopback } from './loopback-server.ts';
import { answerScan, type ScanDialect } from './rules-scan.ts';

/**
 * A proxy before the lab's rule editor that speaks as servers of its family may (docs/services.md, "The field
 * dialect"): other names in its replies, numbers and booleans as texts, JSON as a web page, errors as text under status
 * 200, stray bytes behind a package, its own address for the file, scans as triples. With `kept`, it is the public
 * release 0.8, which has none of these actions and no server behind it: it lists its files, and exports each as text.
 */
export interface RulesDialectOptions {
  /** Base address of the lab's rule editor, without `/api.php`. */
  target: string;
  /** `unmapped`: names that cannot be guessed. */
  names?: 'other' | 'unmapped';
  scans?: ScanDialect['scans'];
  /** PHP's `post_max_size`; 512 MiB by default. A longer body is a 413. */
  bodyBytesAtMost?: number;
  /** The files of rules of a release 0.8, which a test may change. */
  kept?: readonly KeptFile[];
}

/** A file of rules; `rules` are the texts of its rules, the one that was changed last first. */
export interface KeptFile {
  id: number;
  name: string;
  imports: readonly string[];
  rules: readonly string[];
  modified: string;
}

export interface RulesDialect {
  baseUrl: string;
  /** Method and path of each request so far, with its action where it has one, and never its token. */
  calls: readonly string[];
  close(): Promise<void>;
}

const versionReply = z.object({
  outdated: z.boolean(),
  last_version: z.string().nullable(),
  id: z.string().nullable(),
  group: z.string().nullable(),
});
type VersionReply = z.infer<typeof versionReply>;

export async function startRulesDialect({
  target,
  names = 'other',
  scans = 'triples',
  bodyBytesAtMost = 512 * 1024 * 1024,
  kept,
}: RulesDialectOptions): Promise<RulesDialect> {
  const calls: string[] = [];
  const files = new Map<string, Buffer>();
  const ids: string[] = [];
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const parameters = new URLSearchParams(query);
    calls.push(`${request.method ?? ''} ${path} ${parameters.get('action') ?? ''}`.trim());
    if (kept !== undefined) return answerRelease08(kept, request, response, path, parameters);
    answer({ target, names, scans, bodyBytesAtMost, files, ids }, request, response, path, parameters).catch(
      (error: unknown) => fail(response, error),
    );
  });
  const baseUrl = await listenOnLoopback(server, 0);
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl, calls, close };
}

interface Answering extends ScanDialect {
  names: 'other' | 'unmapped';
  /** What a redirect led to, by its path. */
  files: Map<string, Buffer>;
  /** The lab's, each called by its place, from 1: ids of the field are numbers. */
  ids: string[];
}

async function answer(
  dialect: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  parameters: URLSearchParams,
): Promise<void> {
  response.setHeader('Set-Cookie', `PHPSESSID=${randomBytes(13).toString('hex')}; path=/`);
  const file = dialect.files.get(path);
  if (file) return sendFile(file, response);
  if (path !== '/api.php') return empty(response, 404);
  const action = parameters.get('action');
  if (request.method !== (action === 'scanfile' ? 'POST' : 'GET')) return empty(response, 406);
  if (request.headers.cookie !== undefined || !parameters.get('token')) return empty(response, 401);
  switch (action) {
    case 'checkpackageversion':
      return answerVersion(dialect, response, parameters);
    case 'downloadpublication':
      return answerDownload(dialect, response, parameters);
    case 'scanfile':
      return answerScan(dialect, request, response, parameters.toString());
    default:
      return empty(response, 404);
  }
}

/** As the release 0.8 was seen to answer (docs/services.md, "exportfile"). */
function answerRelease08(
  kept: readonly KeptFile[],
  { method }: IncomingMessage,
  response: ServerResponse,
  path: string,
  parameters: URLSearchParams,
): void {
  const action = parameters.get('action');
  if (path !== '/api.php' || (action !== 'getfiles' && action !== 'exportfile')) return empty(response, 404);
  if (action === 'exportfile' && !parameters.get('token')) return empty(response, 401);
  if (method !== 'GET') return empty(response, 406);
  if (action === 'exportfile') return sendKept(kept, response, parameters.get('id'));
  if (kept.length === 0) return void response.writeHead(403).end('unable to get files');
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(
    JSON.stringify(
      kept.map(({ id, name, imports, rules, modified }) => ({
        id,
        name,
        imports,
        rules: rules.length,
        last_modified: modified,
        created: modified,
      })),
    ),
  );
}

/** An id that it does not know is a file without rules. */
function sendKept(kept: readonly KeptFile[], response: ServerResponse, id: string | null): void {
  if (id === null) return void response.writeHead(400).end('missing id parameter');
  const file = kept.find((one) => String(one.id) === id);
  const imports = (file?.imports ?? []).map((module) => `import "${module}"\n`);
  const head = imports.length === 0 ? '' : `${imports.join('')}\n`;
  const body = Buffer.from(head + (file?.rules ?? []).map((rule) => `${rule}\n`).join(''));
  response.writeHead(200, {
    'Content-Type': 'text/plain;charset=UTF-8',
    'Content-Disposition': `attachment; filename="${file?.name ?? ''}.yar"`,
    'Content-Length': body.length,
  });
  response.end(body);
}

async function answerVersion(
  { target, names, ids }: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  const reply = await ask(`${target}/api.php?${parameters.toString()}`);
  if (reply.statusCode !== 200) return empty(response, reply.statusCode ?? 500);
  const said = versionReply.parse(JSON.parse(await text(reply)));
  response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
  const id = said.id === null ? null : numberOf(ids, said.id);
  response.end(JSON.stringify(names === 'other' ? otherNames(said, id) : unmapped(said, id)));
}

function numberOf(ids: string[], id: string): number {
  if (!ids.includes(id)) ids.push(id);
  return ids.indexOf(id) + 1;
}

const otherNames = ({ outdated, last_version: version }: VersionReply, id: number | null): unknown => ({
  'Is-Outdated': outdated ? '1' : '0',
  package: { latestVersion: version, publication_id: id },
});
const unmapped = ({ outdated, last_version: version }: VersionReply, id: number | null): unknown => ({
  status: 'ok',
  pkg: { rev: version, ref: id, stale: outdated ? 1 : 0 },
});

/** The package lies under a path of this server from then on. Whatever the reason, there is one way to say no. */
async function answerDownload(
  { target, files, ids }: Answering,
  response: ServerResponse,
  parameters: URLSearchParams,
): Promise<void> {
  parameters.set('id', ids[Number(parameters.get('id')) - 1] ?? 'unknown');
  const reply = await ask(`${target}/api.php?${parameters.toString()}`);
  const { location } = reply.headers;
  if (reply.statusCode !== 302 || location === undefined) {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=UTF-8' });
    response.end(`Error: ${await text(reply)}`);
    return;
  }
  const archive = await buffer(await ask(new URL(location, target).href));
  const path = `/uploads/${randomBytes(8).toString('hex')}${parameters.get('public_link') === 'true' ? '' : '.zip'}`;
  files.set(path, archive);
  response.writeHead(302, { Location: path });
  response.end();
}

function sendFile(file: Buffer, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': file.length + 2 });
  response.end(Buffer.concat([file, Buffer.from('{}')]));
}

function ask(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, resolve).once('error', reject));
}
