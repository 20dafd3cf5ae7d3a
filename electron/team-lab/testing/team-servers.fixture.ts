import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { generateSamples } from './generate-samples.fixture.ts';
import { findPostgres, missingPostgres, missingProgram, PostgresServer } from './postgres-server.fixture.ts';
import { startS3Store, testKeys } from './s3.fixture.ts';

/**
 * The servers that all labs of a run of browser tests or of the benchmarks share, as a program: PostgreSQL and an S3
 * store. It prints one line when they are ready, `{ url, environment, postgres, pgbench }`: what a lab needs to be let
 * in, the process of PostgreSQL and the path of its program pgbench. It ends, and they with it, when its standard input
 * does.
 *
 * - `POST /place` answers with `{ database, blobs }`, the addresses of a new, empty database and of an unused prefix
 * - `POST /samples` takes `{ database, count }` and fills a lab's database with generated samples
 * - `DELETE /place` takes what a place is as JSON and removes the database
 *
 * With `--measured`, PostgreSQL runs as it is measured. With `--missing`, and `--needs pgbench` besides, it prints what
 * this computer lacks, or nothing, and ends.
 */
const place = z.object({ database: z.string(), blobs: z.string() });
const samples = z.object({ database: z.string(), count: z.number() });

async function serveUntilInputEnds(isMeasured: boolean): Promise<void> {
  const program = findPostgres();
  if (program === null) throw new Error(missingPostgres);
  const postgres = await PostgresServer.create(program, { isMeasured });
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
    if (request.url === '/samples') {
      await addSamples(samples.parse(JSON.parse(await text(request))));
      return null;
    }
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
  const url = `http://127.0.0.1:${address.port}/place`;
  const { pid, programs } = postgres;
  process.stdout.write(`${JSON.stringify({ url, environment, postgres: pid, pgbench: join(programs, 'pgbench') })}\n`);
  await once(process.stdin.resume(), 'end');
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function addSamples({ database: address, count }: z.output<typeof samples>): Promise<void> {
  const database = new PgDatabase(readDatabaseAddress(address, {}), { statementTimeoutMs: null });
  try {
    await generateSamples(database, count);
  } finally {
    await database.close();
  }
}

const { values } = parseArgs({
  options: { measured: { type: 'boolean' }, missing: { type: 'boolean' }, needs: { type: 'string', multiple: true } },
});
if (values.missing === true) process.stdout.write(missingProgram(values.needs ?? []) ?? '');
else await serveUntilInputEnds(values.measured === true);
