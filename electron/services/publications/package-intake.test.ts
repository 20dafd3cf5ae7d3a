import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { DifferenceRow, PublicationsState } from '../../../shared/domain/publication.ts';
import { rawZip } from '../../archive/raw-zip.fixture.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import type { LastOfFiles } from './package-intake.ts';
import {
  createTestPublications,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

let editor: RuleEditor;
let setup: TestPublications;
beforeAll(async () => {
  editor = await startRuleEditor();
  setup = await createTestPublications(editor);
});
beforeEach(() => setup.startOver());
afterAll(async () => {
  await setup.remove();
  editor.end();
});

const nothingBeside: LastOfFiles = { name: 'community', version: null, leftOut: 0, links: 0, unread: [] };

async function staged(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ stagedId: string; path: string }[]> {
  const given = [];
  for (const [path, bytes] of Object.entries(files)) {
    const { id } = await setup.staging.stageStream(
      path,
      (async function* () {
        yield Buffer.from(bytes);
      })(),
    );
    given.push({ stagedId: id, path });
  }
  return given;
}

async function bringFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  last: Partial<LastOfFiles> = {},
): Promise<PublicationsState> {
  setup.publications.addFiles(setup.team, {
    list: null,
    files: await staged(files),
    last: { ...nothingBeside, ...last },
  });
  return setup.rested();
}

const rowsOf = async ({ candidate }: PublicationsState): Promise<DifferenceRow[]> =>
  (await setup.reading.difference(setup.team, null, candidate ?? '', { offset: 0, limit: 100 })).rows;
const namesOf = async (state: PublicationsState): Promise<string[]> =>
  (await rowsOf(state)).map(({ name, file }) => `${file}:${name}`);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test('files, folders and archives are one package, and other files are counted', async () => {
  const state = await bringFiles(
    {
      'index.yar': `include "parts/one.RULE"\n${rule('on_top')}`,
      'parts/one.RULE': rule('one'),
      'old.zip': await zipOf({ 'a.rules': rule('zipped'), 'README.md': 'words' }),
      notes: `// words\n${rule('noted')}`,
      'logo.png': Buffer.alloc(20),
    },
    { leftOut: 310, links: 2, unread: [{ path: 'locked.yar', text: 'It cannot be read (EACCES)' }] },
  );
  expect(state.packages).toMatchObject([
    {
      source: 'file',
      fileName: 'community',
      version: expect.stringMatching(/^community \d{4}-/),
      contents: { files: 4, rules: 4, broken: 1, reading: { leftOut: 312, links: 2 } },
    },
  ]);
  expect(await namesOf(state)).toEqual([
    'locked.yar:',
    'index.yar:on_top',
    'notes.yar:noted',
    'old/a.rules:zipped',
    'parts/one.RULE:one',
  ]);
  const journal = await setup.stores.journalReader.list({
    filter: { operations: ['rule-update'], workspaceId: setup.team, find: '', from: null, before: null },
    offset: 0,
    limit: 9,
  });
  expect(journal.lines.map(({ row }) => row?.detail)).toMatchObject([{ step: 'file', file: 'community' }]);
  expect(setup.defects).toEqual([]);
});

test('the same files are the same package, in whatever order and calls they are named', async () => {
  const files = { 'b.yar': rule('b'), 'a.yar': rule('a'), 'c.yar': rule('c') };
  const { candidate } = await bringFiles(files);
  const [first, ...others] = (await staged(files)).toReversed();
  const list = setup.publications.addFiles(setup.team, { list: null, files: first ? [first] : [], last: null });
  setup.publications.addFiles(setup.team, { list, files: others, last: nothingBeside });
  expect((await setup.rested()).packages).toMatchObject([{ sha256: candidate }]);
  expect(() => setup.publications.addFiles(setup.team, { list, files: others, last: null })).toThrow(
    expect.objectContaining({ failure: { kind: 'staged-file-missing', id: list } }),
  );
});

test('equal names from two folders, and names that differ only in case, are all kept', async () => {
  const given = [
    ...(await staged({ 'a.yar': rule('first') })),
    ...(await staged({ 'a.yar': rule('second'), 'A.yar': rule('third') })),
  ];
  setup.publications.addFiles(setup.team, { list: null, files: given, last: nothingBeside });
  expect((await namesOf(await setup.rested())).toSorted()).toEqual(['A.yar:third', 'a-2.yar:second', 'a.yar:first']);
});

test('names with a leading ./ or backslashes match the includes that name them', async () => {
  const file = (name: string, text: string) => ({ name, plain: Buffer.from(text) });
  const zip = rawZip([
    file('./index.yar', `include "./parts/one.yar"\n${rule('on_top', '$a or one')}`),
    file('./parts/one.yar', rule('one')),
    file('more\\two.yar', rule('two')),
    file('./README.txt', 'words'),
  ]);
  const state = await setup.bring('rules.zip', zip);
  expect(state.packages).toMatchObject([
    { fileName: 'rules.zip', contents: { files: 3, rules: 3, broken: 0, reading: { leftOut: 1 } } },
  ]);
  expect(await namesOf(state)).toEqual(['index.yar:on_top', 'more/two.yar:two', 'parts/one.yar:one']);
});

test('UTF-16 with a mark and files with only carriage returns are converted, with a report', async () => {
  const state = await bringFiles({
    'wide.yar': utf16(`\ufeff// é\r\n${rule('two_bytes')}`),
    'mac.yar': `// first\r${rule('mac').replaceAll('\n', '\r')}\rrule bad {\r condition: $gone }`,
  });
  expect(state.packages).toMatchObject([
    { contents: { files: 2, rules: 2, broken: 1, reading: { utf16: 1, bareReturns: 1 } } },
  ]);
  expect((await rowsOf(state)).map(({ name, line, broken }) => [name, line, broken?.line])).toEqual([
    ['bad', 5, 5],
    ['mac', 2, undefined],
    ['two_bytes', 2, undefined],
  ]);
  setup.startOver();
  expect(await setup.bring('one.yar', utf16(`\ufeff${rule('two_bytes')}`))).toMatchObject({
    packages: [{ contents: { files: 1, rules: 1, broken: 0, reading: { utf16: 1 } } }],
  });
});

test('a manifest applies to the files as they arrived, whatever their encoding', async () => {
  const wide = utf16(`\ufeff${rule('two_bytes')}`);
  const sha256 = hash('sha256', wide);
  const manifest = JSON.stringify({
    version: '3',
    group: null,
    published: null,
    files: [{ path: 'wide.yar', sha256, sizeBytes: wide.length }],
  });
  const zip = rawZip([
    { name: 'wide.yar', plain: wide },
    { name: 'manifest.json', plain: Buffer.from(manifest) },
  ]);
  expect(await setup.bring('rules.zip', zip)).toMatchObject({ packages: [{ version: '3', warnings: [] }] });
});

test('Latin-1 and unmarked UTF-16 are named, by the line of the error, and converted on request', async () => {
  const state = await bringFiles({
    'meta.yar': latin1('rule in_meta {\n meta:\n  by = "Ren\xe9"\n strings: $a = "caf\xe9"\n condition: $a }\n'),
    'wide.yar': utf16(rule('two_bytes')),
    'comment.yar': latin1(`// \xe9\n${rule('in_comment')}`),
  });
  expect(state.packages).toMatchObject([
    { contents: { files: 2, rules: 1, broken: 2, reading: { latin1: 2, utf16Unmarked: 1 } } },
  ]);
  expect(
    (await rowsOf(state)).flatMap(({ broken }) => (broken ? [[broken.file, broken.line, broken.text]] : [])),
  ).toEqual([
    ['meta.yar', 3, 'It is not valid UTF-8'],
    ['wide.yar', 0, expect.stringContaining('UTF-16 without a byte order mark')],
  ]);
  setup.publications.convert(setup.team, state.candidate ?? '');
  const converted = await setup.rested();
  expect(converted.packages).toMatchObject([
    {
      source: 'file',
      fileName: 'community',
      version: state.packages[0]?.version,
      contents: { files: 3, rules: 3, broken: 0 },
    },
  ]);
  expect(converted.packages[0]?.contents?.reading).toBeUndefined();
  const { source } = await setup.reading.rule(setup.team, converted.candidate ?? '', 1);
  expect(source.text).toContain('by = "René"\n strings: $a = "caf\\xE9"');
});

test('a conversion with nothing to convert reports that and changes nothing', async () => {
  const { candidate } = await bringFiles({ 'a.yar': rule('a'), 'b.yar': rule('b') });
  setup.publications.convert(setup.team, candidate ?? '');
  expect(await setup.rested()).toMatchObject({
    candidate,
    lastCheck: { outcome: 'failed', failure: { kind: 'package-unreadable' } },
  });
});

test('files without a rule are refused with their number, and a missing staged file is named', async () => {
  expect(await bringFiles({ 'a.txt': 'words', 'b.png': Buffer.alloc(4) }, { leftOut: 3 })).toMatchObject({
    packages: [],
    lastCheck: { failure: { kind: 'no-rule-files', leftOut: 5 } },
  });
  const given = await staged({ 'a.yar': rule('a'), 'gone.yar': rule('gone') });
  await setup.staging.discard(given[1]?.stagedId ?? '');
  setup.publications.addFiles(setup.team, { list: null, files: given, last: nothingBeside });
  expect(await namesOf(await setup.rested())).toEqual(['gone.yar:', 'a.yar:a']);
});

test('a person’s package survives checks and a start, and only the person removes it', async () => {
  const before = await createTestPublications(editor);
  const { candidate } = await before.bring('mine.yar', Buffer.from(rule('mine')));
  editor.publish('1.3', await zipOf({ 'a.yar': rule('one') }, '1.3'));
  await before.check();
  editor.publish('1.4', await zipOf({ 'a.yar': rule('two') }, '1.4'));
  const checked = await before.check();
  expect(checked.packages.map(({ version }) => version)).toEqual(['1.4', 'mine']);
  await before.publications.activate(before.team, checked.candidate ?? '');
  await before.close();
  const again = await createTestPublications(editor, { folder: before.folder });
  onTestFinished(() => again.remove());
  expect(
    (await again.reading.difference(again.team, null, candidate ?? '', { offset: 0, limit: 9 })).rows,
  ).toMatchObject([{ name: 'mine' }]);
  expect((await again.publications.remove(again.team, candidate ?? '')).packages.map(({ version }) => version)).toEqual(
    ['1.4'],
  );
});

test('a package that removes more than a fifth of the rules needs a confirmation, also under a policy', async () => {
  const rules = (count: number): string => Array.from({ length: count }, (_, at) => rule(`rule_${at}`)).join('');
  const { candidate: ten } = await setup.bring('ten.yar', Buffer.from(rules(10)));
  await setup.publications.activate(setup.team, ten ?? '');
  const { candidate: eight } = await setup.bring('eight.yar', Buffer.from(rules(8)));
  expect(await setup.publications.activate(setup.team, eight ?? '')).toMatchObject({ active: eight });
  expect(await setup.publications.activate(setup.team, ten ?? '')).toMatchObject({ active: ten });
  await setup.set({ policy: 'install-whole' });
  editor.publish('2', await zipOf({ 'a.yar': rules(7) }, '2'));
  const state = await setup.check();
  expect(state).toMatchObject({ active: ten, lastCheck: { outcome: 'found' } });
  await expect(setup.publications.activate(setup.team, state.candidate ?? '')).rejects.toMatchObject({
    failure: { kind: 'package-removes-many', version: '2', removed: 3, rules: 10 },
  });
  expect(await setup.publications.activate(setup.team, state.candidate ?? '', true)).toMatchObject({
    active: state.candidate,
  });
});

const has = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;

test.each([
  ['zip', ['-rq', '../rules.zip', '.']],
  ['7z', ['a', '-tzip', '-bd', '../rules.zip', '.']],
  ['bsdtar', ['-a', '-cf', '../rules.zip', '.']],
])('an archive that %s made of a folder gives its rules', async (program, args) => {
  if (!has(program)) return;
  const folder = temporaryFolder();
  await mkdir(join(folder, 'rules', 'parts'), { recursive: true });
  await writeFile(join(folder, 'rules', 'index.yar'), `include "parts/one.yara"\n${rule('on_top', '$a or one')}`);
  await writeFile(join(folder, 'rules', 'parts', 'one.yara'), rule('one'));
  await writeFile(join(folder, 'rules', 'README.md'), 'words');
  execFileSync(program, args, { cwd: join(folder, 'rules'), stdio: 'ignore' });
  const state = await setup.bring('rules.zip', await readFile(join(folder, 'rules.zip')));
  expect(state.packages).toMatchObject([{ contents: { files: 2, rules: 2, broken: 0, reading: { leftOut: 1 } } }]);
  expect(await namesOf(state)).toEqual(['index.yar:on_top', 'parts/one.yara:one']);
});

test('one bad file of several is named and the others are used, whether modified, misnamed or damaged', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'changing.yar');
  await writeFile(path, rule('before'));
  const changed = await setup.staging.stagePath(path);
  await writeFile(path, `${rule('before')}${rule('afterwards')}`);
  const damaged = (await zipOf({ 'a.yar': rule('a') })).fill(0xff, 36, 50);
  const given = [
    ...(await staged({ 'good.yar': rule('good'), 'turn\u202e.yar': rule('turned'), 'bad.zip': damaged })),
    { stagedId: changed.id, path: 'changing.yar' },
  ];
  setup.publications.addFiles(setup.team, { list: null, files: given, last: nothingBeside });
  const state = await setup.rested();
  expect((await namesOf(state)).toSorted()).toEqual([
    expect.stringMatching(/^bad.*:$/),
    'changing.yar:',
    'good.yar:good',
    'turn\\u202e.yar:',
  ]);
  expect(state.packages).toMatchObject([{ contents: { rules: 1, broken: 3 } }]);
});

test('an archive over a limit ends the package with that limit, and leaves nothing', async () => {
  const mebibyte = Buffer.alloc(2 ** 20, ' ');
  const bomb = await buffer(
    writePlainZip([
      { name: 'a.yar', sizeBytes: 300 * mebibyte.length, open: () => Array.from({ length: 300 }, () => mebibyte) },
    ]),
  );
  expect(await bringFiles({ 'bomb.zip': bomb, 'a.yar': rule('a') })).toMatchObject({
    packages: [],
    candidate: null,
    lastCheck: { outcome: 'failed', failure: { kind: 'archive-limit' } },
  });
});
