import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, onTestFinished, vi } from 'vitest';
import { blobPages } from '../../lab/commands.ts';
import { labCommandHere } from '../../lab/running-lab.fixture.ts';
import { openSqliteMetadata } from '../../lab/stores/folder/sqlite-metadata-store.ts';
import type { MetadataStore, StoredPublication, StoredRecord, StoredToken } from '../../lab/stores/metadata-store.ts';
import { openTeamStores } from '../team-stores.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { type S3Fixture, startS3, testKeys } from '../testing/s3.fixture.ts';
import { moveLab, type MoveTask } from './move-command.ts';

const entry = fileURLToPath(new URL('../../team-lab.ts', import.meta.url));
const environment = { AWS_ACCESS_KEY_ID: testKeys.accessKeyId, AWS_SECRET_ACCESS_KEY: testKeys.secretAccessKey };

/** Servers of a team, for one test. */
export interface Team {
  database: string;
  blobs: string;
}

export interface Moved {
  /** Standard output and standard error, in lines. */
  results: string[];
  remarks: string[];
  /** Null where the command came to its end. */
  error: unknown;
}

/** A database server and an S3 store for the tests of one file. */
export function useTeams(): { s3: () => S3Fixture; newTeam(): Promise<Team> } {
  const postgres = usePostgres();
  let s3: S3Fixture | null = null;
  const running = (): S3Fixture => {
    if (s3 === null) throw new TypeError('the store runs only while tests do');
    return s3;
  };
  let teams = 0;
  beforeAll(async () => void (s3 = await startS3()));
  beforeEach(() => {
    running().proxy.reset();
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await s3?.stop();
  });
  const newTeam = async (): Promise<Team> => ({
    database: await postgres.labDatabase(),
    blobs: `${running().address}/team-${(teams += 1)}`,
  });
  return { s3: running, newTeam };
}

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-move-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A lab's folder as commands make it: sample files with threads, starter rules, tokens and a publication. */
export async function newLabFolder(): Promise<string> {
  const directory = await newDirectory();
  const used = await labCommandHere('token', 'add', '--rights', 'read,download', '--name', 'ana', '--data', directory);
  await labCommandHere('token', 'add', '--rights', 'upload', '--name', 'bo', '--data', directory);
  const file = fileURLToPath(import.meta.url);
  const tags = ['--tags', 'family:a,tlp:red', '--restricted'];
  await labCommandHere('add', file, '--name', 'größe <b>.exe', ...tags, '--data', directory);
  const metadata = openSqliteMetadata(directory);
  const token = await metadata.tokenByDigest(hash('sha256', used.trim()));
  await metadata.noteTokenUse(token?.id ?? 0, '2026-11-29');
  await metadata.close();
  return directory;
}

/** The command in this process. */
export async function move(
  direction: MoveTask['direction'],
  directory: string,
  team: Team,
  { verifies = false } = {},
): Promise<Moved> {
  const moved: Moved = { results: [], remarks: [], error: null };
  const terminal = {
    result: (line: string) => void moved.results.push(line),
    remark: (line: string) => void moved.remarks.push(line),
    report: (error: unknown) => void moved.remarks.push(String(error)),
  };
  try {
    await moveLab({ kind: 'move', direction, directory, verifies }, team, terminal);
  } catch (error) {
    moved.error = error;
  }
  return moved;
}

/** The command as a process. */
export function startMove(option: '--data' | '--to', directory: string, team: Team, ...more: string[]): ChildProcess {
  const args = ['move', option, directory, '--database', team.database, '--blobs', team.blobs, ...more];
  return spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
}

/** Its end. */
export async function endOf(child: ChildProcess): Promise<{ code: number | null; results: string; remarks: string }> {
  const text = { results: '', remarks: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.results += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.remarks += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, ...text };
}

/** Everything in a folder but the lock, by path: its mode, and the SHA-256 of a file. */
export async function checksums(directory: string): Promise<Map<string, string>> {
  const sums = new Map<string, string>();
  for (const path of (await readdir(directory, { recursive: true })).toSorted()) {
    if (path === 'lab.lock') continue;
    const found = await stat(join(directory, path));
    const content = found.isFile() ? hash('sha256', await readFile(join(directory, path))) : 'folder';
    sums.set(path, `${found.mode.toString(8)} ${content}`);
  }
  return sums;
}

export interface Contents {
  records: StoredRecord[];
  publications: StoredPublication[];
  tokens: Omit<StoredToken, 'id'>[];
}

/** All that a store of metadata has, but for places and numbers, which are its own. */
export async function contentsOf(metadata: MetadataStore): Promise<Contents> {
  const records: StoredRecord[] = [];
  for await (const page of blobPages(metadata)) {
    const found = await metadata.recordsBySha256(page.map(({ sha256 }) => sha256));
    for (const record of found)
      if (record !== null) records.push({ ...record, sample: { ...record.sample, place: '' } });
  }
  const publications = (await metadata.publications()).map((publication) => ({ ...publication, place: '' }));
  const tokens = (await metadata.tokens()).map(({ id: _id, ...token }) => token);
  return { records, publications, tokens };
}

export async function folderContents(directory: string): Promise<Contents> {
  const metadata = openSqliteMetadata(directory);
  try {
    return await contentsOf(metadata);
  } finally {
    await metadata.close();
  }
}

export async function teamContents(team: Team): Promise<Contents> {
  return withTeam(team, ({ metadata }) => contentsOf(metadata));
}

export async function withTeam<T>(
  team: Team,
  work: (stores: Awaited<ReturnType<typeof openTeamStores>>) => Promise<T>,
): Promise<T> {
  const stores = await openTeamStores(team, () => {});
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** How many objects are in the team's bucket. */
export async function objectsOf(s3: S3Fixture, team: Team): Promise<number> {
  const prefix = team.blobs.slice(team.blobs.lastIndexOf('/') + 1);
  const names = await readdir(join(s3.directory, prefix), { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('_object')).length;
}
