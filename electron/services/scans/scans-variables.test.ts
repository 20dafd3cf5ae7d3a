import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, extname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultRuleOptions } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { recordWith } from '../../storage/testing/database.fixture.ts';
import { createTestScans, sha256Of, team, type TestScans } from './scans.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-variables-'));
let setup: TestScans;
beforeAll(async () => {
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:1' });
});
beforeEach(() => {
  Object.assign(setup.settings, defaultSettings);
  setup.stores.packages.setOptions(team, defaultRuleOptions);
});
afterEach(() => setup.requireSound());
afterAll(async () => {
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

const define = (...variables: RuleVariable[]): void =>
  setup.stores.packages.setOptions(team, { ...defaultRuleOptions, variables });

/** Files in a folder of their own, as they lie there. */
async function inPlace(
  files: Readonly<Record<string, string>>,
): Promise<{ paths: string[]; staged: { id: string }[] }> {
  const own = mkdtempSync(join(folder, 'files-'));
  const paths = Object.entries(files).map(([name, bytes]) => {
    mkdirSync(join(own, name, '..'), { recursive: true });
    writeFileSync(join(own, name), bytes);
    return join(own, name);
  });
  return { paths, staged: await Promise.all(paths.map((path) => setup.staging.stagePath(path))) };
}

/** By name. */
async function hitsOf(jobId: number): Promise<Record<string, string[]>> {
  const files = await setup.files(jobId);
  const all = await Promise.all(files.map(({ position }) => setup.scans.file(jobId, position)));
  return Object.fromEntries(
    all.map(({ name, results }) => [name ?? '', results.flatMap(({ hits }) => hits.map(({ rule }) => rule))]),
  );
}

const eicarLike =
  'rule marked { strings: $a = "MARK-OF-A-TEST" condition: $a and not filename contains "installer" }\n';
const oddNames = ['dump.001', '1234', 'marked.001', 'marked.com', 'lib.so.6', 'python3.11', 'driver.386', 'true'];

describe('a file on this computer', () => {
  test('is scanned whatever its name', async () => {
    await setup.install(
      `${eicarLike}rule numbered { condition: extension matches /^\\.[0-9]+$/ }\n` +
        'rule truth { condition: filename == "true" or filename == "1234" }',
    );
    const { staged } = await inPlace(
      Object.fromEntries(
        oddNames.map((name) => [name, name.startsWith('marked') ? 'MARK-OF-A-TEST' : `plain ${name}`]),
      ),
    );
    const job = await setup.scan({ files: staged });
    expect(job).toMatchObject({
      state: 'done',
      counts: { done: 7, failed: 0 },
      task: { local: 'native' },
      notices: [],
    });
    expect(await hitsOf(job.id)).toEqual({
      'dump.001': ['numbered'],
      1234: ['truth'],
      'marked.001': ['marked', 'numbered'],
      'lib.so.6': ['numbered'],
      'python3.11': ['numbered'],
      'driver.386': ['numbered'],
      true: ['truth'],
    });
  });

  test('has its path, its owner and its type', async () => {
    await setup.install(`rule path { condition: filepath contains "/temp/" and filepath endswith "/a.EXE" }
      rule ext { condition: extension == ".exe" }
      rule type { condition: filetype == "EXE" }
      rule other { condition: filetype == "UNKNOWN" }
      rule own { condition: owner == "${userInfo().username}" and owner != "" }`);
    const { staged } = await inPlace({ 'temp/a.EXE': 'MZ\u0090\u0000 program', 'b.txt': 'text' });
    const job = await setup.scan({ files: staged });
    expect(await hitsOf(job.id)).toEqual({ 'a.EXE': ['ext', 'own', 'path', 'type'], 'b.txt': ['other', 'own'] });
    expect(job.notices).toEqual([]);
  });

  test('is scanned under the names and paths of all files with its bytes, and once', async () => {
    await setup.install(
      'rule one { condition: filename == "one.bin" }\nrule two { condition: filename == "42" }\n' +
        'rule path { condition: filepath contains "/far/" }\nrule every { condition: true }',
    );
    const { staged } = await inPlace({ 'one.bin': 'same', 42: 'same', 'far/three.bin': 'same' });
    const job = await setup.scan({ files: staged });
    const [first] = await setup.files(job.id);
    expect([job.items, await setup.scans.file(job.id, first?.position ?? 0)]).toMatchObject([
      1,
      { results: [{ hits: [{ rule: 'every' }, { rule: 'one' }, { rule: 'path' }, { rule: 'two' }] }] },
    ]);
  });
});

describe('a sample of the vault', () => {
  const rules =
    'rule by_record { condition: filename == "record.exe" }\nrule by_scan { condition: filename == "7" }\n' +
    'rule every { condition: true }\nrule nameless { condition: filename == "" }\n';

  test('is hunted under each of its known names, as far as a rule uses them', async () => {
    const [sha256 = '', other = ''] = await setup.keep('a sample with names', 'a sample without');
    const md5 = setup.stores.library.find(sha256)?.md5 ?? '';
    setup.stores.library.noteRecord({
      workspaceId: team,
      md5,
      record: recordWith({ sha256, name: 'C:\\lab\\record.exe' }),
    });
    await setup.install('rule every { condition: true }');
    await setup.scan({ files: [await setup.stage('7', 'a sample with names')] });
    await setup.install(rules);
    const job = await setup.hunt({ kind: 'all' });
    const files = await setup.files(job.id);
    const hits = await Promise.all(
      [sha256, other].map(async (one) =>
        (await setup.scans.file(job.id, files.find((file) => file.sha256 === one)?.position ?? 0)).results[0]?.hits.map(
          ({ rule }) => rule,
        ),
      ),
    );
    expect(hits).toEqual([
      ['by_record', 'by_scan', 'every'],
      ['every', 'nameless'],
    ]);
    expect(job.notices).toEqual([{ kind: 'scan-variables-unknown', variables: ['filename'], rules: 3, of: 'vault' }]);
  });

  test('reports more names than it is scanned with', async () => {
    const sha256 = sha256Of('a sample with many names');
    await setup.keep('a sample with many names');
    await setup.install('rule plain { condition: true }');
    const { staged } = await inPlace(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`name-${index}.bin`, 'a sample with many names'])),
    );
    await setup.scan({ files: staged });
    await setup.install('rule never { condition: filename == "none" }');
    const job = await setup.scan({ samples: [sha256] });
    expect((await setup.scans.file(job.id, 1)).results).toMatchObject([{ hits: [], namesLeftOut: 8 }]);
    const hunt = await setup.hunt({ kind: 'all' });
    const position = (await setup.files(hunt.id)).find((file) => file.sha256 === sha256)?.position ?? 0;
    expect((await setup.scans.file(hunt.id, position)).results).toMatchObject([{ hits: [], namesLeftOut: 8 }]);
  });

  test('keeps a hit of a rule that uses a path, which a hunt does not know and reports', async () => {
    await setup.install(
      'rule far { condition: filepath contains "/far/" }\nrule uses { condition: far }\n' +
        'rule gone { condition: filename == "seen.bin" }',
    );
    const [sha256 = ''] = await setup.keep('seen on disk');
    await setup.scan({ files: (await inPlace({ 'far/seen.bin': 'seen on disk' })).staged });
    expect(setup.stores.scans.hitsOf(team, sha256).map(({ rule }) => rule)).toEqual(['far', 'gone', 'uses']);
    await setup.install(
      'rule far { condition: filepath contains "/far/" }\nrule uses { condition: far }\n' +
        'rule gone { condition: filename == "other.bin" }',
    );
    const job = await setup.hunt({ kind: 'all' });
    expect(job.notices).toContainEqual({
      kind: 'scan-variables-unknown',
      variables: ['filepath'],
      rules: 2,
      of: 'vault',
    });
    expect(setup.stores.scans.hitsOf(team, sha256).map(({ rule }) => rule)).toEqual(['far', 'uses']);
  });
});

test('a file from a browser has no path, and a rule that uses one is named', async () => {
  await setup.install(
    'rule system { condition: not filepath contains "System32" }\nrule plain { condition: extension == ".exe" }',
  );
  const job = await setup.scan({ files: [await setup.stage('a.exe', 'from a browser')] });
  expect([await hitsOf(job.id), job.notices]).toEqual([
    { 'a.exe': ['plain', 'system'] },
    [{ kind: 'scan-variables-unknown', variables: ['filepath'], rules: 1, of: 'copies' }],
  ]);
});

test.each(['native', 'wasm'] as const)(
  'the %s engine uses the definitions of the workspace, and their text when a scan knows none',
  async (engine) => {
    setup.settings.scanEngine = engine;
    define(
      { name: 'site', type: 'text', value: '007' },
      { name: 'limit', type: 'integer', value: 5 },
      { name: 'ratio', type: 'float', value: 2 },
      { name: 'is_lab', type: 'boolean', value: true },
      { name: 'owner', type: 'text', value: 'nobody' },
    );
    await setup.install(
      'rule text { condition: site == "007" }\nrule integer { condition: limit & 4 == 4 }\n' +
        'rule float { condition: ratio \\ 4 == 0.5 }\nrule boolean { condition: is_lab }\n' +
        `rule default { condition: owner == "nobody" } // ${engine}`,
    );
    const job = await setup.scan({ files: [await setup.stage('a.exe', `with variables ${engine}`)] });
    expect([await hitsOf(job.id), job.notices]).toEqual([
      { 'a.exe': ['boolean', 'default', 'float', 'integer', 'text'] },
      [],
    ]);
  },
);

const hasYara = spawnSync('yara', ['--version']).status === 0;

test.skipIf(!hasYara)(
  'rules that use a name find what the yara command finds with the same name (skipped without yara)',
  async () => {
    const rules = `rule dot_ext { condition: extension == ".exe" }
rule nodot_ext { condition: extension == "exe" }
rule loud { condition: filename contains "Setup" }
rule number { condition: filename matches /^[0-9]+$/ }
rule truth { condition: filename == "true" }
rule six { condition: extension == ".6" }
rule mark { strings: $a = "MARK" condition: $a and extension != ".exe" }`;
    await setup.install(rules);
    writeFileSync(join(folder, 'rules.yar'), rules);
    // The command takes a number or a truth value for one, and then refuses the rules.
    const names = oddNames.filter((name) => !/^(?:[0-9]+|true)$/.test(name));
    const { staged, paths } = await inPlace(
      Object.fromEntries(
        [...names, 'Setup.exe', 'a.tar.gz', '.profile', 'none', 'x.'].map((name, index) => [
          name,
          `${index % 2 === 0 ? 'MARK' : ''} ${name}`,
        ]),
      ),
    );
    const ours = await hitsOf((await setup.scan({ files: staged })).id);
    const theirs = paths.map((path) => [
      basename(path),
      execFileSync(
        'yara',
        [
          '-d',
          `filename=${basename(path)}`,
          '-d',
          `extension=${extname(path).toLowerCase()}`,
          join(folder, 'rules.yar'),
          path,
        ],
        { encoding: 'utf8' },
      )
        .split('\n')
        .flatMap((line) => line.split(' ')[0] || [])
        .toSorted(),
    ]);
    expect(ours).toEqual(Object.fromEntries(theirs));
  },
);
