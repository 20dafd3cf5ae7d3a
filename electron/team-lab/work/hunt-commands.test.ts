import { expect, onTestFinished, test } from 'vitest';
import { WrongArguments } from '../../lab/command-line.ts';
import { isForTeam, readTeamArguments } from '../command-line.ts';
import { PgAudit } from '../postgres/pg-audit.ts';
import { usePostgres } from '../testing/postgres.fixture.ts';
import { commandHunts } from './hunt-commands.ts';
import { HuntLab, useS3 } from './hunt-lab.fixture.ts';
import { ScanQueue } from './scan-queue.ts';

const postgres = usePostgres();
const s3 = useS3();

/** Lines of results and of remarks. */
function terminal() {
  const [results, remarks]: [string[], string[]] = [[], []];
  return {
    results,
    remarks,
    result: (line: string) => void results.push(line),
    remark: (line: string) => void remarks.push(line),
    report: (error: unknown) => void remarks.push(String(error)),
  };
}

const rules = 'rule needle { strings: $a = "needle" condition: $a }';

test('hunt prints its progress until it is done, and is on record', { tags: ['long'], timeout: 200_000 }, async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.publish(rules, '1.5');
  await lab.add([Buffer.from('needle'), Buffer.from('other')]);
  await lab.workHere();
  const shown = terminal();
  await commandHunts({ kind: 'hunt', version: null, isDetached: false }, lab.addresses.database, shown);
  expect(shown.results.at(-1)).toBe('Hunt 1 of 1.5: done, 2 of 2 samples, 1 hits, 0 failed');
  const [entry] = await new PgAudit(lab.stores.database).list({ who: null, since: null, most: 1 });
  expect(entry).toMatchObject({ what: 'hunt', about: ['1.5', '1'], from: null });
});

test('a detached hunt is listed, is cancelled once, and its failures are listed', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const { database } = lab.addresses;
  await lab.publish(rules, '1');
  await lab.publish(rules, '2');
  const [sha256 = ''] = await lab.add([Buffer.from('needle')]);
  const shown = terminal();
  await commandHunts({ kind: 'hunt-list' }, database, shown);
  expect([shown.results, shown.remarks]).toEqual([[], ['No hunts.']]);
  await commandHunts({ kind: 'hunt', version: '1', isDetached: true }, database, shown);
  await commandHunts({ kind: 'hunt-list' }, database, shown);
  expect(shown.results).toEqual(['1', expect.stringMatching(/^1\t1\trunning\t0\/1\t0\t0\t20\d\d-/)]);
  await commandHunts({ kind: 'hunt-cancel', number: 1 }, database, shown);
  await expect(commandHunts({ kind: 'hunt-cancel', number: 1 }, database, shown)).rejects.toThrow(
    'Hunt 1 is not running.',
  );
  await expect(commandHunts({ kind: 'hunt-failed', number: 2 }, database, shown)).rejects.toThrow(WrongArguments);
  await lab.stores.database.execute(
    `INSERT INTO scan_failure SELECT 1, id, 'too' || chr(10) || 'slow' FROM sample;
     UPDATE scan_piece SET left_out = '{needle}'`,
  );
  const failed = terminal();
  await commandHunts({ kind: 'hunt-failed', number: 1 }, database, failed);
  expect(failed.results).toHaveLength(1);
  expect(failed.results[0]).toMatch(new RegExp(`^${sha256}\ttoo[^\n]+slow$`));
  expect(failed.remarks).toEqual([expect.stringMatching(/^Left out .*: needle\.$/)]);
  const recorded = await new PgAudit(lab.stores.database).list({ who: null, since: null, most: 9 });
  expect(recorded.map(({ what, about }) => [what, ...about])).toEqual([
    ['hunt-cancel', '1'],
    ['hunt', '1', '1'],
  ]);
});

test('a hunt that cannot be put on record neither begins nor is cancelled', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const { database } = lab.addresses;
  await lab.add([Buffer.from('needle')]);
  const running = await lab.hunts.begin(await lab.publish(rules));
  await lab.stores.database.execute('ALTER TABLE audit ADD CHECK (false) NOT VALID');
  const shown = terminal();
  const hunt = { kind: 'hunt', version: null, isDetached: true } as const;
  await expect(commandHunts(hunt, database, shown)).rejects.toThrow('"audit"');
  await expect(commandHunts({ kind: 'hunt-cancel', number: running }, database, shown)).rejects.toThrow('"audit"');
  expect((await lab.hunts.list()).map(({ number, state }) => [number, state])).toEqual([[running, 'running']]);
});

test('a hunt that failed is listed with its reason', async () => {
  const lab = await HuntLab.open(postgres, s3());
  await lab.add([Buffer.from('needle')]);
  const number = await lab.hunts.begin(await lab.publish(rules));
  const job = (await lab.queue.take()) ?? expect.fail('it has a piece');
  await lab.hunts.fail(job, 'None of its\nrules compiles.');
  const shown = terminal();
  await commandHunts({ kind: 'hunt-list' }, lab.addresses.database, shown);
  expect(shown.results).toEqual([
    expect.stringMatching(/^1\t1\tfailed\t0\/1\t0\t0\t20\S+\tNone of its[^\n]+compiles\.$/),
  ]);
  await commandHunts({ kind: 'hunt-failed', number }, lab.addresses.database, shown);
  expect(shown.remarks).toEqual([expect.stringMatching(/^The hunt failed: None of its/)]);
  await expect(commandHunts({ kind: 'hunt-cancel', number }, lab.addresses.database, shown)).rejects.toThrow(
    'is not running',
  );
});

test('a hunt of a version that was not published fails, and so does one without the tables of the queue', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const shown = terminal();
  const hunt = { kind: 'hunt', version: null, isDetached: true } as const;
  await expect(commandHunts(hunt, lab.addresses.database, shown)).rejects.toThrow('No publication to hunt with.');
  await lab.publish(rules, '1');
  await expect(commandHunts({ ...hunt, version: '2' }, lab.addresses.database, shown)).rejects.toThrow(
    'No publication has version 2.',
  );
  const bare = await postgres.labDatabase();
  await expect(commandHunts({ kind: 'hunt-list' }, bare, shown)).rejects.toThrow('Run "migrate" once');
});

test('the queue is migrated again beside workers, and keeps its jobs', async () => {
  const lab = await HuntLab.open(postgres, s3());
  const publication = await lab.publish(rules);
  await lab.add([Buffer.from('needle')]);
  await lab.hunts.begin(publication);
  await Promise.all([ScanQueue.migrate(lab.addresses.database), ScanQueue.migrate(lab.addresses.database)]);
  const queue = await ScanQueue.open(lab.addresses.database, {
    lab: lab.stores.database,
    supervises: false,
    report: () => {},
  });
  onTestFinished(() => queue.close());
  expect(await queue.take()).toMatchObject({ piece: { run: 1, number: 1 }, retries: 0, isLost: false });
  expect(await lab.queue.take()).toBeNull();
});

test('work and hunt are read with their options, and anything else is refused', () => {
  const database = ['--database', 'postgres://a@/b'];
  const read = (...args: string[]) => readTeamArguments([...args, ...database]);
  expect(isForTeam(['hunt', 'list'])).toBe(true);
  expect(read('work', '--blobs', 's3://h/b', '--lanes', '3', '--metrics', '127.0.0.1:1', '--grace=5')).toMatchObject({
    kind: 'work',
    tracks: 3,
    metrics: { host: '127.0.0.1', port: 1 },
    graceMs: 5_000,
  });
  expect(read('work', '--blobs', 's3://h/b')).toMatchObject({ tracks: null, metrics: null, graceMs: 30_000 });
  expect(read('hunt')).toMatchObject({ kind: 'hunt', version: null, isDetached: false, blobs: null });
  expect(read('hunt', '--version', '7', '--detach')).toMatchObject({ version: '7', isDetached: true });
  expect([read('hunt', 'list'), read('hunt', 'cancel', '4'), read('hunt', 'failed', '5')]).toMatchObject([
    { kind: 'hunt-list' },
    { kind: 'hunt-cancel', number: 4 },
    { kind: 'hunt-failed', number: 5 },
  ]);
  const wrong = [
    ['work'],
    ['work', '--blobs', 's3://h/b', '--lanes', '0'],
    ['work', '--blobs', 's3://h/b', 'extra'],
    ['hunt', 'begin'],
    ['hunt', 'list', '1'],
    ['hunt', 'cancel'],
    ['hunt', 'cancel', 'x'],
    ['hunt', 'cancel', '1', '2'],
    ['hunt', 'list', '--detach'],
  ];
  for (const args of wrong) expect(() => read(...args), args.join(' ')).toThrow(WrongArguments);
});
