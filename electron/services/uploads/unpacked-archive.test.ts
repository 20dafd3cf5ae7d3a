import { expect, test } from 'vitest';
import type { Job } from '../../../shared/domain/job.ts';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import { madeBy } from '../../archive/zip-making.fixture.ts';
import { md5Of, type RepositoryScript } from './scripted-repository.fixture.ts';
import { type Bench, newBench, sent } from './upload-bench.fixture.ts';
import { team } from './uploads.fixture.ts';

const members = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => Buffer.from(`the bytes of member ${index}`));
const zipOf = (files: readonly Buffer[]): Buffer =>
  rawZip(files.map((plain, index) => ({ name: `file-${index}.bin`, plain })));

/** Takes a ZIP of these apart as servers of the field do: the first 25, and what else it names. */
function unpacking(
  { repository: { stored } }: Bench,
  files: readonly Buffer[],
  also: unknown[] = [],
): RepositoryScript {
  return {
    upload: (_, response) => {
      const items = files.slice(0, 25).map((bytes) => {
        const md5 = md5Of(bytes);
        const wasThere = stored.has(md5);
        stored.add(md5);
        return wasThere ? { md5, error: 'File is already uploaded' } : { md5 };
      });
      response.end(JSON.stringify({ files: [...items, ...also] }));
    },
  };
}

/** The archive itself is sent, and nothing is opened here. */
async function sentWhole({ setup }: Bench, bytes: Uint8Array, name = 'mail.zip'): Promise<Job> {
  const { id } = await setup.staging.stageStream(name, pieces(bytes));
  setup.uploads.add(team, [{ id, path: '' }], { archives: 'never', passwords: [] });
  return sent(setup);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

test('a ZIP that the server unpacked is reported by its members: stored, already there and dropped', async () => {
  const bench = await newBench();
  const { setup, repository } = bench;
  const all = members(30);
  repository.script = unpacking(bench, all, [
    { md5: 'd41d8cd98f00b204e9800998ecf8427e', error: 'File upload aborted' },
  ]);
  for (const bytes of all.slice(0, 3)) repository.stored.add(md5Of(bytes));
  const zip = zipOf(all);
  const job = await sentWhole(bench, zip);
  expect(job).toMatchObject({ state: 'done', counts: { done: 1 }, failure: null });
  expect(await setup.itemsOf(job.id)).toMatchObject([
    {
      name: 'mail.zip',
      state: 'done',
      failure: { kind: 'upload-unpacked', stored: 22, alreadyThere: 3, refused: 0, dropped: 5 },
    },
  ]);
  expect(setup.journalOf(md5Of(zip)).at(-1)).toMatchObject({
    operation: 'upload',
    outcome: 'upload-unpacked',
    detail: { membersStored: 22, membersThere: 3, membersRefused: 0, membersDropped: 5 },
  });
});

test('members of a ZIP with a usual password are recognized', async () => {
  const bench = await newBench();
  const [one = Buffer.alloc(0), two = Buffer.alloc(0)] = members(2);
  bench.repository.script = unpacking(bench, [one, two]);
  const zip = await madeBy('zip -q -P infected out.zip a.bin b.bin', { 'a.bin': one, 'b.bin': two });
  const job = await sentWhole(bench, zip);
  expect((await bench.setup.itemsOf(job.id))[0]?.failure).toMatchObject({ kind: 'upload-unpacked', stored: 2 });
});

test('a member that the reply names and no record shows is dropped; one with an error is refused', async () => {
  const bench = await newBench();
  const [one = Buffer.alloc(0), two = Buffer.alloc(0), three = Buffer.alloc(0)] = members(3);
  bench.repository.script = unpacking(
    bench,
    [one],
    [{ md5: md5Of(two) }, { md5: md5Of(three), error: 'File is too small' }],
  );
  const job = await sentWhole(bench, zipOf([one, two, three]));
  expect((await bench.setup.itemsOf(job.id))[0]).toMatchObject({
    state: 'done',
    failure: { kind: 'upload-unpacked', stored: 1, alreadyThere: 0, refused: 1, dropped: 1 },
  });
});

test('a ZIP of which the server took no member is refused', async () => {
  const bench = await newBench();
  const [one = Buffer.alloc(0)] = members(1);
  bench.repository.script = unpacking(bench, [], [{ md5: md5Of(one), error: 'File is too small' }]);
  const job = await sentWhole(bench, zipOf([one]));
  expect(await bench.setup.itemsOf(job.id)).toMatchObject([
    { state: 'refused', failure: { kind: 'upload-unpacked', stored: 0, alreadyThere: 0, refused: 1, dropped: 0 } },
  ]);
});

test.each([
  ['a ZIP none of whose members the reply names', zipOf(members(2)), 'mail.zip', true],
  ['a file that is no ZIP', Buffer.from('MZ and more'), 'a.bin', false],
])('%s vanished', async (_, bytes, name, isArchive) => {
  const bench = await newBench();
  bench.repository.script = unpacking(bench, [Buffer.from('another file')]);
  const job = await sentWhole(bench, bytes, name);
  expect(await bench.setup.itemsOf(job.id)).toMatchObject([
    { state: 'vanished', failure: { kind: 'upload-vanished', items: 1, isArchive } },
  ]);
});

test('members of a damaged ZIP are compared as far as it can be read', async () => {
  const bench = await newBench();
  const all = members(3);
  bench.repository.script = unpacking(bench, all);
  const job = await sentWhole(bench, zipOf(all).subarray(0, -40));
  expect((await bench.setup.itemsOf(job.id))[0]?.failure).toMatchObject({ kind: 'upload-unpacked', stored: 3 });
});

test('a ZIP that a repository without records names as stored is not reported as stored', async () => {
  const bench = await newBench({
    record: (_, response) => {
      response.writeHead(404).end();
      return true;
    },
    upload: ({ files }, response) => {
      response.end(JSON.stringify({ files: files.map(({ md5, name }) => ({ filename: name, name: md5 })) }));
    },
  });
  const job = await sentWhole(bench, zipOf(members(3)));
  expect(await bench.setup.itemsOf(job.id)).toMatchObject([
    { state: 'vanished', failure: { kind: 'upload-vanished', sent: 1, items: 1, isArchive: true } },
  ]);
});
