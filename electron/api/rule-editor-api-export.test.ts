import { afterEach, expect, test } from 'vitest';
import { failureOf } from './failure-of.fixture.ts';
import type { EditorFile } from './replies/server-lists.ts';
import { createRuleEditorApi, type RuleEditorApi } from './rule-editor-api.ts';
import { connectionTo, httpReply, onceOnly, type ScriptedServer, startScripted } from './scripted-server.fixture.ts';

let server: ScriptedServer;
afterEach(() => server.close());

async function apiWith(body: string, status = 200): Promise<RuleEditorApi> {
  server = await startScripted((socket) => socket.end(httpReply(status, body)));
  return createRuleEditorApi(connectionTo(server.origin, { service: 'rule-editor' }), onceOnly);
}

const listed = async (body: string, status?: number): Promise<EditorFile[]> =>
  (await apiWith(body, status)).ruleFiles();

async function exported(body: string): Promise<string> {
  const { chunks } = await (await apiWith(body)).exportFile('1');
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  return Buffer.concat(pieces).toString();
}

test('files of rules are read with their number of rules and time, as numbers or as text', async () => {
  const body =
    '[{"id":1,"name":"Families","imports":["pe"],"rules":2,"last_modified":"2026-11-30 03:23:33"},' +
    '{"id":"2","name":"","rules":"0","last_modified":"yesterday"},{"id":3}]';
  expect(await listed(body)).toEqual([
    { id: '1', name: 'Families', rules: 2, modified: '2026-11-30 03:23:33' },
    { id: '2', name: '2', rules: 0, modified: null },
    { id: '3', name: '3', rules: null, modified: null },
  ]);
});

test('an editor that refuses to list files in the words for none has none', async () => {
  expect(await listed('unable to get files', 403)).toEqual([]);
  await server.close();
  expect(await failureOf(() => listed('Not enough rights', 403))).toMatchObject({ kind: 'forbidden' });
});

test.each([
  ['an entry without an id', '[{"id":1,"name":"a"},{"name":"b"}]'],
  ['an entry that is no file', '[{"id":1,"name":"a"},7]'],
  ['more files than a package may have', JSON.stringify(Array.from({ length: 20_001 }, (__, id) => ({ id })))],
  ['no list', '{"status":"ok"}'],
])('a list of files with %s is unreadable, and never a shorter one', async (_, body) => {
  expect(await failureOf(() => listed(body))).toMatchObject({ kind: 'unreadable-reply' });
});

test.each([
  ['of rules', 'rule a { condition: true }\n'],
  ['of statements alone', '\n  import "pe"\n'],
  ['with a comment that closes too early', '/* a */ b */\nrule a { condition: true }'],
  ['with a byte order mark', '\uFEFFprivate rule a { condition: true }'],
  ['of much text', `// first\n${'rule a { condition: true }\n'.repeat(10_000)}`],
])('an exported file %s arrives unchanged', async (_, body) => {
  expect(await exported(body)).toBe(body);
});

test.each([
  ['nothing', '', 'empty-reply'],
  ['stray bytes alone', '{}', 'empty-reply'],
  ['a web page', '<!DOCTYPE html><html>', 'html-reply'],
  ['a warning before rules', '<br />\n<b>Warning</b>: x\nrule a { condition: true }', 'unreadable-reply'],
  ['a warning before many rules', `Warning: x\n${'rule a { condition: true }\n'.repeat(10_000)}`, 'unreadable-reply'],
  ['a message', 'No such rule', 'unreadable-reply'],
  ['a database that is down', 'Connection Failed: 2002', 'service-failed'],
  ['an error in JSON', '{"error":"no such file"}', 'request-refused'],
])('an exported file of %s is a failure', async (_, body, kind) => {
  expect(await failureOf(() => exported(body))).toMatchObject({ kind, service: 'rule-editor' });
});
