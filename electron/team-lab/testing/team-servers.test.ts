import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { readDatabaseAddress } from '../postgres/pg-address.ts';
import { PgDatabase } from '../postgres/pg-database.ts';
import { findPostgres, missingPostgres } from './postgres-server.fixture.ts';

const ready = z.object({ url: z.string(), environment: z.record(z.string(), z.string()) });
const place = z.object({ database: z.string(), blobs: z.string() });
const isThere = findPostgres() !== null;

let servers: ChildProcess | null = null;
let url = '';

beforeAll(async () => {
  if (!isThere) return;
  const program = fileURLToPath(new URL('team-servers.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  servers = child;
  for await (const line of createInterface(child.stdout)) {
    ({ url } = ready.parse(JSON.parse(line)));
    break;
  }
});
afterAll(() => servers?.kill('SIGKILL'));

const take = async (): Promise<z.output<typeof place>> =>
  place.parse(await (await fetch(url, { method: 'POST' })).json());

async function answers(address: string): Promise<boolean> {
  const database = new PgDatabase(readDatabaseAddress(address, {}));
  try {
    await database.execute('SELECT 1');
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  } finally {
    await database.close();
  }
}

test('the servers give each lab a database and a prefix of its own until their input ends', async ({ skip }) => {
  skip(!isThere, missingPostgres);
  const [first, second] = [await take(), await take()];
  expect(new Set([first.database, second.database, first.blobs, second.blobs]).size).toBe(4);
  expect([await answers(first.database), await answers(second.database)]).toEqual([true, true]);

  const removal = await fetch(url, { method: 'DELETE', body: JSON.stringify(first) });
  expect(removal.status).toBe(200);
  expect([await answers(first.database), await answers(second.database)]).toEqual([false, true]);

  const exited = servers === null ? null : once(servers, 'exit');
  servers?.stdin?.end();
  expect(await exited).toEqual([0, null]);
  expect(await answers(second.database)).toBe(false);
});
