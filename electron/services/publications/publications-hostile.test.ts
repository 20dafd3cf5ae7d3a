import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { manifestName } from '../../../shared/domain/package-manifest.ts';
import { filesHolding } from '../../vault/eicar.fixture.ts';
import {
  createTestPublications,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
  tokenOfTeam,
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

const manifest = (change: object): string =>
  JSON.stringify({ version: '7', group: null, published: null, files: [], ...change });

test('a package’s own texts are shown without marks that change how other words are shown', async () => {
  const said = manifest({
    version: '1.\u202e4\n\u0007',
    group: '\u0000Re\u2066lea\u2028s\u2029e',
    published: '\u001b[31m',
  });
  editor.publish('1.4', await zipOf({ 'a.yar': rule('one'), [manifestName]: said }));
  expect((await setup.check()).packages).toMatchObject([{ version: '1.4', group: 'Release', published: '[31m' }]);
});

test('a manifest with only marks names nothing: the version is the service’s', async () => {
  editor.publish('1.4', await zipOf({ 'a.yar': rule('one'), [manifestName]: manifest({ version: '\u202e' }) }));
  expect((await setup.check()).packages).toMatchObject([{ version: '1.4' }]);
});

test.each([
  ['long', manifest({ pad: ' '.repeat(7 * 2 ** 20) })],
  ['full of things', manifest({ pad: Array.from({ length: 100_000 }, () => 1) })],
  ['nested', manifest({}).replace('}', `,"pad":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
])('a manifest that is too %s to be read at once is ignored, and the rules are usable', async (_, text) => {
  editor.publish('1.4', await zipOf({ 'a.yar': rule('one'), [manifestName]: text }));
  expect((await setup.check()).packages).toMatchObject([{ version: '1.4', contents: { rules: 1, broken: 0 } }]);
});

test('a token that a server wrote into its package is neither shown nor stored', async () => {
  const files = {
    [`${tokenOfTeam}.yar`]: `${rule(tokenOfTeam)}${rule('fine')}rule bad { condition: $missing_${tokenOfTeam} }`,
    [manifestName]: manifest({ version: tokenOfTeam, group: tokenOfTeam, published: tokenOfTeam }),
  };
  editor.publish('1.4', await zipOf(files));
  const state = await setup.check();
  expect(state.packages).toMatchObject([{ version: '[secret]', group: '[secret]', contents: { rules: 1, broken: 2 } }]);
  const { rows } = await setup.reading.difference(setup.team, null, state.candidate ?? '', { offset: 0, limit: 9 });
  expect(rows.map(({ name, broken }) => [name, broken?.file])).toEqual([
    ['', '[secret].yar'],
    ['bad', '[secret].yar'],
    ['fine', undefined],
  ]);
  expect(JSON.stringify([state, rows])).not.toContain(tokenOfTeam);
  expect(await filesHolding(setup.folder, Buffer.from(tokenOfTeam))).toEqual([]);
});

test('a token written into a package stays redacted when the token store no longer has it', async () => {
  const files = {
    [`${tokenOfTeam}.yar`]: `rule told { meta: by = "${tokenOfTeam}" condition: true }\n${rule('fine')}`,
    [manifestName]: manifest({ version: tokenOfTeam }),
  };
  editor.publish('1.4', await zipOf(files));
  const before = await createTestPublications(editor);
  const { candidate } = await before.check();
  await before.publications.activate(before.team, candidate ?? '');
  await before.mutes.add({ workspaceId: before.team, rule: 'told', sample: null, reason: 'noisy', expires: null });
  const reported = await before.reading.rule(before.team, candidate ?? '', 0);
  await before.close();
  const again = await createTestPublications(editor, { folder: before.folder, tokens: [] });
  onTestFinished(() => again.remove());
  expect(await again.reading.rule(again.team, candidate ?? '', 0)).toEqual(reported);
  const mutes = await again.mutes.list(again.team);
  expect(mutes).toMatchObject([{ ruleNow: 'same' }]);
  expect(JSON.stringify([reported, mutes, again.state()])).not.toContain(tokenOfTeam);
  expect(await filesHolding(again.folder, Buffer.from(tokenOfTeam))).toEqual([]);
});

test('a broken rule in a file with a very long path is still broken after a start', async () => {
  const before = await createTestPublications(editor);
  editor.publish(
    '1.4',
    await zipOf(
      { [`${'p/'.repeat(400)}b.yar`]: `${rule('fine')}rule bad { condition: $missing }`, 'g.yar': rule('good') },
      '1.4',
    ),
  );
  const { candidate, packages } = await before.check();
  expect(packages).toMatchObject([{ contents: { rules: 2, broken: 1 } }]);
  await before.close();
  const again = await createTestPublications(editor, { folder: before.folder });
  onTestFinished(() => again.remove());
  expect(
    (await again.reading.difference(again.team, null, candidate ?? '', { offset: 0, limit: 1 })).counts,
  ).toMatchObject({ added: 2, broken: 1 });
});

test('a single rule file may begin its rules anywhere, and is refused with bytes of no text', async () => {
  const edge = 1024 * 1024;
  const filler = Buffer.alloc(edge - 4, '// comment\n');
  filler.write('\n', edge - 5);
  const across = Buffer.concat([filler, Buffer.from(rule('across'))]);
  expect(await setup.bring('a.yar', across)).toMatchObject({ packages: [{ contents: { rules: 1 } }] });
  setup.startOver();
  expect(await setup.bring('b.yar', Buffer.concat([across, Buffer.alloc(1)]))).toMatchObject({
    packages: [{ contents: null, failure: { kind: 'package-unreadable' } }],
  });
});
