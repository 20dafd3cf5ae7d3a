import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import type { RuleVariable } from '../../../shared/domain/rule-variable.ts';
import { openPublicationsDesk, type PublicationsDesk, type RuleEditor, startRuleEditor, zipOf } from './publications-desk.fixture.ts';

let editor: RuleEditor;
let desk: PublicationsDesk;
beforeAll(async () => {
  editor = await startRuleEditor();
  desk = await openPublicationsDesk(editor);
});
beforeEach(() => desk.startAnew());
afterAll(async () => {
  await desk.remove();
  editor.end();
});

describe('variables of a workspace', () => {
  const files = { 'a.yar': 'rule site_rule { condition: site contains "lab" }\nrule count_rule { condition: count & 1 == 1 }\nrule plain { condition: true }' };
  const site: RuleVariable = { name: 'site', type: 'text', value: '1234' };
  const contents = (): PublicationsState['packages'][number]['contents'][] => desk.state().packages.map(({ contents: found }) => found);

  test('are defined for packages that come, and a new name or type compiles again what is here', async () => {
    const { candidate } = await desk.bring('a.zip', await zipOf(files, '1.0'));
    await desk.publications.activate(desk.team, candidate ?? '');
    expect(contents()).toMatchObject([{ files: 1, rules: 1, broken: 2 }]);
    await desk.set({ variables: [site, { name: 'count', type: 'float', value: 2 }] });
    await desk.rested();
    expect(contents()).toMatchObject([{ files: 1, rules: 2, broken: 1 }]);
    await desk.set({ variables: [site, { name: 'count', type: 'integer', value: 2 }] });
    await desk.rested();
    expect(contents()).toMatchObject([{ files: 1, rules: 3, broken: 0 }]);
    await desk.bring('b.zip', await zipOf({ ...files, 'b.yar': 'rule b { condition: site == "x" }' }, '1.1'));
    expect(contents()).toMatchObject([{ files: 2, rules: 4, broken: 0 }, { files: 1, rules: 3, broken: 0 }]);
  });

  test('with another value compile nothing again', async () => {
    await desk.set({ variables: [site] });
    await desk.bring('a.zip', await zipOf(files, '1.0'));
    await desk.set({ variables: [{ ...site, value: 'other' }] });
    expect(desk.state().check).toBeNull();
  });

  test('that packages were not compiled with before the program ended are so at its next start', async () => {
    await desk.bring('a.zip', await zipOf(files, '1.0'));
    desk.stores.packages.setOptions(desk.team, { ...desk.state().options, variables: [site] });
    await desk.publications.start();
    await desk.rested();
    expect(contents()).toMatchObject([{ files: 1, rules: 2, broken: 1 }]);
  });
});
