import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrokenRule, RuleCost } from '../../../shared/domain/publication.ts';
import { libraryKey } from './loaded-rules.ts';
import {
  createTestPublications,
  listing,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

let editor: RuleEditor;
beforeAll(async () => {
  editor = await startRuleEditor();
});
afterAll(() => editor.end());

const wide = { offset: 0, limit: 100 };

/** As a version of the program left it in which all files of a package were one namespace. */
async function openOld(
  files: Record<string, string>,
  broken: readonly BrokenRule[],
): Promise<{ setup: TestPublications; sha256: string; close(): Promise<void> }> {
  const before = await createTestPublications(editor);
  const { candidate } = await before.bring('old.zip', await zipOf(files, '1.0'));
  const sha256 = candidate ?? expect.fail('no candidate');
  await before.publications.activate(before.team, sha256);
  before.stores.packages.recompiled(before.team, {
    sha256,
    contents: { files: Object.keys(files).length, rules: 1, broken: broken.length },
    isRelaxed: false,
    variables: [],
    broken,
    engineWarnings: [],
  });
  await before.close();
  const setup = await createTestPublications(editor, { folder: before.folder });
  return { setup, sha256, close: () => setup.remove() };
}

test('a package compiled as one namespace is recompiled before its use, once, and that is recorded', async () => {
  const files = {
    'a.yar': rule('same') + rule('helper'),
    'b.yar': rule('same', '$a', 'other') + rule('user', '$a and helper'),
  };
  const { setup, sha256, close } = await openOld(files, [
    { rule: 'same', file: 'b.yar', line: 1, kind: 'duplicate', text: 'The name is already used in a.yar, line 1' },
  ]);
  const { rows } = await setup.reading.list(listing(setup.team, ''));
  expect(rows.map(({ key, broken }) => [key, broken?.kind ?? null])).toEqual([
    ['same', null],
    ['helper', null],
    ['b.yar:same', null],
    ['user', 'engine'],
  ]);
  expect(setup.stores.packages.get(setup.team, sha256)?.contents).toEqual({
    files: 2,
    rules: 3,
    broken: 1,
    namespaces: 2,
    engineWarnings: [],
  });
  expect(setup.stores.packages.broken(setup.team, sha256)).toMatchObject([
    { rule: 'user', file: 'b.yar', line: 2, kind: 'engine' },
  ]);
  await setup.reading.difference(setup.team, null, sha256, wide);
  const { lines } = await setup.stores.journalReader.list({
    filter: { operations: ['rule-update'], workspaceId: setup.team, find: '', from: null, before: null },
    offset: 0,
    limit: 1,
  });
  expect(lines.map(({ row }) => row)).toMatchObject([
    { outcome: 'recompiled', hash: null, detail: { version: '1.0', rules: 3, broken: 1, package: sha256 } },
  ]);
  await close();
});

test('engine warnings are stored with a package, counted by code, and find rules after a restart', async () => {
  const before = await createTestPublications(editor);
  const slow =
    'rule slow {\n  strings:\n    $a = { 00 00 00 }\n    $b = { 00 [0-90] 01 }\n  condition:\n    any of them\n}\n';
  const { candidate, packages } = await before.bring(
    'slow.zip',
    await zipOf({ 'a.yar': rule('one') + slow, 'b.yar': 'rule always { condition: true or filesize > 1 }' }, '1.0'),
  );
  expect(packages[0]?.contents?.engineWarnings).toEqual([
    { code: 'slow_pattern', count: 2 },
    { code: 'invariant_expr', count: 1 },
  ]);
  await before.publications.activate(before.team, candidate ?? '');
  await before.close();
  const setup = await createTestPublications(editor, { folder: before.folder });
  const { rows } = await setup.reading.list(listing(setup.team, 'warning:slow'));
  expect(rows).toMatchObject([{ name: 'slow', warnings: ['slow_pattern'] }]);
  const { warnings } = await setup.reading.rule(setup.team, candidate ?? '', rows[0]?.number ?? -1);
  const line = rows[0]?.line ?? 0;
  expect(warnings.toSorted((a, b) => a.line - b.line)).toEqual(
    [line + 2, line + 3].map((at) => ({
      rule: 'slow',
      file: 'a.yar',
      line: at,
      code: 'slow_pattern',
      text: 'slow pattern: this pattern may slow down the scan',
    })),
  );
  await setup.remove();
});

test('a rule shows the rules it uses, its users, its variables, and the kept packages with it', async () => {
  const setup = await createTestPublications(editor);
  const user = 'rule user { condition: helper and filename == "a" and (any of (hel*)) }\n';
  const first = await setup.bring('1.zip', await zipOf({ 'a.yar': rule('helper') + user }, '1.0'));
  await setup.publications.activate(setup.team, first.candidate ?? '');
  const second = await setup.bring('2.zip', await zipOf({ 'a.yar': rule('helper', '$a', 'another') + user }, '2.0'));
  const sha256 = first.candidate ?? '';
  expect(await setup.reading.facts(setup.team, sha256, 1)).toMatchObject({
    samples: 0,
    lastHit: null,
    uses: ['helper'],
    usedBy: [],
    variables: ['filename'],
  });
  expect(await setup.reading.facts(setup.team, sha256, 0)).toMatchObject({ uses: [], usedBy: ['user'], variables: [] });
  expect(await setup.reading.packagesWith(setup.team, sha256, 'helper')).toEqual({
    packages: [
      { sha256: second.candidate, version: '2.0', standing: 'candidate', text: 'other' },
      { sha256, version: '1.0', standing: 'active', text: 'same' },
    ],
    unread: [],
  });
  expect((await setup.reading.packagesWith(setup.team, sha256, 'user')).packages.map(({ text }) => text)).toEqual([
    'same',
    'same',
  ]);
  await setup.remove();
});

test('a package recompiled as several namespaces applies the regex setting of its workspace', async () => {
  const files = { 'a.yar': rule('same'), 'b.yar': 'rule escape { strings: $a = /ab\\qcd/ condition: $a }' };
  const { setup, sha256, close } = await openOld(files, [
    { rule: 'escape', file: 'b.yar', line: 1, kind: 'engine', text: 'invalid regular expression' },
  ]);
  setup.stores.packages.setOptions(setup.team, { ...setup.state().options, relaxed: true });
  expect((await setup.reading.list(listing(setup.team, 'escape'))).rows).toMatchObject([{ broken: null }]);
  expect(setup.stores.packages.get(setup.team, sha256)).toMatchObject({
    isRelaxed: true,
    contents: { rules: 2, broken: 0, namespaces: 2 },
  });
  await close();
});

test('a rule cost is shown in the list and on the rule, in any package, until the rule changes', async () => {
  const setup = await createTestPublications(editor);
  const install = async (files: Record<string, string>, version: string): Promise<string> => {
    const { candidate } = await setup.bring(`${version}.zip`, await zipOf(files, version));
    await setup.publications.activate(setup.team, candidate ?? expect.fail('no candidate'));
    return candidate ?? '';
  };
  const first = await install({ 'a.yar': rule('slow') + rule('quick', '$a', 'other') }, '1.0');
  const prints = new Map(
    (
      await setup.rules.with(setup.team, [first], (library) => library.fingerprints(libraryKey(setup.team, first), []))
    ).map((one) => [one.rule, one.print]),
  );
  const cost: RuleCost = {
    msPerMegabyte: 6,
    together: 1,
    samples: 3,
    bytes: 900,
    engine: 'wasm',
    measured: '2026-11-29T00:00:00Z',
  };
  setup.stores.ruleCosts.record([prints.get('slow') ?? ''], cost);
  setup.stores.ruleCosts.record([prints.get('quick') ?? ''], { ...cost, msPerMegabyte: 1, together: 40 });
  const byCost = {
    ...listing(setup.team, ''),
    sort: { by: { column: 'cost' as const }, direction: 'descending' as const },
  };
  expect((await setup.reading.list(byCost)).rows.map((row) => [row.name, row.cost?.msPerMegabyte])).toEqual([
    ['slow', 6],
    ['quick', 1],
  ]);
  expect((await setup.reading.list(listing(setup.team, 'cost:>5'))).rows.map(({ name }) => name)).toEqual(['slow']);
  expect((await setup.reading.list(listing(setup.team, 'cost:<5'))).rows.map(({ name }) => name)).toEqual(['quick']);
  expect((await setup.reading.facts(setup.team, first, 0)).cost).toEqual(cost);
  await install({ 'b.yar': `// moved\n${rule('slow')}${rule('quick', '$a', 'changed')}` }, '1.1');
  expect((await setup.reading.list(byCost)).rows.map((row) => [row.name, row.cost?.msPerMegabyte ?? null])).toEqual([
    ['slow', 6],
    ['quick', null],
  ]);
  await setup.remove();
});
