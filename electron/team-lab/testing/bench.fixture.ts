import { createHash, hash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { z } from 'zod';
import { usualScanLimits } from '../../lab/scan-file.ts';
import { encodeTrailer, encryptBody, newHeader } from '../../vault/container/container.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { recordByMd5 } from '../postgres/pg-metadata-store.ts';
import { partBytes } from '../s3/part-buffers.ts';
import { newPlace } from '../s3/s3-upload.ts';
import { openBucket, openTeamStores } from '../team-stores.ts';
import { SampleReader, SampleScanner, smallBytes } from '../work/piece-scanner.ts';

/**
 * What a team lab is measured against in `npm run bench`, as a process of its own whose processor time can be measured:
 * `bench.fixture.ts NAME …`, a name of the list below. Prints one line and ends.
 */
type Command = (args: string[]) => Promise<object | string>;
const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    'bare-uploads',
    ([database = '', bucket = '', count = '', atOnce = '']) =>
      bareUploads({ database, bucket, count: Number(count), atOnce: Number(atOnce) }),
  ],
  ['bare-parts', ([blobs = '', file = '']) => bareParts(blobs, file)],
  ['scan-loop', ([database = '', blobs = '']) => scanLoop({ database, blobs })],
  ['record-script', async ([samples = '']) => recordScript(Number(samples))],
]);

const sampleBytes = 8 * 1024;
/** Connections are open then, and the code is compiled. */
const warmUps = 500;

interface BareUploads {
  database: string;
  /** The address of a bucket, by HTTP. */
  bucket: string;
  count: number;
  atOnce: number;
}

/**
 * The least that an upload takes: three hashes, a container, a PUT and a row, by the libraries that the lab has too.
 * The samples are made before.
 */
async function bareUploads({ database, bucket, count, atOnce }: BareUploads): Promise<object> {
  const { host, port, database: name, user } = readDatabaseAddress(database, {});
  const pool = new pg.Pool({ host, port, database: name, user, max: atOnce });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  await pool.query(`CREATE TABLE IF NOT EXISTS bare (sha256 bytea PRIMARY KEY, md5 bytea NOT NULL, sha1 bytea NOT NULL,
    size bigint NOT NULL, place text NOT NULL)`);
  const uploadAll = async (samples: readonly Buffer[]): Promise<void> => {
    const queue = samples.values();
    const uploadEach = async (): Promise<void> => {
      for (const bytes of queue) await bareUpload(bytes, { pool, agent, bucket });
    };
    await Promise.all(Array.from({ length: atOnce }, uploadEach));
  };
  const samples = (many: number): Buffer[] => Array.from({ length: many }, () => randomBytes(sampleBytes));
  await uploadAll(samples(warmUps));
  const measured = samples(count);
  const before = process.cpuUsage();
  await uploadAll(measured);
  const { user: own, system } = process.cpuUsage(before);
  agent.destroy();
  await pool.end();
  return { processorSeconds: (own + system) / 1e6 };
}

interface BareServers {
  pool: pg.Pool;
  agent: Agent;
  bucket: string;
}

async function bareUpload(bytes: Buffer, { pool, agent, bucket }: BareServers): Promise<void> {
  const digest = (algorithm: string): Buffer => createHash(algorithm).update(bytes).digest();
  const [md5, sha1, sha256] = [digest('md5'), digest('sha1'), digest('sha256')];
  const header = newHeader();
  const cipher = encryptBody(header);
  const body = cipher.update(bytes);
  const hashes = { md5: md5.toString('hex'), sha1: sha1.toString('hex'), sha256: sha256.toString('hex') };
  const trailer = encodeTrailer(header, cipher, { ...hashes, sizeBytes: bytes.length });
  const place = `bare/${hashes.sha256}`;
  await put(agent, `${bucket}/${place}`, Buffer.concat([header, body, trailer]));
  await pool.query({
    name: 'bare',
    text: 'INSERT INTO bare (sha256, md5, sha1, size, place) VALUES ($1, $2, $3, $4, $5)',
    values: [sha256, md5, sha1, bytes.length, place],
  });
}

async function put(agent: Agent, url: string, body: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request(url, { method: 'PUT', agent, headers: { 'content-length': body.length } }, (response) => {
    const words = buffer(response);
    if (response.statusCode === 200) words.then(() => resolve(), reject);
    else
      words.then(
        (text) => reject(new Error(`the store answered ${String(response.statusCode)}: ${text.toString()}`)),
        reject,
      );
  })
    .once('error', reject)
    .end(body);
  return promise;
}

/** A file as an object in parts of the lab’s size, one after the other: how a store takes bytes without a length. */
async function bareParts(blobs: string, file: string): Promise<object> {
  const client = openBucket(blobs);
  const key = newPlace();
  const begun = performance.now();
  const id = await client.createUpload(key);
  const etags: string[] = [];
  for await (const part of createReadStream(file, { highWaterMark: partBytes }) as AsyncIterable<Buffer>)
    etags.push(await client.putPart(key, id, etags.length + 1, part, { md5: hash('md5', part, 'buffer') }));
  await client.completeUpload(key, id, etags);
  const seconds = (performance.now() - begun) / 1000;
  await client.delete(key);
  client.close();
  return { seconds };
}

const readAhead = 4;

/** What a worker does with all samples, without pieces, queue and rows of hits: read, decrypted, scanned. */
async function scanLoop(addresses: { database: string; blobs: string }): Promise<object> {
  const stores = await openTeamStores(addresses, (error) => process.stderr.write(`${String(error)}\n`));
  const publication = await stores.metadata.currentPublication();
  if (publication === null) throw new Error('no rules are published');
  const samples = await stores.database.query({
    text: `SELECT sample.id, encode(sha256, 'hex') AS sha256, name, blob.size AS "sizeBytes", place
      FROM sample JOIN blob USING (sha256) ORDER BY sample.id`,
    row: z.object({
      id: z.number(),
      sha256: z.string(),
      name: z.string(),
      sizeBytes: z.number().max(smallBytes),
      place: z.string(),
    }),
  });
  const scanner = new SampleScanner(stores, { limits: usualScanLimits, signal: new AbortController().signal });
  const reader = new SampleReader(stores, usualScanLimits);
  const before = process.cpuUsage();
  const reading = samples.slice(0, readAhead).map((sample) => reader.read(sample));
  let hits = 0;
  for (const [at, { name }] of samples.entries()) {
    const next = samples[at + readAhead];
    if (next !== undefined) reading.push(reader.read(next));
    const read = await reading.shift();
    if (read === undefined || 'failure' in read) throw new Error(`a sample was not read: ${read?.failure}`);
    const { rules, failure } = await scanner.scan(publication.id, name, read.bytes);
    if (failure !== null) throw new Error(`a sample was not scanned: ${failure}`);
    hits += rules.length;
    read.release();
  }
  const { user, system } = process.cpuUsage(before);
  await scanner.close();
  await stores.close();
  return { processorSeconds: (user + system) / 1e6, samples: samples.length, hits };
}

/** For pgbench: what the lab asks for a record, of one of so many generated samples. */
function recordScript(samples: number): string {
  const select = recordByMd5.text.replaceAll(/\s+/g, ' ').replace('$1', "decode(md5(:n::text), 'hex')");
  return `\\set n random(1, ${samples})\n${select};\n`;
}

const [name = '', ...args] = process.argv.slice(2);
const command = commands.get(name);
if (command === undefined)
  throw new RangeError(`There is no "${name}". There are: ${[...commands.keys()].join(', ')}.`);
const result = await command(args);
process.stdout.write(typeof result === 'string' ? result : `${JSON.stringify(result)}\n`);
