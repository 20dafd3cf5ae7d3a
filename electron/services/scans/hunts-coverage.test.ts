import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HuntEstimate } from '../../../shared/domain/scan.ts';
import { makeTestFolder, recordWith } from '../../storage/testing/database.fixture.ts';
import { newFile } from '../../storage/testing/upload.fixture.ts';
import { createTestScans, sha256Of, team, type TestScans } from './scans.fixture.ts';

let setup: TestScans;
beforeEach(async () => void (setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' })));
afterEach(async () => {
  setup.requireSound();
  await setup.close();
});

const finds = (name: string, text: string): string => `rule ${name} { strings: $a = "${text}" condition: $a }\n`;
const hitsIn = (sample: string): string[] => setup.stores.scans.hitsOf(team, sha256Of(sample)).map(({ rule }) => rule);
const changed = { kind: 'changed' } as const;
const estimate = (kind: 'changed' | 'engine' | 'all' = 'changed'): Promise<HuntEstimate> =>
  setup.scans.estimate({ workspaceId: team, scope: { kind } });
const nothing = { rules: 0, samples: 0, pairs: 0 };

test('the default hunt has all rules of a package that was rolled back and replaced without a hunt', async () => {
  await setup.keep('alpha and beta', 'gamma');
  const first = finds('stays', 'alpha');
  await setup.install(first);
  await setup.hunt(changed);
  await setup.install(first + finds('second', 'beta'));
  await setup.install(first);
  await setup.install(first + finds('second', 'beta') + finds('third', 'gamma'));
  expect(await estimate()).toMatchObject({
    rules: 2,
    names: ['second', 'third'],
    samples: 2,
    unseen: { rules: 2, samples: 2, pairs: 4 },
    total: { rules: 3, samples: 2 },
  });
  const job = await setup.hunt(changed);
  expect(await setup.scans.summary(job.id)).toMatchObject({ added: 2, lost: 0 });
  expect([hitsIn('alpha and beta'), hitsIn('gamma')]).toEqual([['second', 'stays'], ['third']]);
  expect((await estimate()).unseen).toEqual(nothing);
  await expect(setup.hunt(changed)).rejects.toMatchObject({ failure: { kind: 'nothing-to-hunt' } });
});

test('a rule that returns to an earlier form is hunted again, and only hits of the later form are kept', async () => {
  await setup.keep('alpha', 'beta');
  await setup.install(finds('turns', 'alpha'));
  await setup.hunt(changed);
  await setup.install(finds('turns', 'beta'));
  await setup.hunt(changed);
  expect([hitsIn('alpha'), hitsIn('beta')]).toEqual([[], ['turns']]);
  await setup.install(finds('turns', 'alpha'));
  expect((await estimate()).unseen.pairs).toBe(2);
  await setup.hunt(changed);
  expect([hitsIn('alpha'), hitsIn('beta')]).toEqual([['turns'], []]);
});

test('a rule missing when a hunt removed its hits is hunted again when it returns', async () => {
  await setup.keep('alpha');
  await setup.install(finds('stays', 'alpha') + finds('goes', 'alpha'));
  await setup.hunt(changed);
  await setup.install(finds('stays', 'alpha'));
  expect(await estimate()).toMatchObject({ rules: 0, samples: 0, removed: ['goes'], unseen: nothing });
  const job = await setup.hunt(changed);
  expect(await setup.scans.summary(job.id)).toMatchObject({ files: 1, lost: 1 });
  expect(hitsIn('alpha')).toEqual(['stays']);
  await setup.install(finds('stays', 'alpha') + finds('goes', 'alpha'));
  expect(await estimate()).toMatchObject({ names: ['goes'], unseen: { rules: 1, samples: 1, pairs: 1 } });
  await setup.hunt(changed);
  expect(hitsIn('alpha')).toEqual(['goes', 'stays']);
});

test('a rule with a new name and the old condition is hunted: hits are kept by name', async () => {
  await setup.keep('alpha');
  await setup.install(finds('before', 'alpha'));
  await setup.hunt(changed);
  await setup.install(finds('after', 'alpha'));
  expect(await estimate()).toMatchObject({ names: ['after'], removed: ['before'] });
  await setup.hunt(changed);
  expect(hitsIn('alpha')).toEqual(['after']);
});

test('layout, comments, meta and tags cost no hunt; a helper, a global rule and a condition do', async () => {
  await setup.keep('alpha');
  const helper = (text: string): string => `private rule helper { strings: $h = "${text}" condition: $h }\n`;
  await setup.install(
    `${helper('alpha')}rule uses : tag { meta: author = "a" strings: $a = "alpha" condition: $a and helper }\n` +
      finds('alone', 'alpha'),
  );
  await setup.hunt(changed);
  const layout =
    `${helper('alpha')}rule uses : other {\n  meta:\n    author = "b" // who\n  strings:\n    $a = "alpha"\n` +
    `  condition:\n    $a and helper\n}\n${finds('alone', 'alpha')}`;
  await setup.install(layout);
  expect((await estimate()).unseen).toEqual(nothing);
  await setup.install(layout.replace('$h = "alpha"', '$h = "alp"'));
  expect(await estimate()).toMatchObject({ names: ['uses'] });
  await setup.install(`${layout}global rule bound { condition: filesize > 0 }\n`);
  expect((await estimate()).unseen).toMatchObject({ rules: 3 });
});

test('a new value of a workspace variable has the rules that use it hunted, and no others', async () => {
  await setup.keep('alpha');
  const setSite = (value: string): void =>
    setup.stores.packages.setOptions('team', {
      ...setup.stores.packages.options('team'),
      variables: [{ name: 'site', type: 'text', value }],
    });
  setSite('lab');
  await setup.install(`rule by_site { condition: site == "office" }\n${finds('alone', 'alpha')}`);
  await setup.hunt(changed);
  expect((await estimate()).unseen).toEqual(nothing);
  setSite('office');
  expect(await estimate()).toMatchObject({ names: ['by_site'], unseen: { rules: 1, samples: 1, pairs: 1 } });
  await setup.hunt(changed);
  expect(hitsIn('alpha')).toEqual(['alone', 'by_site']);
  setSite('lab');
});

test('samples of a scan and of the watched folder count, whichever package they were scanned with', async () => {
  await setup.keep('alpha', 'beta');
  await setup.install(finds('one', 'alpha') + finds('two', 'beta'));
  expect(await estimate()).toMatchObject({ isFirst: true, unseen: { rules: 2, samples: 2, pairs: 4 } });
  await setup.scan({ samples: [sha256Of('alpha')] });
  expect(await estimate()).toMatchObject({ isFirst: false, unseen: { rules: 2, samples: 1, pairs: 2 }, samples: 1 });
  // Bytes that are in the vault, wherever they were read from, and others that come into it later.
  await setup.scan({ files: [await setup.stage('copy.bin', 'beta'), await setup.stage('strange.bin', 'gamma')] });
  expect((await estimate()).unseen).toEqual(nothing);
  await setup.keep('gamma');
  expect((await estimate()).unseen).toEqual(nothing);
});

test('a scan removes hits of rules missing in its package, and their coverage', async () => {
  await setup.keep('alpha');
  await setup.install(finds('one', 'alpha') + finds('two', 'alpha'));
  await setup.hunt(changed);
  await setup.install(finds('one', 'alpha'));
  await setup.scan({ samples: [sha256Of('alpha')] });
  expect(hitsIn('alpha')).toEqual(['one']);
  await setup.install(finds('one', 'alpha') + finds('two', 'alpha'));
  expect(await estimate()).toMatchObject({ names: ['two'], samples: 1 });
});

test('a sample too large to scan stays unscanned', async () => {
  await setup.keep('alpha', Buffer.alloc(1024 * 1024 + 1));
  await setup.install(finds('one', 'alpha'));
  setup.settings.scanMebibytes = 1;
  expect((await setup.hunt(changed)).counts).toMatchObject({ done: 1, failed: 1 });
  expect((await estimate()).unseen).toEqual({ rules: 1, samples: 1, pairs: 1 });
});

test('a forgotten sample that is added again is hunted again, but not one that only lost its bytes', async () => {
  await setup.keep('alpha', 'beta');
  await setup.install(finds('one', 'a'));
  await setup.hunt(changed);
  for (const [sample, what] of [
    ['alpha', 'all'],
    ['beta', 'bytes'],
  ] as const) {
    await setup.vault.remove(sha256Of(sample));
    setup.stores.library.forget([sha256Of(sample)], what);
  }
  await setup.keep('alpha', 'beta');
  expect((await estimate()).unseen).toEqual({ rules: 1, samples: 1, pairs: 1 });
});

test('coverage by an older engine version is counted apart, and hunted only on request', async () => {
  await setup.close();
  const folder = makeTestFolder();
  onTestFinished(() => folder.remove());
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' }, folder.path);
  await setup.keep('alpha', 'beta');
  const rules = finds('one', 'alpha') + finds('two', 'beta');
  await setup.install(rules);
  await setup.hunt(changed);
  await setup.close();
  const sql = new DatabaseSync(setup.stores.databasePath);
  sql.exec("UPDATE coverage_look SET engine = '@litko/yara-x 0.2.0'");
  sql.close();
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' }, folder.path);
  await setup.install(rules);
  expect(await estimate()).toMatchObject({ rules: 0, unseen: nothing, older: { rules: 2, samples: 2, pairs: 4 } });
  expect(await estimate('engine')).toMatchObject({ rules: 2, samples: 2 });
  await expect(setup.hunt(changed)).rejects.toMatchObject({ failure: { kind: 'nothing-to-hunt' } });
  expect(await setup.hunt({ kind: 'engine' })).toMatchObject({
    state: 'done',
    counts: { done: 2 },
    task: { scope: 'engine' },
  });
  expect(await estimate()).toMatchObject({ unseen: nothing, older: nothing });
});

test('a few new samples are scanned with all rules, and the others with only the new rules', async () => {
  const old = Array.from({ length: 40 }, (_, index) => `alpha ${index}`);
  await setup.keep(...old);
  const many = Array.from({ length: 60 }, (_, index) => finds(`rule_${index}`, `alpha ${index} `)).join('');
  await setup.install(many);
  await setup.hunt(changed);
  await setup.keep('omega', 'alpha 5 ');
  await setup.install(many + finds('comes', 'omega'));
  expect(await estimate()).toMatchObject({ samples: 42, unseen: { rules: 61, samples: 42, pairs: 40 + 2 * 61 } });
  const job = await setup.hunt(changed);
  expect(job).toMatchObject({ state: 'done', counts: { done: 42 } });
  expect([hitsIn('omega'), hitsIn('alpha 5 ')]).toEqual([['comes'], ['rule_5']]);
  expect((await estimate()).unseen).toEqual(nothing);
});

test('a hunt of several passes scans each sample with the rules of its pass, also after a restart', async () => {
  await setup.close();
  const folder = makeTestFolder();
  onTestFinished(() => folder.remove());
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' }, folder.path);
  const samples = Array.from({ length: 6 }, (_, index) => `alpha beta ${index}`);
  await setup.keep(...samples);
  const rules = finds('one', 'alpha') + finds('two', 'beta') + finds('three', 'alpha beta');
  await setup.install(rules);
  const [sha256, prints] = [
    setup.stores.packages.pointers(team).active ?? '',
    { sha256: null, version: '1', rules: 3 },
  ];
  const id = setup.jobs.create(
    { kind: 'hunt', scope: 'changed', local: null, package: { ...prints, sha256 }, rules: 3, names: [], against: null },
    team,
  );
  setup.jobs.add(
    id,
    samples.map((sample) => ({
      hash: sha256Of(sample),
      md5: null,
      sha256: sha256Of(sample),
      sizeBytes: sample.length,
    })),
  );
  setup.stores.huntInputs.set(id, {
    passes: [
      { upTo: 2, names: ['one'] },
      { upTo: 4, names: ['two'] },
      { upTo: 6, names: null },
    ],
    removed: [],
  });
  setup.jobs.begin(id);
  setup.jobs.pause(id);
  await setup.over(id);
  await setup.close();
  setup = await createTestScans({ baseUrl: 'http://127.0.0.1:9' }, folder.path);
  await setup.install(rules);
  setup.jobs.resume(id);
  expect(await setup.over(id)).toMatchObject({
    state: 'done',
    counts: { done: 6 },
    task: { found: { added: 2 + 2 + 6, samples: 6, lost: 0 } },
  });
  expect(samples.map(hitsIn)).toEqual([
    ['one'],
    ['one'],
    ['two'],
    ['two'],
    ['one', 'three', 'two'],
    ['one', 'three', 'two'],
  ]);
  expect((await estimate()).unseen).toEqual({ rules: 3, samples: 4, pairs: 8 });
});

test('a hunt begun before passes existed continues', async () => {
  await setup.keep('alpha', 'beta');
  await setup.install(finds('one', 'alpha') + finds('two', 'beta'));
  const id = setup.jobs.create(
    {
      kind: 'hunt',
      scope: 'all',
      local: null,
      package: { sha256: setup.stores.packages.pointers(team).active ?? '', version: '1', rules: 2 },
      rules: 2,
      names: [],
      against: null,
    },
    team,
  );
  setup.jobs.add(
    id,
    ['alpha', 'beta'].map((sample) => ({
      hash: sha256Of(sample),
      md5: null,
      sha256: sha256Of(sample),
      sizeBytes: sample.length,
    })),
  );
  const sql = new DatabaseSync(setup.stores.databasePath);
  sql
    .prepare('INSERT INTO hunt_input (job_id, body) VALUES (?, ?)')
    .run(id, JSON.stringify({ names: ['two'], removed: [] }));
  sql.close();
  setup.jobs.begin(id);
  expect(await setup.over(id)).toMatchObject({ state: 'done', counts: { done: 2 } });
  expect([hitsIn('alpha'), hitsIn('beta')]).toEqual([[], ['two']]);
});

test('a skipped global rule is reported with each result made without it, and the sample stays unscanned', async () => {
  const endless =
    'global private rule endless { strings: $a = "alpha" $t = "trigger" condition: $a and (not $t or for all i ' +
    'in (0..9223372036854775806) : (i >= 0)) }\n';
  await setup.keep('alpha one', 'alpha, trigger', 'beta');
  await setup.install(endless + finds('one', 'a'));
  setup.settings.scanSeconds = 0.25;
  const job = await setup.hunt(changed);
  expect(job.notices).toEqual([{ kind: 'scan-rule-left-out', rule: 'endless', reason: 'endless' }]);
  const hits = await setup.files(job.id, { show: 'hits' });
  const files = await Promise.all(hits.map(({ position }) => setup.scans.file(job.id, position)));
  const without = files
    .filter(({ results }) => results.some(({ withoutGlobal }) => withoutGlobal.length > 0))
    .map(({ sha256 }) => sha256);
  expect(hits.filter(({ isWithoutGlobal }) => isWithoutGlobal).map(({ sha256 }) => sha256)).toEqual(without);
  expect(without).toContain(sha256Of('alpha, trigger'));
  const { unseen } = await estimate();
  expect(unseen.samples).toBeGreaterThanOrEqual(without.length);
  const scan = await setup.scan({ samples: [sha256Of('alpha, trigger')] });
  expect((await setup.scans.file(scan.id, 1)).results).toMatchObject([
    { withoutGlobal: ['endless'], hits: [{ rule: 'one' }] },
  ]);
}, 120_000);

describe('a name that a sample gets later', () => {
  const rules =
    'rule by_name { condition: filename == "late.exe" }\nrule by_type { condition: extension == ".exe" }\n' +
    `rule by_path { condition: filepath == "/none" }\n${finds('plain', 'alpha')}`;
  const askAgain = { rules: 2, samples: 1, pairs: 2 };
  const noteRecord = (name: string, workspaceId = team): void => {
    const md5 = setup.stores.library.find(sha256Of('alpha'))?.md5 ?? '';
    setup.stores.library.noteRecord({ workspaceId, md5, record: recordWith({ sha256: sha256Of('alpha'), name }) });
  };

  beforeEach(async () => {
    await setup.keep('alpha', 'beta');
    await setup.install(rules);
    await setup.hunt(changed);
  });

  test('in a record has the rules that use names hunted again, and no others', async () => {
    expect((await estimate()).unseen).toEqual(nothing);
    noteRecord('C:\\lab\\late.exe');
    expect(await estimate()).toMatchObject({ names: ['by_name', 'by_type'], unseen: askAgain });
    await setup.hunt(changed);
    expect([hitsIn('alpha'), hitsIn('beta')]).toEqual([['by_name', 'by_type', 'plain'], []]);
    expect((await estimate()).unseen).toEqual(nothing);
    noteRecord('C:\\lab\\late.exe', 'another');
    expect((await estimate()).unseen).toEqual(nothing);
    noteRecord('other.txt');
    expect((await estimate()).unseen).toEqual(askAgain);
  });

  test('of a file for upload counts as soon as its bytes are known', async () => {
    const { uploads, library } = setup.stores;
    const { md5, sha1, sha256 } = library.find(sha256Of('alpha')) ?? expect.fail('not in the library');
    const [id = 0] = uploads.add(team, [newFile(1, { name: 'late.exe' })]);
    expect((await estimate()).unseen).toEqual(nothing);
    uploads.hashed([{ id, hashes: { md5: md5 ?? '', sha1: sha1 ?? '', sha256: sha256 ?? '' }, sizeBytes: 5 }]);
    expect((await estimate()).unseen).toEqual(askAgain);
  });

  test('of an added local file counts once', async () => {
    const { library } = setup.stores;
    const { md5, sha1, sha256 } = library.find(sha256Of('alpha')) ?? expect.fail('not in the library');
    const hashes = { md5: md5 ?? '', sha1: sha1 ?? '', sha256: sha256 ?? '' };
    const add = (path: string): void =>
      library.recordAdditions([{ hashes, sizeBytes: 5, name: 'late.exe', path, outcome: 'done' }]);
    add('');
    expect(await estimate()).toMatchObject({ names: ['by_name', 'by_type'], unseen: askAgain });
    await setup.hunt(changed);
    expect(hitsIn('alpha')).toEqual(['by_name', 'by_type', 'plain']);
    add('another/folder');
    noteRecord('late.exe');
    expect((await estimate()).unseen).toEqual(nothing);
  });

  test('keeps rules unscanned under the other names, with their hits, when a scan uses only one of them', async () => {
    noteRecord('late.exe');
    await setup.hunt(changed);
    await setup.scan({ files: [await setup.stage('other.txt', 'alpha')] });
    expect(hitsIn('alpha')).toEqual(['by_name', 'by_type', 'plain']);
    expect((await estimate()).unseen).toEqual(askAgain);
    await setup.hunt(changed);
    expect((await estimate()).unseen).toEqual(nothing);
    await setup.scan({ files: [await setup.stage('late.exe', 'beta')] });
    expect([hitsIn('beta'), (await estimate()).unseen]).toEqual([['by_name', 'by_type'], nothing]);
  });

  test('during its hunt is left to the next one', async () => {
    const { scans } = setup.stores;
    const namesOf = vi.spyOn(scans, 'namesOf').mockImplementationOnce((sha256) => {
      const names = scans.namesOf(sha256);
      noteRecord('late.exe');
      return names;
    });
    onTestFinished(() => namesOf.mockRestore());
    await setup.hunt({ kind: 'all' });
    expect([hitsIn('alpha'), (await estimate()).unseen]).toEqual([['plain'], askAgain]);
    await setup.hunt(changed);
    expect(hitsIn('alpha')).toEqual(['by_name', 'by_type', 'plain']);
  });

  test('leaves the other rules that use names unscanned when one rule is hunted by name', async () => {
    noteRecord('late.exe');
    await setup.hunt({ kind: 'named', rules: ['by_name'] });
    expect(await estimate()).toMatchObject({ names: ['by_type'], unseen: { rules: 1, samples: 1, pairs: 1 } });
    await setup.hunt({ kind: 'named', rules: ['plain'] });
    expect((await estimate()).unseen.pairs).toBe(1);
  });

  test('beyond the tried names costs one hunt, which states how many it left out', async () => {
    for (let number = 0; number < 40; number += 1) noteRecord(`name-${number}.bin`, `workspace-${number}`);
    await setup.hunt(changed);
    expect((await estimate()).unseen).toEqual(nothing);
    noteRecord('zz.bin', 'one more');
    const job = await setup.hunt(changed);
    expect((await setup.scans.file(job.id, 1)).results).toMatchObject([{ namesLeftOut: 9 }]);
    expect((await estimate()).unseen).toEqual(nothing);
  });
});
