import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PackageView, PublicationsState } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import {
  createTestPublications,
  listing,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  zipOf,
} from './publications.fixture.ts';

const chosen = (state: PublicationsState, version: string): PackageView =>
  state.packages.find((one) => one.version === version) ?? expect.fail(`no ${version}`);

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

describe('relaxed regular expressions', () => {
  const escapes = {
    'a.yar':
      'rule strict { strings: $a = /ab[cd]/ condition: $a }\nrule escape { strings: $a = /ab\\qc{x}/ condition: $a }\n',
  };

  test('are compiled in arriving packages, and a change of the option recompiles existing ones', async () => {
    await setup.bring('a.zip', await zipOf(escapes, '1.0'));
    const { candidate } = setup.state();
    await setup.publications.activate(setup.team, candidate ?? '');
    const contents = () => setup.state().packages.map(({ contents: found }) => found);
    expect(contents()).toEqual([{ files: 1, rules: 1, broken: 1, namespaces: 1, engineWarnings: [] }]);
    await setup.set({ relaxed: true });
    await setup.rested();
    expect(contents()).toEqual([{ files: 1, rules: 2, broken: 0, namespaces: 1, engineWarnings: [] }]);
    expect((await setup.reading.list(listing(setup.team, 'escape'))).rows).toMatchObject([{ broken: null }]);
    await setup.bring('b.zip', await zipOf({ ...escapes, 'b.yar': rule('b') }, '1.1'));
    expect(chosen(setup.state(), '1.1').contents).toEqual({
      files: 2,
      rules: 3,
      broken: 0,
      namespaces: 2,
      engineWarnings: [{ code: 'slow_pattern', count: 1 }],
    });
    await setup.set({ relaxed: false });
    await setup.rested();
    expect(contents()).toEqual([
      { files: 2, rules: 2, broken: 1, namespaces: 2, engineWarnings: [{ code: 'slow_pattern', count: 1 }] },
      { files: 1, rules: 1, broken: 1, namespaces: 1, engineWarnings: [] },
    ]);
  });

  test('are recompiled at the next start when the program ended before', async () => {
    await setup.bring('a.zip', await zipOf(escapes, '1.0'));
    setup.stores.packages.setOptions(setup.team, { ...setup.state().options, relaxed: true });
    await setup.publications.start();
    await setup.rested();
    expect(chosen(setup.state(), '1.0').contents).toEqual({
      files: 1,
      rules: 2,
      broken: 0,
      namespaces: 1,
      engineWarnings: [],
    });
  });
});

describe('the difference of two packages', () => {
  const protection = { encryption: 'aes-256', password: 'infected', to: 'browser' } as const;

  test.each([
    ['patch', /^diff --git a\/a\.yar b\/a\.yar\n/],
    ['json', /"counts": \{/],
  ] as const)('is exported as %s in a password ZIP, and is in the journal', async (format, beginning) => {
    await setup.bring('a.zip', await zipOf({ 'a.yar': rule('one') }, '1.0'));
    const from = setup.state().candidate;
    await setup.publications.activate(setup.team, from ?? '');
    await setup.bring('b.zip', await zipOf({ 'a.yar': rule('one', 'any of them') }, '1.1'));
    const sha256 = setup.state().candidate ?? '';
    const noted = vi.spyOn(setup.stores.packages, 'noteExport');
    onTestFinished(() => noted.mockRestore());
    const result = await setup.publications.exportDifference(
      { workspaceId: setup.team, from, sha256, format, ...protection },
      null,
    );
    expect(result).toMatchObject({ kind: 'browser', fileName: 'rules-1.0-to-1.1.zip' });
    const zip = new ZipReader(new Uint8ArrayReader(await setup.taken(result)), {
      password: 'infected',
      useWebWorkers: false,
    });
    const [entry] = await zip.getEntries();
    expect([entry?.filename, entry?.encrypted]).toEqual([`difference.${format}`, true]);
    expect(entry?.directory === false ? await entry.getData(new TextWriter()) : '').toMatch(beginning);
    expect(noted.mock.calls).toEqual([
      [
        setup.team,
        expect.objectContaining({ sha256 }),
        { outcome: 'done', to: 'browser', encryption: 'aes-256', difference: format },
      ],
    ]);
  });
});

describe('variables of a workspace', () => {
  const files = {
    'a.yar':
      'rule site_rule { condition: site contains "lab" }\nrule count_rule { condition: count & 1 == 1 }\n' +
      'rule plain { condition: true }',
  };
  const site: RuleVariable = { name: 'site', type: 'text', value: '1234' };
  /** Of the condition that is always true. */
  const engineWarnings = [{ code: 'invariant_expr', count: 1 }];
  const contents = (): PublicationsState['packages'][number]['contents'][] =>
    setup.state().packages.map(({ contents: found }) => found);

  test('are defined for arriving packages, and a new name or type recompiles existing ones', async () => {
    const { candidate } = await setup.bring('a.zip', await zipOf(files, '1.0'));
    await setup.publications.activate(setup.team, candidate ?? '');
    expect(contents()).toEqual([{ files: 1, rules: 1, broken: 2, namespaces: 1, engineWarnings }]);
    await setup.set({ variables: [site, { name: 'count', type: 'float', value: 2 }] });
    await setup.rested();
    expect(contents()).toEqual([{ files: 1, rules: 2, broken: 1, namespaces: 1, engineWarnings }]);
    await setup.set({ variables: [site, { name: 'count', type: 'integer', value: 2 }] });
    await setup.rested();
    expect(contents()).toEqual([{ files: 1, rules: 3, broken: 0, namespaces: 1, engineWarnings }]);
    await setup.bring('b.zip', await zipOf({ ...files, 'b.yar': 'rule b { condition: site == "x" }' }, '1.1'));
    expect(contents()).toEqual([
      { files: 2, rules: 4, broken: 0, namespaces: 2, engineWarnings },
      { files: 1, rules: 3, broken: 0, namespaces: 1, engineWarnings },
    ]);
  });

  test('recompile nothing when a value changes', async () => {
    await setup.set({ variables: [site] });
    await setup.bring('a.zip', await zipOf(files, '1.0'));
    await setup.set({ variables: [{ ...site, value: 'other' }] });
    expect(setup.state().check).toBeNull();
  });

  test('are compiled in at the next start when the program ended before', async () => {
    await setup.bring('a.zip', await zipOf(files, '1.0'));
    setup.stores.packages.setOptions(setup.team, { ...setup.state().options, variables: [site] });
    await setup.publications.start();
    await setup.rested();
    expect(contents()).toEqual([{ files: 1, rules: 2, broken: 1, namespaces: 1, engineWarnings }]);
  });
});
