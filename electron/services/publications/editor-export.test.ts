import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import {
  createTestPublications,
  type KeptFile,
  listing,
  rule,
  type RuleEditor,
  startRuleEditor,
  type TestPublications,
} from './publications.fixture.ts';

let editor: RuleEditor;
let setup: TestPublications;
beforeAll(async () => {
  editor = await startRuleEditor();
  setup = await createTestPublications(editor);
});
beforeEach(() => {
  setup.startOver();
  setup.usesOptionalActions = true;
});
afterAll(async () => {
  await setup.remove();
  editor.end();
});

const families: KeptFile = { id: 1, name: 'Families', text: `import "pe"\n\n${rule('one')}\n${rule('two')}\n` };
const empty: KeptFile = { id: 2, name: 'Empty', text: '' };
const others: KeptFile = { id: 3, name: 'Others', text: rule('three'), modified: '2026-11-30 04:00:00' };

const kept = async (...files: KeptFile[]): Promise<PublicationsState> => {
  editor.keep(files);
  return setup.check();
};
const installed = async (...files: KeptFile[]): Promise<PublicationsState> => {
  const { candidate } = await kept(...files);
  return setup.publications.activate(setup.team, candidate ?? expect.fail('no candidate'));
};
const pathsIn = async (): Promise<string[]> => {
  const { rows } = await setup.reading.list(listing(setup.team, ''));
  return [...new Set(rows.map(({ file }) => file))];
};
const failureText = (state: PublicationsState): string => {
  const failure = state.lastCheck?.failure ?? expect.fail('the check did not fail');
  const { what, then } = sentenceFor(failure);
  return `${what}. ${then}`;
};

test('a check makes a package of all files of an editor without publications, and the next one none', async () => {
  const found = await kept(families, empty, others);
  expect(found).toMatchObject({
    active: null,
    lastCheck: { outcome: 'found', of: 'export', version: '2026-11-30 04:00:00', failure: null },
    packages: [
      {
        source: 'export',
        version: '2026-11-30 04:00:00',
        warnings: [],
        contents: { files: 2, rules: 3, broken: 0, empty: { files: 1, names: ['Empty'] } },
      },
    ],
  });
  await setup.publications.activate(setup.team, found.candidate ?? '');
  expect(await pathsIn()).toEqual(['Families.yar', 'Others.yar']);
  editor.asked.length = 0;
  expect(await setup.check()).toMatchObject({
    candidate: null,
    active: found.candidate,
    lastCheck: { outcome: 'up-to-date', of: 'export' },
  });
  expect(editor.asked.some((url) => url.includes('exportfile') && url.includes('id=2'))).toBe(false);
});

test('a check finds no changes where the editor only sorts its files and rules otherwise', async () => {
  const before = await installed(families, others);
  const sorted = {
    ...families,
    text: `import "pe"\n\n${rule('two')}\n${rule('one')}\n`,
    modified: '2026-12-01 00:00:00',
  };
  expect(await kept(others, sorted)).toMatchObject({
    active: before.active,
    candidate: null,
    lastCheck: { outcome: 'up-to-date' },
  });
  expect(setup.state().packages).toHaveLength(1);
});

test('a check shows the difference of what changed in the editor, and the update can be undone', async () => {
  const before = await installed(families, others);
  const { candidate } = await kept(families, { ...others, text: rule('three', 'not $a') + rule('four') });
  const { counts } = await setup.reading.difference(setup.team, before.active, candidate ?? '', {
    offset: 0,
    limit: 9,
  });
  expect(counts).toMatchObject({ added: 1, changed: 1, removed: 0, same: 2 });
  expect(setup.state().packages.map(({ version }) => version)).toEqual([
    '2026-11-30 04:00:00 (2)',
    '2026-11-30 04:00:00',
  ]);
  await setup.publications.activate(setup.team, candidate ?? '');
  expect((await setup.publications.activate(setup.team, before.active ?? '')).active).toBe(before.active);
});

test('a rule that is listed above what it uses compiles in an exported package', async () => {
  const text = `rule uses { condition: used }\n\nrule used { condition: true }\n`;
  expect(await kept({ id: 1, name: 'Order', text })).toMatchObject({
    packages: [{ contents: { rules: 2, broken: 0 } }],
  });
});

test('a check that comes by itself reports an export that waits already only once', async () => {
  await kept(families);
  expect((await setup.check()).packages).toHaveLength(1);
  await setup.set({ policy: 'install-whole' });
  expect(await setup.check()).toMatchObject({ candidate: null, lastCheck: { outcome: 'installed', of: 'export' } });
});

test('the journal names an export', async () => {
  await kept(families);
  const [row] = await setup.stores.journalReader
    .list({
      filter: { operations: ['rule-update'], workspaceId: setup.team, find: '', from: null, before: null },
      offset: 0,
      limit: 1,
    })
    .then(({ lines }) => lines);
  expect(row?.row?.detail).toMatchObject({ of: 'export', step: 'check', rules: 2 });
});

test.each<[string, (file: KeptFile) => string]>([
  ['an editor that lists rules and exports none', () => ''],
  ['a web page', () => '<!DOCTYPE html><html><body>Log in</body></html>'],
  [
    'a warning, which takes the place of rules',
    ({ text }) =>
      `<br />\n<b>Warning</b>:  Undefined in <b>core.php</b> on line <b>25</b><br />\n${text}`.slice(0, text.length),
  ],
])('a check fails with the name of the file for %s', async (_, answered) => {
  editor.keep([families, { ...others, text: answered(others), rules: 1 }]);
  const state = await setup.check();
  expect(state).toMatchObject({ packages: [], lastCheck: { outcome: 'failed' } });
  expect(failureText(state)).toContain('The rule editor did not export “Others”');
});

test('a check that meets a database that is down reports the service', async () => {
  editor.keep([families, { ...others, text: 'Connection Failed: 2002', rules: 1 }]);
  const state = await setup.check();
  expect(state).toMatchObject({ packages: [], lastCheck: { outcome: 'failed' } });
  expect(failureText(state)).toContain('The rule editor failed (200)');
});

test('a check names a file of which fewer rules came than the editor lists', async () => {
  const state = await kept(families, { ...others, rules: 4 });
  expect(state).toMatchObject({ packages: [{ contents: { rules: 3, broken: 1 } }] });
  expect(setup.stores.packages.broken(setup.team, state.candidate ?? '')).toEqual([
    {
      rule: null,
      file: 'Others.yar',
      line: 0,
      kind: 'file',
      text: 'The rule editor lists 4 rules in this file and exported 1',
    },
  ]);
});

test('files of any name lie beside each other in a package', async () => {
  const names = ['../../etc/x', 'C:\\a', 'con', 'Same', 'same', '', '\u202eevil\0', 'a.yar', 'п'.repeat(300)];
  await installed(...names.map((name, id) => ({ id, name, text: rule(`r${id}`) })));
  const paths = await pathsIn();
  expect(paths).toHaveLength(names.length);
  expect(paths).toEqual(expect.arrayContaining(['Same-3.yar', 'same-4.yar', 'a.yar', '_con.yar', '5.yar', 'C__a.yar']));
  expect(paths.filter((path) => /[/\\\0\u202e]|^\./u.test(path))).toEqual([]);
});

test('an editor without rules has nothing to fetch, and the rules in use stay', async () => {
  const before = await installed(families);
  for (const files of [[], [empty]]) {
    const state = await kept(...files);
    expect(failureText(state)).toBe(
      'The rule editor has no rules. There is nothing to fetch. Installed rules stay in use.',
    );
    expect(state.active).toBe(before.active);
  }
});

test('a list of files with an entry that cannot be read is no list', async () => {
  await installed(families);
  editor.onList = (response) => response.end('[{"id":1,"name":"Families","rules":2},{"name":"no id"}]');
  expect(await setup.check()).toMatchObject({ lastCheck: { failure: { kind: 'unreadable-reply' } } });
});

test('an editor’s actions are found out once, and files are not exported where the workspace forbids it', async () => {
  setup.usesOptionalActions = false;
  expect(await kept(families)).toMatchObject({ packages: [], lastCheck: { failure: { kind: 'action-unknown' } } });
  expect(editor.asked.filter((url) => /getfiles|exportfile/.test(url))).toEqual([]);
  setup.usesOptionalActions = true;
  expect(await setup.check()).toMatchObject({ lastCheck: { outcome: 'found' } });
  editor.asked.length = 0;
  await setup.check();
  expect(editor.asked.filter((url) => url.includes('action=scanfile'))).toEqual([]);
});

test('a token that the editor refuses is the reason, and not the actions that it lacks', async () => {
  editor.keep([families]);
  editor.onExport = (response) => response.writeHead(401).end();
  expect(await setup.check()).toMatchObject({ lastCheck: { failure: { kind: 'token-refused' } } });
});

test('an editor that has publications by now is asked for them', async () => {
  await installed(families);
  editor.onCheck = (response) => response.end('{"outdated":false,"last_version":"1.0","id":"1"}');
  expect(await setup.check()).toMatchObject({ lastCheck: { outcome: 'up-to-date', version: '1.0' } });
  expect(setup.state().lastCheck?.of).toBeUndefined();
});

test('many files are fetched a few at a time, and a check that is cancelled leaves nothing', async () => {
  const many = Array.from({ length: 60 }, (_, id) => ({ id, name: `File ${id}`, text: rule(`r${id}`) }));
  editor.keep(many);
  const { onExport } = editor;
  let [now, most] = [0, 0];
  editor.onExport = (response, request) => {
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => (now -= 1));
    setImmediate(() => onExport(response, request));
  };
  expect(await setup.check()).toMatchObject({ packages: [{ contents: { files: 60, rules: 60 } }] });
  expect(most).toBeLessThanOrEqual(4);

  setup.startOver();
  editor.onExport = (response, request) => {
    if (request.url?.includes('id=9&') === true) setup.publications.cancelCheck(setup.team);
    else onExport(response, request);
  };
  expect(await setup.check()).toMatchObject({ packages: [], lastCheck: { outcome: 'cancelled' } });
});
