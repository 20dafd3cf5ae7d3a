import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, onTestFinished, vi } from 'vitest';
import { blobPages } from '../../lab/commands.ts';
import { labCommandHere } from '../../lab/running-lab.fixture.ts';
import { takeIn } from '../../lab/stores/blob-store.ts';
import { openFolderStores } from '../../lab/stores/folder/folder-stores.ts';
import { openSqliteMetadata } from '../../lab/stores/folder/sqlite-metadata-store.ts';
import type {
  MetadataStore,
  NewComment,
  SampleFacts,
  StoredPublication,
  StoredRecord,
  StoredToken,
} from '../../lab/stores/metadata-store.ts';
import { openTeamStores } from '../team-stores.ts';
import { type S3Fixture, testKeys } from '../testing/s3.fixture.ts';
import { type TeamPlace, type TestTeam, useTeam } from '../testing/team.fixture.ts';
import { moveLab, type MoveTask } from './move-command.ts';

export interface Moved {
  /** Standard output and standard error, in lines. */
  results: string[];
  remarks: string[];
  /** Null where the command came to its end. */
  error: unknown;
}

/** Real servers for the tests of one file, and this process has their keys. */
export function useTeams(): TestTeam {
  const team = useTeam();
  beforeEach(() => {
    team.s3().proxy.reset();
    vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.secretAccessKey);
  });
  afterAll(() => void vi.unstubAllEnvs());
  return team;
}

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-move-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A lab's folder as commands make it: sample files with threads, starter rules, tokens and a publication. */
export async function newLabFolder(given?: string): Promise<string> {
  const directory = given ?? (await newDirectory());
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
  team: TeamPlace,
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

export async function teamContents(team: TeamPlace): Promise<Contents> {
  return withTeam(team, ({ metadata }) => contentsOf(metadata));
}

export async function withTeam<T>(
  team: TeamPlace,
  work: (stores: Awaited<ReturnType<typeof openTeamStores>>) => Promise<T>,
): Promise<T> {
  const stores = await openTeamStores(team, () => {});
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** In front of each key of the team's bucket. */
export const prefixOf = ({ blobs }: TeamPlace): string => blobs.slice(blobs.lastIndexOf('/') + 1);

/** How many objects are in the team's bucket. */
export async function objectsOf(s3: S3Fixture, team: TeamPlace): Promise<number> {
  const names = await readdir(join(s3.directory, prefixOf(team), 'blob'), { recursive: true });
  return names.filter((name) => name.endsWith('_object')).length;
}

/** A sample into a folder, in the real way. */
export async function addTo(
  directory: string,
  samples: readonly { bytes: Uint8Array; facts?: Partial<SampleFacts>; comments?: NewComment[] }[],
): Promise<void> {
  const stores = await openFolderStores(directory);
  for (const { bytes, facts = {}, comments = [] } of samples)
    await takeIn(stores, [bytes], { ...plain, ...facts }, comments);
  await stores.close();
}

const plain: SampleFacts = {
  name: 'a',
  mime: null,
  threat: null,
  criticity: 1,
  tags: [],
  uploader: 'ana',
  uploaded: '2026-11-01T00:00:00Z',
  restricted: false,
  virusTotal: false,
  sandbox: false,
};
