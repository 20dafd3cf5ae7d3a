import { expect, test, vi } from 'vitest';
import { md5Of, type ScriptedRepository, valuesOf } from './scripted-repository.fixture.ts';
import { type Bench, failuresOf, filesNamed, newBench, quietDraft } from './upload-bench.fixture.ts';
import { ended, team, type TestUploads, type TestUploadsOptions } from './uploads.fixture.ts';

/** Files that are known to the library and to go to both third parties. @returns what makes one of them TLP:RED */
async function flaggedBench(
  files: Record<string, Uint8Array | string>,
  options: Partial<TestUploadsOptions> = {},
): Promise<Bench & { redden(name: string): void }> {
  const { setup, repository } = await newBench({}, options);
  await setup.add(files);
  const { library } = setup.stores;
  const sha256s = new Map(
    (await quietDraft(setup)).map(({ name, md5, sha1, sha256, sizeBytes }) => {
      const hashes = { md5: md5 ?? '', sha1: sha1 ?? '', sha256: sha256 ?? '' };
      library.recordDownload({ workspaceId: team, md5: hashes.md5, hashes, sizeBytes, outcome: 'done' });
      return [name, hashes.sha256];
    }),
  );
  await setup.uploads.change(team, { kind: 'all' }, { virusTotal: true, sandbox: true, addTags: ['emotet'] });
  return {
    setup,
    repository,
    redden: (name) => void library.changeSamples([sha256s.get(name) ?? ''], { add: [], remove: [], tlp: 'red' }),
  };
}

/** Of each request in order: whether it asked for the third parties, and the tags, file by file. */
const arrived = ({ forms }: ScriptedRepository): unknown[] =>
  forms.map((form) =>
    form.files.map(({ name }, at) => [
      name,
      ...['vtsubmit[]', 'cksubmit[]', 'tags[]'].map((field) => valuesOf(form, field)[at]),
    ]),
  );
const open = (name: string): unknown[] => [name, 'true', 'true', 'emotet'];
const closed = (name: string): unknown[] => [name, 'false', 'false', 'emotet,tlp:red'];

/** The journal's requests for these bytes, row by row, oldest first. */
async function askedFor({ stores }: TestUploads, bytes: Uint8Array | string): Promise<unknown[]> {
  const filter = { operations: ['upload' as const], workspaceId: null, find: '', from: null, before: null };
  const { lines } = await stores.journalReader.list({ filter, offset: 0, limit: 100 });
  await stores.journalReader.close();
  const rows = lines.flatMap(({ row }) => (row?.hash === md5Of(bytes) ? [row] : [])).toReversed();
  return rows.map(({ outcome, detail }) => [outcome, detail['virusTotal'], detail['sandbox'], detail['tlp']]);
}

test('a file restricted while its job is paused is sent to the repository alone, with that TLP', async () => {
  const files = filesNamed('a.bin', 'b.bin');
  const { setup, repository, redden } = await flaggedBench(files);
  const begun = Promise.withResolvers<void>();
  repository.script = { record: () => (begun.resolve(), true) };
  const { id } = await setup.uploads.send(team);
  await begun.promise;
  setup.jobs.pause(id);
  await ended(setup, id);
  redden('a.bin');
  repository.script = {};
  setup.jobs.resume(id);
  expect(await ended(setup, id)).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect(arrived(repository)).toEqual([[closed('a.bin'), open('b.bin')]]);
  expect(await askedFor(setup, files['a.bin'] ?? '')).toEqual([
    ['sending', false, false, 'red'],
    ['done', false, false, 'red'],
  ]);
});

test('a file restricted while an earlier request is under way goes to no third party', async () => {
  const { setup, repository, redden } = await flaggedBench(filesNamed('a.bin', 'b.bin'), {
    settings: { uploadFiles: 1 },
  });
  repository.script = {
    upload: (form, response, number) => {
      if (number === 1) redden('b.bin');
      repository.store(form, response);
    },
  };
  expect(await ended(setup, (await setup.uploads.send(team)).id)).toMatchObject({ counts: { done: 2 } });
  expect(arrived(repository)).toEqual([[open('a.bin')], [closed('b.bin')]]);
});

test('a file restricted while its request fails goes to no third party on retry', async () => {
  const { setup, repository, redden } = await flaggedBench({ 'a.bin': Buffer.alloc(6_000_000, 1) });
  repository.script = {
    head: (request, _, number) => {
      if (number > 1) return false;
      redden('a.bin');
      request.once('data', () => request.destroy());
      return true;
    },
  };
  expect(await ended(setup, (await setup.uploads.send(team)).id)).toMatchObject({ counts: { done: 1 } });
  expect([repository.uploads(), arrived(repository)]).toEqual([2, [[closed('a.bin')]]]);
});

test('a file restricted after a lost reply goes to no third party on retry, as the journal shows', async () => {
  const files = filesNamed('a.bin');
  const { setup, repository, redden } = await flaggedBench(files);
  repository.script = {
    upload: (_, response) => {
      redden('a.bin');
      response.destroy();
    },
  };
  const { id } = await setup.uploads.send(team);
  await ended(setup, id);
  expect(await failuresOf(setup, id)).toEqual({ 'a.bin': 'may-have-arrived' });
  repository.script = {};
  setup.jobs.retry(id, ['failed']);
  expect(await ended(setup, id)).toMatchObject({ counts: { done: 1 } });
  expect(arrived(repository)).toEqual([[open('a.bin')], [closed('a.bin')]]);
  expect((await askedFor(setup, files['a.bin'] ?? '')).slice(-4)).toEqual([
    ['sending', true, true, null],
    ['may-have-arrived', true, true, null],
    ['sending', false, false, 'red'],
    ['done', false, false, 'red'],
  ]);
});

test('a draft shows at once that the library restricted one of its files, and the receivers left out', async () => {
  const { setup, redden } = await flaggedBench(filesNamed('a.bin', 'b.bin'));
  const { reported } = setup;
  redden('a.bin');
  await vi.waitFor(() =>
    expect(setup.files()).toMatchObject([
      { tlp: 'red', virusTotal: false, sandbox: false },
      { tlp: null, virusTotal: true, sandbox: true },
    ]),
  );
  expect(setup.uploads.draft(team)).toMatchObject({
    closed: 1,
    virusTotal: { files: 1, names: ['b.bin'] },
    sandbox: { files: 1, names: ['b.bin'] },
  });
  await vi.waitFor(() => expect(setup.reported).toBeGreaterThan(reported));
});

test('a draft file with a TLP below the library’s shows the restriction that it will be sent with', async () => {
  const { setup, redden } = await flaggedBench(filesNamed('a.bin'));
  redden('a.bin');
  await vi.waitFor(() => expect(setup.files()).toMatchObject([{ tlp: 'red' }]));
  await setup.uploads.change(team, { kind: 'all' }, { tlp: 'clear', virusTotal: true });
  await vi.waitFor(() => expect(setup.files()).toMatchObject([{ tlp: 'red', virusTotal: false }]));
});
