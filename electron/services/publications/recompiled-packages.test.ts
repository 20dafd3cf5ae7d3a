import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrokenRule } from '../../../shared/domain/publication.ts';
import { openPublicationsDesk, type PublicationsDesk, rule, type RuleEditor, startRuleEditor, zipOf } from './publications-desk.fixture.ts';

let editor: RuleEditor;
beforeAll(async () => {
  editor = await startRuleEditor();
});
afterAll(() => editor.end());

const wide = { offset: 0, limit: 100 };

/** As a version of the program left it in which all files of a package were one namespace. */
async function openOld(files: Record<string, string>, broken: readonly BrokenRule[]): Promise<{ desk: PublicationsDesk; sha256: string; close(): Promise<void> }> {
  const before = await openPublicationsDesk(editor);
  const { candidate } = await before.bring('old.zip', await zipOf(files, '1.0'));
  const sha256 = candidate ?? expect.fail('no candidate');
  await before.publications.activate(before.team, sha256);
  before.stores.packages.recompiled(before.team, { sha256, contents: { files: Object.keys(files).length, rules: 1, broken: broken.length }, isRelaxed: false, variables: [], broken });
  await before.close();
  const desk = await openPublicationsDesk(editor, { folder: before.folder });
  return { desk, sha256, close: () => desk.remove() };
}

test('a package that was compiled as one namespace is compiled again before it is used, once, and that is written down', async () => {
  const files = { 'a.yar': rule('same') + rule('helper'), 'b.yar': rule('same', '$a', 'other') + rule('user', '$a and helper') };
  const { desk, sha256, close } = await openOld(files, [{ rule: 'same', file: 'b.yar', line: 1, kind: 'duplicate', text: 'The name is taken by a.yar, line 1' }]);
  const { rows } = await desk.reading.list(desk.team, '', wide);
  expect(rows.map(({ key, broken }) => [key, broken?.kind ?? null])).toEqual([['same', null], ['helper', null], ['b.yar:same', null], ['user', 'engine']]);
  expect(desk.stores.packages.get(desk.team, sha256)?.contents).toEqual({ files: 2, rules: 3, broken: 1, namespaces: 2 });
  expect(desk.stores.packages.broken(desk.team, sha256)).toMatchObject([{ rule: 'user', file: 'b.yar', line: 2, kind: 'engine' }]);
  await desk.reading.difference(desk.team, null, sha256, wide);
  const { lines } = await desk.stores.journalReader.list({ filter: { operations: ['rule-update'], workspaceId: desk.team, find: '', from: null, before: null }, offset: 0, limit: 1 });
  expect(lines.map(({ row }) => row)).toMatchObject([{ outcome: 'recompiled', hash: null, detail: { version: '1.0', rules: 3, broken: 1, package: sha256 } }]);
  await close();
});

test('a package that is compiled again as several namespaces takes regular expressions as its workspace wants', async () => {
  const files = { 'a.yar': rule('same'), 'b.yar': 'rule escape { strings: $a = /ab\\qcd/ condition: $a }' };
  const { desk, sha256, close } = await openOld(files, [{ rule: 'escape', file: 'b.yar', line: 1, kind: 'engine', text: 'invalid regular expression' }]);
  desk.stores.packages.setOptions(desk.team, { ...desk.state().options, relaxed: true });
  expect((await desk.reading.list(desk.team, 'escape', wide)).rows).toMatchObject([{ broken: null }]);
  expect(desk.stores.packages.get(desk.team, sha256)).toMatchObject({ isRelaxed: true, contents: { rules: 2, broken: 0, namespaces: 2 } });
  await close();
});
