import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sweep } from '../../lab/lab.ts';
import { LabIsRunning } from '../../lab/host-channel.ts';
import { ended, labCommandHere, startLabHere } from '../../lab/running-lab.fixture.ts';
import { StoreUnavailable } from '../../lab/stores/blob-store.ts';
import { addresses, start, type TeamPlace } from '../testing/team.fixture.ts';
import {
  addTo,
  checksums,
  folderContents,
  move,
  newDirectory,
  newLabFolder,
  objectsOf,
  teamContents,
  useTeams,
  withTeam,
} from './move.fixture.ts';

const { s3, place: newTeam, postgres, command } = useTeams();
const mebibyte = 1024 * 1024;
/** More than rows are written for at a time, and one in several parts. */
const small = 300;
/** Moves leave it as it is. */
let from: string;
beforeAll(async () => {
  from = await newLabFolder(await mkdtemp(join(tmpdir(), 'vitrine-move-')));
  const bytes = Array.from({ length: small }, (_, index) => randomBytes(100 + index));
  await addTo(
    from,
    [...bytes, randomBytes(12 * mebibyte)].map((one) => ({ bytes: one, comments: [] })),
  );
  return () => rm(from, { recursive: true });
});

/** Containers that the samples and publications of the folder are in. */
const containersOfAll = async (): Promise<number> => {
  const { records, publications } = await folderContents(from);
  return records.length + publications.length;
};

/** Starts the command and kills it when so many requests of the kind have come to the store, or lets it end. */
async function killedAt(on: RegExp, times: number, ...args: string[]): Promise<void> {
  const child = start(args);
  const gone = once(child, 'exit').then(() => true);
  const has = async (): Promise<void> => {
    await expect.poll(() => s3().proxy.count(on), { interval: 2, timeout: 30_000 }).toBeGreaterThanOrEqual(times);
  };
  await Promise.race([has(), gone]);
  await ended(child, () => child.kill('SIGKILL'));
  expect(child.signalCode).toBe('SIGKILL');
}

/** Objects that were begun since the proxy was reset. */
const begun = (): number =>
  new Set(
    s3()
      .proxy.seen.filter((line) => /^PUT .*\/blob\//.test(line))
      .map((line) => line.split('?')[0]),
  ).size;

test.for([
  ['the first container', /^PUT /, 1],
  ['a part of a large one', /partNumber=2/, 1],
  ['one behind the first rows', /^PUT /, 200],
  ['the last', /^PUT /, small + 15],
  ['what is read back', /^GET .*blob/, 20],
] as const)(
  'a move that is killed at %s continues, and copies nothing again that has rows',
  { tags: ['long'] },
  async ([, on, times]) => {
    const team = await newTeam();
    await killedAt(on, times, 'move', '--data', from, '--verify', ...addresses(team));
    const known = await containersWithRows(team);
    s3().proxy.reset();
    expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
    const lacking = (await containersOfAll()) - known;
    expect(begun()).toBeGreaterThanOrEqual(lacking);
    // Requests of the one that was killed may have come late, of as many as it sends at once.
    expect(begun()).toBeLessThanOrEqual(lacking + 8);
    await expectSwept(team);
  },
);

const containersWithRows = async (team: TeamPlace): Promise<number> => {
  const { records, publications } = await teamContents(team);
  return records.length + publications.length;
};

/** The team's side is the folder's, and a sweep removes what a killed move has left. */
async function expectSwept(team: TeamPlace): Promise<void> {
  const [there, given] = [await teamContents(team), await folderContents(from)];
  expect(there.records).toEqual(given.records);
  expect(there.tokens).toHaveLength(given.tokens.length);
  await withTeam(team, async (stores) => {
    // The first only writes whose the bucket is.
    await sweep(stores, -60_000);
    await sweep(stores, -60_000);
  });
  expect(await objectsOf(s3(), team)).toBe(await containersOfAll());
}

test.for([
  ['the first container', 1],
  ['one behind the first rows', 200],
  ['a part of all', 290],
] as const)('a move back that is killed at %s continues', { tags: ['long'] }, async ([, times]) => {
  const [team, back] = [await newTeam(), await newDirectory()];
  await move('to-team', from, team);
  s3().proxy.reset();
  await killedAt(/^GET .*blob/, times, 'move', '--to', back, ...addresses(team));
  const containers = await containersIn(back);
  s3().proxy.reset();
  expect(await move('to-folder', back, team, { verifies: true })).toMatchObject({ error: null });
  expect(s3().proxy.count(/^GET .*blob/)).toBeLessThanOrEqual((await containersOfAll()) - containers);
  expect(await folderContents(back)).toEqual(await teamContents(team));
  expect(await readdir(join(back, 'vault', 'incoming'))).toEqual([]);
});

const containersIn = async (directory: string): Promise<number> =>
  (await readdir(join(directory, 'vault'), { recursive: true })).filter((path) => /[0-9a-f]{64}$/.test(path)).length;

test('a move ends when the store fails, with rows for what was copied, and continues', async () => {
  const team = await newTeam();
  const moving = move('to-team', from, team);
  await expect.poll(() => s3().proxy.count(/^PUT /), { interval: 1 }).toBeGreaterThanOrEqual(40);
  s3().proxy.fault(/^PUT /, { kind: 'refuse', status: 503, code: 'SlowDown' }, 100_000);
  expect((await moving).error).toBeInstanceOf(StoreUnavailable);
  expect(await containersWithRows(team)).toBeGreaterThanOrEqual(30);
  s3().proxy.reset();
  expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
  await expectSwept(team);
});

test('a move ends when the database crashes, and continues', async () => {
  const team = await newTeam();
  const moving = move('to-team', from, team);
  await expect.poll(() => s3().proxy.count(/^PUT /), { interval: 1 }).toBeGreaterThanOrEqual(150);
  await postgres.kill();
  expect((await moving).error).toBeInstanceOf(StoreUnavailable);
  await postgres.start();
  expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
  await expectSwept(team);
});

test('a move is refused while a lab runs over the folder', async () => {
  const folder = await newLabFolder();
  const lab = await startLabHere(folder);
  const team = await newTeam();
  const refused = [await move('to-team', folder, team), await move('to-folder', folder, team)];
  await lab.stop();
  expect(refused[0]?.error).toBeInstanceOf(LabIsRunning);
  expect(String(refused[1]?.error)).toContain('is not empty');
  expect((await teamContents(team)).records).toEqual([]);
  expect(await move('to-team', folder, team)).toMatchObject({ error: null });
});

test('a token that is added during a move is moved by the next one', async () => {
  const [folder, team] = [await newLabFolder(), await newTeam()];
  const added = Promise.withResolvers<void>();
  s3().proxy.fault(/^PUT /, { kind: 'wait', until: added.promise });
  const moving = move('to-team', folder, team);
  await expect.poll(() => s3().proxy.count(/^PUT /)).toBeGreaterThanOrEqual(1);
  await labCommandHere('token', 'add', '--rights', 'scan', '--name', 'late', '--data', folder);
  added.resolve();
  const moved = await moving;
  expect(moved.error).toBeNull();
  expect(moved.remarks.at(-1)).toContain('Run the command again');
  const names = async (): Promise<string[]> => (await teamContents(team)).tokens.map(({ name }) => name);
  expect(await names()).toEqual(['ana', 'bo']);
  expect((await move('to-team', folder, team)).remarks.join('\n')).not.toContain('Run the command again');
  expect(await names()).toEqual(['ana', 'bo', 'late']);
});

test('the command reports on its outputs and by its exit code', async () => {
  const [folder, team, back] = [await newLabFolder(), await newTeam(), await newDirectory()];
  const before = await checksums(folder);
  const moved = await command(team, 'move', '--data', folder, '--verify');
  expect(moved).toMatchObject({
    code: 0,
    results: expect.stringMatching(/^samples: \d+ moved, 0 skipped, 0 refused\n/),
  });
  expect(moved.remarks).toMatch(/Verified: \d+ the same, 0 different/);
  expect(await checksums(folder)).toEqual(before);
  expect((await command(team, 'audit')).results).toContain(`to-team,${folder}`);
  const { records } = await folderContents(folder);
  const [first] = records;
  await withTeam(team, ({ metadata }) =>
    metadata.addComment(first?.sample.hashes.sha256 ?? '', {
      parent: null,
      author: 'bo',
      content: 'since',
      created: '2026-11-30T10:00:00Z',
    }),
  );
  const again = await command(team, 'move', '--data', folder);
  expect(again.code).toBe(1);
  expect(again.results).toContain(`refused\tsamples\t${first?.sample.hashes.sha256}\tthere with other comments\n`);
  expect(again.remarks).toContain('1 were refused; they are listed above.');
  expect(await command(team, 'move', '--to', back, '--verify')).toMatchObject({ code: 0 });
});
