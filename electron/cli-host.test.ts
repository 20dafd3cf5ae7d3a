import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { platform } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import type { OperationInput, OperationName, OperationOutput } from '../shared/contract.ts';
import { FailureError } from '../shared/failure.ts';
import { openClient } from './cli-host.ts';
import {
  type CommandLineLab,
  type HeldHost,
  jsonOf,
  type LabStock,
  makeLabStock,
  openCommandLineLab,
} from './cli-process.fixture.ts';
import type { HostClient } from './cli/client.ts';
import { holdDataDirectory } from './storage/directory/data-lock.ts';

let stock: LabStock;
beforeAll(async () => {
  stock = await makeLabStock();
});
afterAll(() => stock.remove());

async function newLab(files: Record<string, string> = {}, dataName?: string): Promise<CommandLineLab> {
  const lab = await openCommandLineLab(stock, dataName);
  onTestFinished(() => lab.close());
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(lab.folder, name), bytes);
  return lab;
}

/** For `work` alone: what comes after it reads from the disk what it left. */
async function overOneHost(lab: CommandLineLab, work: (host: HeldHost) => Promise<void>): Promise<void> {
  const host = await lab.holdHost();
  try {
    await work(host);
  } finally {
    await host.close();
  }
}

/** What a page would do with the same data. */
async function atHost<T>(
  lab: CommandLineLab,
  work: (
    ask: <N extends OperationName>(name: N, input: OperationInput<N>) => Promise<OperationOutput<N>>,
    client: HostClient,
  ) => Promise<T>,
): Promise<T> {
  const { client } = await openClient(
    { data: lab.data, waitMs: 0, signal: new AbortController().signal },
    packageJson.version,
  );
  expect(client.kind).toBe('running');
  try {
    return await work(async (name, input) => {
      const result = await client.call(name, input);
      if (!result.ok) throw new FailureError(result.failure);
      return result.value;
    }, client);
  } finally {
    await client.close();
  }
}

const eicarLike = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

test('Ctrl-C ends the wait for data that is in use', async () => {
  const lab = await newLab();
  const lock = holdDataDirectory(lab.data, { fileName: 'lock.db', waitMs: 0 });
  onTestFinished(() => lock.release());
  const interrupt = new AbortController();
  const opened = openClient({ data: lab.data, waitMs: 60_000, signal: interrupt.signal }, packageJson.version);
  interrupt.abort();
  await expect(opened).rejects.toBe(interrupt.signal.reason);
});

test('without a running Vitrine, rules are installed and files scanned, sent, commented and exported', async () => {
  const lab = await newLab({ 'one.bin': 'the bytes of one', 'two.bin': 'the bytes of two', 'hit.txt': eicarLike });
  const [one, hit] = [join(lab.folder, 'one.bin'), join(lab.folder, 'hit.txt')];
  let md5 = '';
  await overOneHost(lab, async ({ run }) => {
    expect(await jsonOf(run, ['rules', 'update'])).toMatchObject([
      { active: { source: 'service', contents: { broken: 0 } } },
    ]);
    const [sent] = await jsonOf(run, ['upload', one, '--tag', 'emotet', '--comment', 'from a terminal']);
    expect(sent).toMatchObject({ file: one, outcome: 'stored' });
    const again = await run(['upload', one, join(lab.folder, 'two.bin')]);
    expect([again.code, again.output.split('\n').map((line) => line.split('\t')[0])]).toEqual([
      0,
      ['already-there', 'stored', ''],
    ]);

    md5 = again.output.match(/already-there\t([0-9a-f]{32})/)?.[1] ?? '';
    expect(await run(['comment', md5, '--file', '-'], { input: 'packed' })).toMatchObject({
      code: 0,
      output: expect.stringMatching(`^sent\t${md5}\t`),
    });
    const { output } = await run(['comment', md5, '--list']);
    expect(output.split('\n').map((line) => line.split('\t')[5])).toEqual(['from a terminal', 'packed', undefined]);
  });

  const scanned = await lab.run(['scan', one, hit, '--fail-on-hit']);
  expect([scanned.code, scanned.output.split('\n')]).toEqual([
    8,
    [`hit\t${hit}\teicar_test_file\t-`, expect.stringMatching(/^no hits\t\S+\t-\t\d+ rules/), ''],
  ]);
  const report = await lab.here([
    'case',
    '--hash',
    md5,
    '--as',
    'markdown',
    '--title',
    'One *case*',
    '--comments',
    '--out',
    '-',
  ]);
  expect([report.code, report.output.includes('`One *case*`'), report.output.includes('packed')]).toEqual([
    0,
    true,
    true,
  ]);
});

test('files with any name are scanned by rules that use filenames and workspace variables', async () => {
  const names = ['dump.001', '1234', 'eicar.001', 'eicar.com', 'lib.so.6', 'python3.11', 'driver.386', 'true'];
  const rules = `rule numbered { condition: extension matches /^\\.[0-9]+$/ }
rule by_path { condition: filename == "1234" and filepath endswith "/1234" }
rule truth { condition: filename == "true" and site == "1234" }
rule eicar { strings: $a = "EICAR-STANDARD-ANTIVIRUS-TEST-FILE" condition: $a and filename != "installer" }`;
  const lab = await newLab({
    ...Object.fromEntries(names.map((name) => [name, name.startsWith('eicar') ? eicarLike : `the bytes of ${name}`])),
    'own.yar': rules,
  });
  const workspaceId = 'lab';
  await lab.openRunning();
  await atHost(lab, async (ask, client) => {
    const staged = await client.stageFile(join(lab.folder, 'own.yar'));
    if (!staged.ok) throw new FailureError(staged.failure);
    await ask('publications.addFile', { workspaceId, stagedId: staged.value.id, version: '1' });
    await expect
      .poll(async () => (await ask('publications.state', { workspaceId })).candidate, { timeout: 60_000 })
      .not.toBeNull();
    await ask('publications.activate', {
      workspaceId,
      sha256: (await ask('publications.state', { workspaceId })).candidate ?? '',
    });
  });
  const defined = await lab.here(['rules', 'variables', 'site="1234"']);
  expect([defined.code, defined.output, defined.errors]).toEqual([
    0,
    'site\ttext\t1234\n',
    expect.stringContaining('compiled again: 4 rules, 0 broken'),
  ]);
  const scanned = await lab.here(['scan', '--fail-on-hit', ...names.map((name) => join(lab.folder, name))]);
  expect([
    scanned.code,
    Object.fromEntries(
      scanned.output
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'))
        .map(([state, path, found]) => [path?.slice(lab.folder.length + 1), `${state} ${found ?? ''}`]),
    ),
  ]).toEqual([
    8,
    {
      'dump.001': 'hit numbered',
      1234: 'hit by_path',
      'eicar.001': 'hit eicar numbered',
      'eicar.com': 'hit eicar numbered',
      'lib.so.6': 'hit numbered',
      'python3.11': 'hit numbered',
      'driver.386': 'hit numbered',
      true: 'hit truth',
    },
  ]);
  expect(await lab.json('rules', 'variables', '--remove', 'site')).toEqual([]);
  const refused = await lab.run(['rules', 'variables', 'pe=1']);
  expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('not the name of a module')]);
});

test('a command sends only its own file while Vitrine runs, and leaves the user’s draft unchanged', async () => {
  const lab = await newLab({ 'dropped.bin': 'of the person', 'named.bin': 'of the command' });
  await lab.openRunning();
  const workspaceId = 'lab';
  await atHost(lab, async (ask, client) => {
    const staged = await client.stageFile(join(lab.folder, 'dropped.bin'));
    if (!staged.ok) throw new FailureError(staged.failure);
    await ask('uploads.add', { workspaceId, files: [{ id: staged.value.id, path: '' }] });
    await ask('uploads.comment', { workspaceId, text: 'half a thought' });
  });
  const [sent] = await lab.json('upload', join(lab.folder, 'named.bin'), '--comment', 'of the command');
  expect(sent).toMatchObject({ outcome: 'stored' });
  await atHost(lab, async (ask) => {
    const { files } = await ask('uploads.files', { workspaceId, offset: 0, limit: 10 });
    expect(files.map(({ name, isTicked }) => [name, isTicked])).toEqual([['dropped.bin', true]]);
    expect((await ask('uploads.draft', { workspaceId })).comment).toBe('half a thought');
  });
  const refused = await lab.run(['upload', join(lab.folder, 'named.bin'), '--tlp', 'red', '--virus-total']);
  expect([refused.code, refused.output]).toEqual([7, '']);
});

test.skipIf(platform === 'win32')(
  'commands, Vitrine, its lab and its engines work on a data directory with any characters and a long name',
  async () => {
    const odd = 'a \nVitrine is at %2e#?&=\'"`$HOME\\😀\u202e-';
    const name = `${odd}${'n'.repeat(250 - Buffer.byteLength(odd))}`;
    const lab = await newLab({ 'hit.txt': eicarLike }, name);
    const hit = join(lab.folder, 'hit.txt');
    await overOneHost(lab, async ({ run }) => {
      await jsonOf(run, ['rules', 'update']);
      expect(await run(['scan', hit, '--fail-on-hit'])).toMatchObject({ code: 8 });
    });
    await lab.openRunning();
    await atHost(lab, async (ask) => {
      expect(await ask('library.count', {})).toMatchObject({ inVault: 0 });
    });
  },
);

test('an export into the watched folder, below it or through a link is refused', async () => {
  const lab = await newLab();
  const watched = join(lab.folder, 'incoming');
  await mkdir(join(watched, 'below'), { recursive: true });
  await symlink(watched, join(lab.folder, 'link'));
  await lab.openRunning();
  await lab.json('watch', 'on', watched);
  const journal = (out: string) => lab.here(['journal', 'export', '--out', out]);
  const refused = { code: 7, output: '', errors: expect.stringContaining('This folder is watched') };
  expect(await journal(join(watched, 'below', 'journal.jsonl'))).toMatchObject(refused);
  expect(await journal(join(lab.folder, 'link', 'journal.jsonl'))).toMatchObject(refused);
  expect(
    await lab.run(['case', '--all', '--as', 'csv', '--title', 'x', '--out', join(watched, 'case.csv')]),
  ).toMatchObject(refused);
  expect([await readdir(watched), await readdir(join(watched, 'below'))]).toEqual([['below'], []]);
  expect(await journal(join(lab.folder, 'journal.jsonl'))).toMatchObject({ code: 0 });
});

test('a backup made while Vitrine runs is restored into a new directory, and never over data', async () => {
  const lab = await newLab({ 'one.bin': 'the bytes of one' });
  await lab.openRunning();
  await lab.json('upload', join(lab.folder, 'one.bin'));
  const [backup, restored] = [join(lab.folder, 'backup'), join(lab.folder, 'restored')];
  expect(await lab.json('backup', backup)).toMatchObject([{ folder: backup, failed: 0 }]);
  expect(await lab.here(['restore', backup])).toMatchObject({ code: 7, output: '' });
  expect(await lab.run(['restore', backup, '--data', restored])).toMatchObject({ code: 0 });
  const known = await lab.here([
    'case',
    'name:one.bin',
    '--as',
    'csv',
    '--title',
    'x',
    '--out',
    '-',
    '--data',
    restored,
  ]);
  expect([known.code, known.output.includes('one.bin')]).toEqual([0, true]);
});

test('a bundle of one installation is shown and imported by another', async () => {
  const [from, to] = [await newLab({ 'one.bin': 'the bytes of one' }), await newLab()];
  const environment = { VITRINE_BUNDLE_PASSPHRASE: 'correct horse battery staple' };
  const out = join(from.folder, 'out');
  await overOneHost(from, async ({ run }) => {
    await jsonOf(run, ['upload', join(from.folder, 'one.bin'), '--tag', 'emotet']);
    const written = await run(
      ['bundle', 'write', 'name:one.bin', '--title', 'Autumn', '--author', 'CSIRT', '--out', out],
      { environment },
    );
    expect(written).toMatchObject({
      code: 0,
      errors: expect.stringMatching(
        /^Signed by [0-9a-f]{64}\nThe key is in memory only: the next start creates another one\.\n$/,
      ),
    });
  });
  const [name = ''] = await readdir(out);
  expect((await readFile(join(out, name))).includes('one.bin')).toBe(false);
  await overOneHost(to, async ({ run }) => {
    expect(await run(['bundle', 'import', join(out, name)], { environment })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--yes'),
    });
    const taken = await run(['bundle', 'import', join(out, name), '--yes'], { environment });
    expect([taken.code, taken.output]).toEqual([0, '1 imported, 0 unchanged\n']);
  });
  const known = await to.run(['case', 'name:one.bin', '--as', 'csv', '--title', 'x', '--out', '-']);
  expect(known.output).toContain('one.bin');
});

/** The output of `vitrine diagnostics` about the file it saved. */
async function diagnosed(lab: CommandLineLab, name: string): Promise<unknown[]> {
  return jsonOf(lab.here, ['diagnostics', join(lab.folder, name)]);
}

test('diagnostics come from the running Vitrine, or from unchanged data when none runs', async () => {
  const lab = await newLab();
  expect(await diagnosed(lab, 'nothing-yet.zip')).toMatchObject([
    {
      from: 'folder',
      missing: [
        { part: 'log', reason: 'ENOENT' },
        { part: 'settings' },
        { part: 'jobs' },
        { part: 'database', reason: 'data-gone' },
      ],
    },
  ]);
  expect(await readdir(lab.data)).toEqual(['lab']);
  await lab.openRunning();
  expect(await diagnosed(lab, 'open.zip')).toMatchObject([{ from: 'program', missing: [] }]);
});

test('diagnostics are saved when the data is in use, of a newer version or damaged', async () => {
  const lab = await newLab();
  await lab.here(['library', '--count']);
  const lock = holdDataDirectory(lab.data, { fileName: 'lock.db', waitMs: 0 });
  expect(await diagnosed(lab, 'held.zip')).toMatchObject([{ from: 'folder', missing: [] }]);
  lock.release();

  const database = join(lab.data, 'vitrine.db');
  const sql = new DatabaseSync(database);
  sql.exec('PRAGMA user_version = 999');
  sql.close();
  expect((await lab.here(['library', '--count'])).code).toBe(6);
  expect(await diagnosed(lab, 'newer.zip')).toMatchObject([{ from: 'folder', missing: [] }]);

  await writeFile(database, 'x'.repeat(10_000));
  const before = (await readdir(lab.data)).toSorted();
  expect(await diagnosed(lab, 'damaged.zip')).toMatchObject([
    {
      from: 'folder',
      missing: [{ part: 'settings' }, { part: 'jobs' }, { part: 'database', reason: 'data-damaged SQLITE_NOTADB' }],
    },
  ]);
  expect([(await readdir(lab.data)).toSorted(), await readFile(database, 'utf8')]).toEqual([
    before,
    'x'.repeat(10_000),
  ]);
});
