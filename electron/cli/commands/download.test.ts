import { expect, test } from 'vitest';
import type { JobItem } from '../../../shared/domain/job.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { jobOf, runInMemory } from '../memory-run.fixture.ts';

const sha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const item: JobItem = {
  position: 1,
  hash: sha256,
  md5: '44d88612fea8a8f36de82e1278abb02f',
  sha256,
  state: 'already-here',
  sizeBytes: 5,
  name: null,
  failure: null,
};
const { counts } = jobOf({ kind: 'bulk-download' });
const fetched = jobOf({ kind: 'bulk-download' }, { counts: { ...counts, done: 0, 'already-here': 1 } });

/**
 * What is here already, written to a folder by an export that ended like this. `leftOut`: the sample that it did not
 * write.
 */
async function exported(result: string | null, leftOut: JobItem | null, ...options: string[]) {
  const folder = temporaryFolder();
  const over = jobOf(
    { kind: 'export', form: 'one-zip', folder, result },
    leftOut === null ? { id: 8 } : { id: 8, counts: { ...counts, done: 0, failed: 1 } },
  );
  const seen = await runInMemory(['download', sha256, '--no-records', '--out', folder, ...options], () => ({
    answers: {
      'bulk.create': () => ({ id: 7 }),
      'bulk.add': () => ({ items: 1 }),
      'bulk.start': () => fetched,
      'jobs.items': ({ id }) => ({ items: [id === 8 ? (leftOut ?? item) : item], total: 1 }),
      'settings.read': () => ({ values: defaultSettings, damaged: [] }),
      'exports.start': () => over,
    },
  }));
  return { ...seen, said: seen.said.map((line) => line.replace(folder, 'FOLDER')) };
}

test.each([null, 'samples.zip'])(
  'a sample that the export left out is named, and the command fails (it wrote %s)',
  async (result) => {
    const leftOut: JobItem = { ...item, state: 'failed', failure: { kind: 'vault-damaged', sha256 } };
    const { code, lines, said } = await exported(result, leftOut);
    expect([code, lines.length, said]).toEqual([
      6,
      1,
      [
        ...(result === null ? [] : ['Exported to FOLDER/samples.zip']),
        expect.stringMatching(`^Not exported: ${sha256}: `),
      ],
    ]);
    const { json } = await exported(result, leftOut, '--json');
    expect(json.at(-1)).toMatchObject({
      written: result,
      leftOut: [{ hash: sha256, state: 'failed', failure: { kind: 'vault-damaged' } }],
    });
  },
);

test('a complete export shows its location', async () => {
  const { code, said } = await exported('samples.zip', null);
  expect([code, said]).toEqual([0, ['Exported to FOLDER/samples.zip']]);
});

test.each([
  [[], 'aes-256'],
  [['--encryption', 'zipcrypto'], 'zipcrypto'],
  [['--encryption', 'AES-256'], 'aes-256'],
])('an export with %j requests ZIPs with the encryption %s', async (options, encryption) => {
  const { code, inputsOf } = await exported('samples.zip', null, ...options);
  expect([code, inputsOf('exports.start')]).toEqual([
    0,
    [expect.objectContaining({ as: { form: 'one-zip', encryption, password: 'infected' } })],
  ]);
});

const recordsJob = (outcome: Partial<typeof counts>) =>
  jobOf(
    { kind: 'library-change', what: 'records', add: [], remove: [], addsNote: false },
    { id: 9, counts: { ...counts, done: 0, ...outcome } },
  );

/** What is here already, whose records are asked for besides. `outcome`: null where that cannot even begin. */
const withRecords = (outcome: Partial<typeof counts> | null, ...options: string[]) =>
  runInMemory(['download', sha256, ...options], () => ({
    answers: {
      'bulk.create': () => ({ id: 7 }),
      'bulk.add': () => ({ items: 1 }),
      'bulk.start': () => fetched,
      'jobs.items': () => ({ items: [item], total: 1 }),
      'library.readRecords': () =>
        outcome === null ? fail({ kind: 'token-missing', service: 'repository' }) : recordsJob(outcome),
    },
  }));

test('download fetches the metadata of its samples and reports the result', async () => {
  const { code, said, inputsOf } = await withRecords({ done: 1 });
  expect(inputsOf('library.readRecords')).toEqual([
    {
      selection: { kind: 'job', id: fetched.id, filter: { states: ['done', 'already-here'], find: '' } },
      workspaceId: 'team',
    },
  ]);
  expect([code, said.at(-1)]).toEqual([0, 'Records: 1 fetched, 0 already known, 0 without one, 0 forbidden, 0 failed']);
  expect((await withRecords({ unknown: 1 }, '--json')).json.at(-1)).toEqual({
    records: { read: 0, here: 0, none: 1, forbidden: 0, failed: 0 },
    job: 9,
  });
});

test('samples that arrived without metadata are a failure only where it was required', async () => {
  const outcomes = [{ unknown: 1 }, { unknown: 1, forbidden: 1 }, { forbidden: 1, failed: 1 }, null];
  const codesWith = async (...options: string[]) =>
    (await Promise.all(outcomes.map((outcome) => withRecords(outcome, ...options)))).map(({ code }) => code);
  expect(await codesWith()).toEqual([0, 0, 0, 0]);
  expect(await codesWith('--records')).toEqual([3, 4, 1, 4]);
});

test('download exports its samples and shows why when their metadata cannot be fetched', async () => {
  const { code, said } = await withRecords(null);
  expect([code, said.at(-1)]).toEqual([0, expect.stringContaining('vitrine workspace token')]);
});

test('download fetches no metadata with --no-records', async () => {
  const { code, inputsOf } = await withRecords({}, '--no-records');
  expect([code, inputsOf('library.readRecords')]).toEqual([0, []]);
  const both = await withRecords({}, '--no-records', '--records');
  expect([both.code, both.inputsOf('bulk.create')]).toEqual([2, []]);
});

const ended = (facts: Partial<typeof counts>, state: 'done' | 'cancelled' = 'done') =>
  runInMemory(['download', '--resume', '7', '--no-records'], () => {
    const job = jobOf({ kind: 'bulk-download' }, { state, counts: { ...counts, done: 0, ...facts } });
    let jobs = [job];
    return {
      answers: {
        'jobs.list': () => ({ jobs }),
        'jobs.retry': () => {
          jobs = [fetched];
          return {};
        },
        'jobs.items': () => ({ items: [item], total: 1 }),
      },
    };
  });

test.each([
  [{ failed: 1, unknown: 2, forbidden: 1 }, 'done', ['failed']],
  [{ cancelled: 3 }, 'cancelled', ['cancelled']],
  [{ waiting: 3 }, 'cancelled', ['cancelled']],
] as const)('--resume of a job that has ended with %j tries again what may succeed', async (facts, state, states) => {
  const { code, inputsOf } = await ended(facts, state);
  expect([code, inputsOf('jobs.retry')]).toEqual([0, [{ id: 7, states }]]);
});

test('--resume of a job without anything to try again shows its results', async () => {
  const { code, lines, inputsOf } = await ended({ unknown: 1, forbidden: 1, mismatch: 1, 'needs-md5': 1 });
  expect([code, lines.length, inputsOf('jobs.retry')]).toEqual([0, 1, []]);
});
