import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { z } from 'zod';
import { sampleIndex } from './sample-set.ts';
import { directoryOf } from './zip-records.ts';

/**
 * `node archive-server.ts ENTRIES INDEX`: answers `bulkdownload` on any path of 127.0.0.1 with the ZIP of the requested
 * samples, read from the disk as stored, and 403 when it lacks one of them. `/asked` reports, and forgets, the answers
 * so far, so that the reference can request the very same archives. To both it is no more than a static server.
 */
type Entry = z.infer<typeof sampleIndex>[number];
const [entriesPath = '', indexPath = ''] = process.argv.slice(2);
const entries = new Map(
  sampleIndex.parse(JSON.parse(readFileSync(indexPath, 'utf8'))).map((entry) => [entry.md5, entry]),
);
let asked: string[] = [];

const server = createServer({ maxHeaderSize: 256 * 1024 }, (request, response) => {
  // A client that goes away in the middle ends its own reply and not the server.
  void answer(request, response).catch(() => request.destroy());
});

async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url === '/asked') {
    response.end(JSON.stringify(asked));
    asked = [];
    return;
  }
  const { searchParams } = new URL(url, 'http://127.0.0.1');
  if (searchParams.get('action') !== 'bulkdownload') return void response.writeHead(404).end();
  const wanted = searchParams.getAll('files[]').flatMap((md5) => entries.get(md5) ?? []);
  if (wanted.length === 0 || wanted.length < searchParams.getAll('files[]').length)
    return void response.writeHead(403).end('Not enough rights');
  asked.push(url);
  await sendArchive(response, wanted);
}

async function sendArchive(response: ServerResponse, wanted: readonly Entry[]): Promise<void> {
  let at = 0;
  const placed = wanted.map((entry) => ({ ...entry, at: (at += entry.length) - entry.length }));
  const directory = directoryOf(placed);
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': at + directory.length });
  await pipeline(Readable.from(pieces(wanted, directory), { objectMode: false, highWaterMark: 1024 * 1024 }), response);
}

async function* pieces(wanted: readonly Entry[], directory: Buffer): AsyncGenerator<Buffer> {
  for (const { at, end } of runsOf(wanted)) {
    for await (const chunk of createReadStream(entriesPath, { start: at, end: end - 1, highWaterMark: 1024 * 1024 }))
      yield Buffer.from(chunk);
  }
  yield directory;
}

/** Neighbours on the disk are read in one go. */
function runsOf(wanted: readonly Entry[]): { at: number; end: number }[] {
  const runs: { at: number; end: number }[] = [];
  for (const { at, length } of wanted) {
    const last = runs.at(-1);
    if (last?.end === at) last.end += length;
    else runs.push({ at, end: at + length });
  }
  return runs;
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  process.stdout.write(`listening on ${address.port}\n`);
});
