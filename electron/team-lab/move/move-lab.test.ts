import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { anyText } from '../../base/property.fixture.ts';
import { OperatorError } from '../../lab/errors.ts';
import { ended, startLabHere } from '../../lab/running-lab.fixture.ts';
import { labDatabaseName, openSqliteMetadata } from '../../lab/stores/folder/sqlite-metadata-store.ts';
import type { NewComment, SampleFacts } from '../../lab/stores/metadata-store.ts';
import { digest, newSample } from '../../lab/stores/new-sample.fixture.ts';
import { firstContainerOf } from '../../vault/container/first-container.fixture.ts';
import { PgAudit } from '../postgres/pg-audit.ts';
import { addresses, start } from '../testing/team.fixture.ts';
import {
  addTo,
  checksums,
  type Contents,
  folderContents,
  move,
  newDirectory,
  newLabFolder,
  objectsOf,
  prefixOf,
  teamContents,
  useTeams,
  withTeam,
} from './move.fixture.ts';

const { s3, place: newTeam } = useTeams();
const mebibyte = 1024 * 1024;
const containerAt = (directory: string, sha256: string): string => join(directory, 'vault', sha256.slice(0, 2), sha256);

/** As PostgreSQL holds it. */
function shown({ records, publications, tokens }: Contents): Contents {
  const text = (one: string): string => one.replaceAll('\0', '\u2400');
  const time = (one: string): string => one.replace('.000Z', 'Z');
  return {
    records: records.map(({ sample, comments }) => ({
      sample: {
        ...sample,
        name: text(sample.name),
        mime: sample.mime === null ? null : text(sample.mime),
        threat: sample.threat === null ? null : text(sample.threat),
        tags: sample.tags.map(text),
        uploader: text(sample.uploader),
        uploaded: time(sample.uploaded),
      },
      comments: comments.map(({ author, content, created, parent }) => ({
        author: text(author),
        content: text(content),
        created: time(created),
        parent,
      })),
    })),
    publications: publications.map((one) => ({ ...one, published: time(one.published) })),
    tokens: tokens.map((one) => ({ ...one, name: text(one.name), created: time(one.created) })),
  };
}

test("a folder's lab is a team's after a move, and again a folder's, with the same records and bytes", async () => {
  const [from, back, team] = [await newLabFolder(), await newDirectory(), await newTeam()];
  await addTo(from, [{ bytes: randomBytes(9 * mebibyte) }, { bytes: Buffer.alloc(0) }]);
  const [before, contents] = [await checksums(from), shown(await folderContents(from))];
  const there = await move('to-team', from, team, { verifies: true });
  expect(there).toMatchObject({ error: null });
  expect(there.results).toEqual([
    `samples: ${contents.records.length} moved, 0 skipped, 0 refused`,
    `publications: ${contents.publications.length} moved, 0 skipped, 0 refused`,
    'tokens: 2 moved, 0 skipped, 0 refused',
  ]);
  expect(await checksums(from)).toEqual(before);
  expect(await teamContents(team)).toEqual(contents);
  const objects = await objectsOf(s3(), team);
  expect(await move('to-folder', back, team, { verifies: true })).toMatchObject({ error: null });
  expect(await folderContents(back)).toEqual(contents);
  expect(await objectsOf(s3(), team)).toBe(objects);
  expect(await teamContents(team)).toEqual(contents);
  for (const { sample } of contents.records)
    expect(await readFile(containerAt(back, sample.hashes.sha256))).toEqual(
      await readFile(containerAt(from, sample.hashes.sha256)),
    );
  await expectServed(back, contents);
});

/** The lab adds nothing: what it is stocked with was moved, too. */
async function expectServed(directory: string, contents: Contents): Promise<void> {
  const lab = await startLabHere(directory);
  try {
    for (const { sample } of contents.records) {
      const reply = await lab.ask('downloadfile', { file: sample.hashes.md5 });
      expect(hash('sha256', new Uint8Array(await reply.arrayBuffer()))).toBe(sample.hashes.sha256);
    }
  } finally {
    await lab.stop();
  }
  expect(await folderContents(directory)).toEqual(contents);
}

test('a second move skips everything, copies no bytes, and notes a later use of a token', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  await move('to-team', from, team);
  const metadata = openSqliteMetadata(from);
  for (const { id } of await metadata.tokens()) await metadata.noteTokenUse(id, '2026-11-30');
  await metadata.close();
  s3().proxy.reset();
  const again = await move('to-team', from, team, { verifies: true });
  expect(again.error).toBeNull();
  expect(again.results.every((line) => line.includes(' 0 moved,') && line.endsWith(' 0 refused'))).toBe(true);
  expect(s3().proxy.count(/^(?:PUT|POST) /)).toBe(0);
  expect((await teamContents(team)).tokens.map(({ lastUsed }) => lastUsed)).toEqual(['2026-11-30', '2026-11-30']);
});

const instant = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const thread: fc.Arbitrary<NewComment> = fc.letrec<{ comment: NewComment }>((tie) => ({
  comment: fc.record({
    author: anyText,
    content: anyText,
    created: instant,
    replies: fc.array(tie('comment'), { maxLength: 2 }),
  }),
})).comment;
const facts: fc.Arbitrary<SampleFacts> = fc.record({
  name: anyText,
  mime: fc.option(anyText),
  threat: fc.option(anyText),
  criticity: fc.constantFrom(1, 2, 3),
  tags: fc.array(anyText, { maxLength: 4 }),
  uploader: anyText,
  uploaded: instant,
  restricted: fc.boolean(),
  virusTotal: fc.boolean(),
  sandbox: fc.boolean(),
});
const samples = fc.array(fc.record({ facts, comments: fc.array(thread, { maxLength: 3 }) }), { maxLength: 12 });

test(
  'whatever samples a folder has, they are the same there and back, in the form PostgreSQL holds',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(samples, async (given) => {
        const [from, back, team] = [await newDirectory(), await newDirectory(), await newTeam()];
        await addTo(
          from,
          given.map((one, index) => ({ ...one, bytes: randomBytes(index * 97) })),
        );
        expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
        expect(await move('to-folder', back, team, { verifies: true })).toMatchObject({ error: null });
        const expected = shown(await folderContents(from));
        expect(await teamContents(team)).toEqual(expected);
        expect(await folderContents(back)).toEqual(expected);
      }),
      { numRuns: 4 },
    );
  },
);

test('comments stay in the order in which they were written, and NUL is reported', async () => {
  const [from, back, team] = [await newLabFolder(), await newDirectory(), await newTeam()];
  const metadata = openSqliteMetadata(from);
  const [record] = (await folderContents(from)).records;
  const { sha256 } = record?.sample.hashes ?? { sha256: '' };
  const comment = { author: 'ana', created: '2026-11-30T10:00:00Z', content: 'a\0b' };
  const first = await metadata.addComment(sha256, { ...comment, parent: null });
  await metadata.addComment(sha256, { ...comment, content: 'other thread', parent: null });
  await metadata.addComment(sha256, { ...comment, content: 'reply to the first', parent: first });
  await metadata.close();
  const moved = await move('to-team', from, team, { verifies: true });
  expect(moved.error).toBeNull();
  expect(moved.remarks.join('\n')).toContain('Text is held in another form there: 1 samples.');
  await move('to-folder', back, team, { verifies: true });
  expect(await folderContents(back)).toEqual(shown(await folderContents(from)));
});

function flipped(container: Buffer, at: number): Buffer {
  container[at] = (container[at] ?? 0) ^ 1;
  return container;
}

test.for([
  ['one bit of the body', 'altered', (container: Buffer) => flipped(container, 100)],
  ['one bit of the trailer', 'altered', (container: Buffer) => flipped(container, container.length - 40)],
  ['its length', 'cut off', (container: Buffer) => container.subarray(0, -1)],
  ['all of it', 'cut off', () => Buffer.alloc(0)],
] as const)('a container with damage to %s is reported, and the rest is moved', async ([, reason, change]) => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  const bytes = randomBytes(70_000);
  await addTo(from, [{ bytes }]);
  const sha256 = hash('sha256', bytes);
  const container = await readFile(containerAt(from, sha256));
  await writeFile(containerAt(from, sha256), change(container));
  const moved = await move('to-team', from, team, { verifies: true });
  expect(moved.error).toBeInstanceOf(OperatorError);
  expect(moved.results[0]).toBe(`refused\tsamples\t${sha256}\tits bytes are damaged: ${reason}`);
  expect(moved.results.at(-1)).toBe(`different\tsamples\t${sha256}\tmissing`);
  const { records } = await folderContents(from);
  expect((await teamContents(team)).records).toEqual(records.filter(({ sample }) => sample.hashes.sha256 !== sha256));
  expect(await objectsOf(s3(), team)).toBe(records.length - 1 + (await folderContents(from)).publications.length);
});

test('bytes that are missing, or another sample, are reported on either way', async () => {
  const [from, back, team] = [await newLabFolder(), await newDirectory(), await newTeam()];
  const [one, other] = [randomBytes(300), randomBytes(300)];
  const [sha256, sha256OfOther] = [hash('sha256', one), hash('sha256', other)];
  await addTo(from, [{ bytes: one }, { bytes: other }]);
  await move('to-team', from, team);
  const [file] = await withTeam(team, ({ metadata }) => metadata.filesByMd5([hash('md5', one)]));
  await s3()
    .client({ prefix: prefixOf(team) })
    .delete(file?.place ?? '');
  const moved = await move('to-folder', back, team);
  expect(moved.results[0]).toBe(`refused\tsamples\t${sha256}\tits bytes are missing`);
  expect(moved.error).toBeInstanceOf(OperatorError);
  await writeFile(containerAt(from, sha256), await readFile(containerAt(from, sha256OfOther)));
  await rm(containerAt(from, sha256OfOther));
  const again = await move('to-team', from, await newTeam());
  expect(again.results.slice(0, 2).toSorted()).toEqual(
    [
      `refused\tsamples\t${sha256}\tits bytes are damaged: another sample`,
      `refused\tsamples\t${sha256OfOther}\tits bytes are missing`,
    ].toSorted(),
  );
});

test('a verification reports damaged bytes in the bucket, and each row that differs', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  await move('to-team', from, team);
  const { records, tokens } = await folderContents(from);
  const { md5, sha256 } = records[0]?.sample.hashes ?? { md5: '', sha256: '' };
  await withTeam(team, async ({ metadata }) => {
    const [file] = await metadata.filesByMd5([md5]);
    const path = join(s3().directory, prefixOf(team), `${file?.place}._S3rver_object`);
    await writeFile(path, flipped(await readFile(path), 64));
    const token = await metadata.tokenByDigest(tokens[1]?.sha256 ?? '');
    await metadata.removeToken(token?.id ?? 0);
    await metadata.addToken({ ...(tokens[1] ?? expect.fail('no token')), name: 'other' });
  });
  const { error, results } = await move('to-team', from, team, { verifies: true });
  expect(error).toBeInstanceOf(OperatorError);
  expect(results.filter((line) => line.startsWith('different'))).toEqual([
    `different\tsamples\t${sha256}\tits bytes are damaged: altered`,
    'different\ttokens\t2 bo\tother name',
  ]);
});

test('what is there with other content is reported, and stays as it is', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  const bytes = randomBytes(100);
  const md5 = hash('md5', bytes);
  await addTo(from, [{ bytes }]);
  const { publications, tokens, records } = await folderContents(from);
  const [publication, token, record] = [publications.at(-1), tokens.at(-1), records[0]];
  if (publication === undefined || token === undefined || record === undefined) throw new TypeError('an empty lab');
  const others = await withTeam(team, async ({ metadata }) => {
    const { sample } = newSample('other');
    await metadata.addSamples([
      { sample: { ...sample, hashes: { ...sample.hashes, md5 }, place: 'blob/1' }, comments: [] },
      { sample: { ...record.sample, tags: ['else'], place: 'blob/2' }, comments: [] },
    ]);
    const sha256 = digest('sha256', 'package');
    await metadata.addPublication({ ...publication, id: 'x', sha256, sizeBytes: 1, place: 'blob/3' });
    await metadata.addToken({ ...token, rights: ['read'] });
    return teamContents(team);
  });
  const moved = await move('to-team', from, team);
  expect(moved.error).toBeInstanceOf(OperatorError);
  const { version } = publication;
  expect(moved.results.filter((line) => line.startsWith('refused')).toSorted()).toEqual(
    [
      `refused\tpublications\t${version}\tthere with other id, sha256, sizeBytes`,
      `refused\tsamples\t${hash('sha256', bytes)}\tthe MD5 ${md5} is taken by ${digest('sha256', 'other')}`,
      `refused\tsamples\t${record.sample.hashes.sha256}\tthere with other tags` +
        (record.comments.length > 0 ? ', comments' : ''),
      'refused\ttokens\t2 bo\tthere with other rights',
    ].toSorted(),
  );
  const after = await teamContents(team);
  expect(after.records).toEqual(expect.arrayContaining(others.records));
  expect(after.records).toHaveLength(records.length);
  expect(after.publications).toEqual(expect.arrayContaining(others.publications));
  expect(after.tokens).toEqual(expect.arrayContaining(others.tokens));
});

test('containers of the first version are moved as they are, and read back', async () => {
  const [from, back, team] = [await newLabFolder(), await newDirectory(), await newTeam()];
  const all = [randomBytes(5_000), randomBytes(9 * mebibyte), Buffer.alloc(0)];
  await addTo(
    from,
    all.map((bytes) => ({ bytes })),
  );
  const containers = new Map(all.map((bytes) => [hash('sha256', bytes), firstContainerOf(bytes)]));
  for (const [sha256, container] of containers) await writeFile(containerAt(from, sha256), container);
  expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
  expect(await move('to-folder', back, team, { verifies: true })).toMatchObject({ error: null });
  for (const [sha256, container] of containers)
    expect((await readFile(containerAt(back, sha256))).equals(container)).toBe(true);
});

test('bytes that are a sample and a publication are copied once', async () => {
  const [from, back, team] = [await newLabFolder(), await newDirectory(), await newTeam()];
  const bytes = randomBytes(1_000);
  await addTo(from, [{ bytes }]);
  const metadata = openSqliteMetadata(from);
  const sha256 = hash('sha256', bytes);
  const same = { group: 'Test', published: '2026-11-20T00:00:00Z', files: 1, rules: 1 } as const;
  await metadata.addPublication({ id: 'p', version: 'p-1', sha256, place: sha256, sizeBytes: 1_000, ...same });
  await metadata.close();
  const { records, publications } = await folderContents(from);
  expect(await move('to-team', from, team, { verifies: true })).toMatchObject({ error: null });
  expect(await objectsOf(s3(), team)).toBe(records.length + publications.length - 1);
  expect(await move('to-folder', back, team, { verifies: true })).toMatchObject({ error: null });
  expect(await folderContents(back)).toEqual(shown(await folderContents(from)));
});

test('a move is on record with its folder before and after', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  await move('to-team', from, team);
  const entries = await withTeam(team, ({ database }) =>
    new PgAudit(database).list({ who: null, since: null, most: 10 }),
  );
  expect(entries.map(({ what, about }) => [what, about.slice(0, 2), about.length])).toEqual([
    ['move', ['to-team', from], 5],
    ['move', ['to-team', from], 2],
  ]);
});

test('a folder that is not empty, or holds another lab half moved, is refused and stays as it is', async () => {
  const [team, other] = [await newTeam(), await newTeam()];
  const full = await newDirectory();
  await writeFile(join(full, 'notes.txt'), 'mine');
  const refused = await move('to-folder', full, team);
  expect(String(refused.error)).toContain('is not empty');
  expect(await readdir(full)).toEqual(['notes.txt']);
  const half = await newDirectory();
  const from = await newLabFolder();
  await move('to-team', from, team);
  s3().proxy.fault(/^GET .*blob/, { kind: 'refuse', status: 403, code: 'AccessDenied' }, 1_000);
  expect((await move('to-folder', half, team)).error).not.toBeNull();
  s3().proxy.reset();
  expect(String((await move('to-folder', half, other)).error)).toContain('another lab');
  expect(await move('to-folder', half, team, { verifies: true })).toMatchObject({ error: null });
  expect(String((await move('to-folder', half, team)).error)).toContain('is not empty');
});

test('a folder without a lab is refused and nothing is made', async () => {
  const folder = join(await newDirectory(), 'nothing');
  const moved = await move('to-team', folder, await newTeam());
  expect(String(moved.error)).toContain('There is no lab in');
  expect(existsSync(folder)).toBe(false);
});

test('a container that is too large for a bucket is refused, and the rest is moved', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  const { records } = await folderContents(from);
  const sha256 = records[1]?.sample.hashes.sha256 ?? '';
  const database = new DatabaseSync(join(from, labDatabaseName));
  database.prepare('UPDATE samples SET size = ? WHERE sha256 = ?').run(49 * 1024 * mebibyte, sha256);
  database.close();
  const { error, results } = await move('to-team', from, team);
  expect(error).toBeInstanceOf(OperatorError);
  expect(results.filter((line) => line.startsWith('refused'))).toEqual([
    `refused\tsamples\t${sha256}\tit is larger than the 48 GiB that a bucket takes`,
  ]);
  expect((await teamContents(team)).records).toHaveLength(records.length - 1);
});

test('a token that was revoked at the team is not added again by a later move', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  await move('to-team', from, team);
  await withTeam(team, async ({ metadata }) => {
    const [first] = await metadata.tokens();
    expect(await metadata.removeToken(first?.id ?? 0)).toBe(true);
  });
  const again = await move('to-team', from, team, { verifies: true });
  expect(again).toMatchObject({ error: null });
  expect(again.results.at(-1)).toBe('tokens: 0 moved, 2 skipped, 0 refused');
  expect(again.remarks).toContain('Revoked there, and not added again: token 1 ana.');
  expect((await teamContents(team)).tokens.map(({ name }) => name)).toEqual(['bo']);
});

test('copies of the database that a killed move left are removed by the next one', async () => {
  const [from, team] = [await newLabFolder(), await newTeam()];
  vi.stubEnv('TMPDIR', await newDirectory());
  onTestFinished(() => void vi.unstubAllEnvs());
  const left = async (): Promise<string[]> => (await readdir(tmpdir())).filter((name) => name.startsWith(copyName));
  const child = start(['move', '--data', from, ...addresses(team)]);
  s3().proxy.fault(/^PUT /, { kind: 'wait', until: once(child, 'exit') }, 100);
  await expect.poll(() => s3().proxy.count(/^PUT /)).toBeGreaterThan(0);
  await ended(child, () => child.kill('SIGKILL'));
  expect(await left()).toHaveLength(1);
  expect(await move('to-team', from, team)).toMatchObject({ error: null });
  expect(await left()).toEqual([]);
});

const copyName = 'vitrine-lab-move-';
