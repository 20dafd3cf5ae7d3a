import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findPostgres, missingPostgres, PostgresServer } from './postgres-server.fixture.ts';
import { startS3Store, testKeys } from './s3.fixture.ts';

/**
 * The servers that all labs of a run of browser tests share, as a program: PostgreSQL and an S3 store. It prints one
 * line when they are ready, `{ url, environment }`: the latter is what a lab needs to be let in. It ends, and they with
 * it, when its standard input does.
 *
 * - `POST /place` answers with `{ database, blobs }`, the addresses of a new, empty database and of an unused prefix
 * - `DELETE /place` takes the same as JSON and removes the database
 */
const place = z.object({ database: z.string(), blobs: z.string() });

async function serveUntilInputEnds(): Promise<void> {
  const program = findPostgres();
  if (program === null) throw new Error(missingPostgres);
  const postgres = await PostgresServer.create(program, {});
  try {
    const store = await startS3Store();
    try {
      await servePlaces(postgres, store.address);
    } finally {
      await store.stop();
    }
  } finally {
    await postgres.remove();
  }
}

async function servePlaces(postgres: PostgresServer, bucket: string): Promise<void> {
  let places = 0;
  const replyTo = async (request: IncomingMessage): Promise<z.output<typeof place> | null> => {
    if (request.method === 'POST')
      return { database: await postgres.emptyDatabase(), blobs: `${bucket}/place${(places += 1)}` };
    await postgres.dropDatabase(place.parse(JSON.parse(await text(request))).database);
    return null;
  };
  const server = createServer((request, response) => {
    replyTo(request).then(
      (reply) => response.end(JSON.stringify(reply)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('a server without a port');
  const environment = {
    AWS_ACCESS_KEY_ID: testKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey,
  };
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${address.port}/place`, environment })}\n`);
  await once(process.stdin.resume(), 'end');
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

await serveUntilInputEnds();
