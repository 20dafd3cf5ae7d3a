import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { storePackage } from '../../lab/package-archive.ts';
import { takeIn } from '../../lab/stores/blob-store.ts';
import type { LabScanLimits } from '../../lab/scan-file.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import type { PgDatabase } from '../postgres/pg-database.ts';
import { openTeamStores, type TeamStores } from '../team-stores.ts';
import type { TestPostgres } from '../testing/postgres.fixture.ts';
import { type S3Fixture, startS3, testKeys } from '../testing/s3.fixture.ts';
import { Hunts } from './hunts.ts';
import { ScanQueue } from './scan-queue.ts';
import { startWork } from './work-command.ts';

const entry = fileURLToPath(new URL('../../team-lab.ts', import.meta.url));
const environment = { AWS_ACCESS_KEY_ID: testKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey };

/** The bucket of the tests of one file. */
export function useS3(): () => S3Fixture {
  let s3: S3Fixture | null = null;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    s3 = await startS3();
  });
  afterAll(async () => {
    await s3?.stop();
    vi.unstubAllEnvs();
  });
  return () => {
    if (s3 === null) throw new TypeError('the bucket is there only while tests run');
    return s3;
  };
}

/** A worker in the process of the tests. */
interface HereWorker {
  close(graceMs?: number): Promise<void>;
}

/** A team's servers with tables and a queue, and what a test does with them. */
export class HuntLab {
  readonly addresses: { database: string; blobs: string };
  readonly stores: TeamStores;
  readonly hunts: Hunts;
  readonly queue: ScanQueue;
  readonly #observer: PgDatabase;

  private constructor(
    addresses: HuntLab['addresses'],
    stores: TeamStores,
    queue: ScanQueue,
    pieceSamples: number | undefined,
  ) {
    this.addresses = addresses;
    this.stores = stores;
    this.queue = queue;
    this.hunts = new Hunts(stores.database, queue, pieceSamples);
    this.#observer = stores.database;
  }

  /** `pieceSamples`: of the pieces that are cut when a hunt begins. */
  static async open(postgres: TestPostgres, s3: S3Fixture, pieceSamples?: number): Promise<HuntLab> {
    const database = await postgres.labDatabase();
    const addresses = { database, blobs: `${s3.address}/${readDatabaseAddress(database, {}).database}` };
    await ScanQueue.migrate(database);
    const stores = await openTeamStores(addresses, ignore);
    const queue = await ScanQueue.open(database, { lab: stores.database, supervises: false, report: ignore });
    onTestFinished(async () => {
      await queue.close();
      await stores.close();
    });
    return new HuntLab(addresses, stores, queue, pieceSamples);
  }

  /** @returns its identifier */
  async publish(rules: string, version = '1'): Promise<string> {
    const stored = await storePackage(this.stores, {
      version,
      group: 'Release',
      published: '2026-01-01T00:00:00.000Z',
      rules: 1,
      files: [{ path: 'rules.yar', bytes: Buffer.from(rules) }],
    });
    if (stored === null) throw new TypeError(`version ${version} is there already`);
    return stored.id;
  }

  /** One after the other, so that a hunt scans them in this order. @returns their SHA-256s */
  async add(samples: readonly Uint8Array[]): Promise<string[]> {
    const added: string[] = [];
    for (const bytes of samples) added.push(await this.#add(bytes));
    return added;
  }

  /** One row of one number. */
  async count(text: string): Promise<number> {
    const [row] = await this.#observer.query({ text, row: z.object({ count: z.number() }) });
    return row?.count ?? 0;
  }

  /** What was found: rules by the SHA-256 of the sample, in order. */
  async hits(): Promise<Record<string, string[]>> {
    const rows = await this.#observer.query({
      text: `SELECT encode(sha256, 'hex') AS sha256, array_agg(rule ORDER BY rule) AS rules
             FROM hit JOIN sample ON sample.id = sample_id GROUP BY 1`,
      row: z.object({ sha256: z.string(), rules: z.array(z.string()) }),
    });
    return Object.fromEntries(rows.map(({ sha256, rules }) => [sha256, rules]));
  }

  /** A worker in this process, until the test is over. `lines` collects its log. */
  async workHere(tracks = 1, limits?: LabScanLimits, lines: string[] = []): Promise<HereWorker> {
    const task = { kind: 'work', tracks, metrics: null, graceMs: 0 } as const;
    const { close } = await startWork(task, this.addresses, (line) => void lines.push(line), limits);
    let closing: Promise<void> | null = null;
    const end: HereWorker['close'] = (graceMs = 10_000) => (closing ??= close(graceMs));
    onTestFinished(() => end());
    return { close: end };
  }

  /** A worker as it is in production, until the test is over. */
  async workApart(tracks = 1): Promise<ChildProcess> {
    const { database, blobs } = this.addresses;
    const args = ['work', '--database', database, '--blobs', blobs, '--lanes', String(tracks), '--grace', '1'];
    const child = spawn(process.execPath, [entry, ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    });
    await once(createInterface(child.stdout), 'line');
    child.stdout.resume();
    return child;
  }

  async #add(bytes: Uint8Array): Promise<string> {
    const isMarked = { restricted: false, virusTotal: false, sandbox: false };
    const origin = { name: 'sample.bin', uploader: 'ana', uploaded: '2026-01-01T00:00:00.000Z' };
    const facts = { ...origin, ...isMarked, mime: null, threat: null, criticity: 3 as const, tags: [] };
    const { hashes } = await takeIn(this.stores, [bytes], facts, []);
    return hashes.sha256;
  }
}

/** Servers that a test takes away. */
function ignore(): void {}
