import { expect, onTestFinished, test, vi } from 'vitest';
import { fail } from '../../shared/failure.ts';
import type { CommandWord } from './command.ts';
import { commands } from './commands.ts';
import { findCommand } from './common-options.ts';
import { runInMemory, usualWorkspaces } from './memory-run.fixture.ts';

const hash = '44d88612fea8a8f36de82e1278abb02f';
const looked = () => fail({ kind: 'not-in-library', hash });
const run = (...args: string[]) => runInMemory(args, () => ({ answers: { 'samples.lookup': looked } }));

test.each([
  ['an argument that is no hash', ['lookup', hash, 'nothash']],
  ['an option that is given twice', ['library', '--limit', '1', '--limit', '2']],
  ['a comment that would be left out', ['comment', hash, 'seen', '--list']],
  ['a list of hashes beside a job that has its own', ['download', '--resume', '1', '--file', 'list.txt']],
  ['an encryption for ZIPs that nobody asked for', ['download', hash, '--encryption', 'zipcrypto']],
  [
    'an encryption for raw files',
    ['download', hash, '--out', '.', '--form', 'raw', '--yes-live-bytes', '--encryption', 'zipcrypto'],
  ],
  ['an encryption that there is not', ['download', hash, '--out', '.', '--encryption', 'rc4']],
  ['a password for ZIPs that nobody asked for', ['download', hash, '--password-file', 'password.txt']],
  ['a backup that is read and begun anew', ['backup', 'there', '--verify', '--begin-anew']],
  ['a folder for samples without a name', ['download', hash, '--out', '']],
  ['a file for rows without a name', ['journal', 'export', '--out', '', '--force']],
  ['a backup without a name', ['backup', '']],
  ['a backup to restore without a name', ['restore', '']],
  ['a watched folder without a name', ['watch', 'on', '']],
  ['a bundle without a name', ['bundle', 'show', '']],
  ['a folder for a bundle without a name', ['bundle', 'write', 'tag:a', '--title', 'A', '--author', 'A', '--out', '']],
  ['a file to send without a name', ['upload', '']],
  ['a password whose file is not there', ['download', hash, '--out', '.', '--password-file', '/nowhere/password']],
  ['a data directory without a name', ['lookup', hash, '--data', '']],
])('%s is wrong usage, and nothing is asked', async (_what, args) => {
  const { code, asked } = await run(...args);
  expect([code, asked]).toEqual([2, []]);
});

test('a file to scan without a name is not the folder that the command runs in', async () => {
  const { code, said } = await run('scan', '');
  expect([code, said[0]]).toEqual([2, expect.stringContaining('a path is empty')]);
});

test.each([
  [['jurnal'], 'there is no command "jurnal"; did you mean "journal"?'],
  [['lookup', hash, '--fiel', 'x'], 'there is no option "--fiel"; did you mean "--file"?'],
  [['journal', 'verfiy'], 'there is no "journal verfiy": verify, export; did you mean "verify"?'],
  [['journal', 'verify', '--operation', 'scan'], '--operation is for "journal" and "journal export"'],
  [['journal', 'verify', 'again'], '"again" is one word too many behind "journal verify"'],
  [['library', 'name:a', '--add', 'packed'], '--add is for "library tag"'],
  [['library', '-tag:a'], 'there is no option "-t"; what begins with a minus and is no option stands behind "--"'],
  [['lab', 'constructor'], 'there is no "lab constructor": specimens, publications'],
  [['rules'], 'one of these words is needed behind it: check, update, install, rollback, remove, list, show'],
  [['rules', 'check', '1.3'], '"1.3" is one word too many behind "rules check"'],
  [['workspace', 'list', '--yes'], '--yes is for "workspace remove"'],
  [['bundle', 'show', 'a', '--yes'], '--yes is for "bundle import"'],
  [['watch', 'of'], 'there is no "watch of": on, off; did you mean "off"?'],
  [['hunt', '--al'], 'there is no option "--al"; did you mean "--all"?'],
])('what is not known is named, with what is nearest to it: %j', async (args, sentence) => {
  const { code, asked, said } = await run(...args);
  expect([code, asked, said[0]]).toEqual([2, [], expect.stringContaining(sentence)]);
});

test.each(Object.keys(commands))('each option of %s is for one of the words that it knows', async (name) => {
  const command = await commands[name]?.();
  const known = Object.keys(command?.options ?? {});
  const words: readonly CommandWord[] = Object.values(command?.words ?? { '': { options: known, most: 0 } });
  expect(new Set(words.flatMap(({ options }) => options))).toEqual(new Set(known));
});

test('short options may stand together', () => {
  expect(findCommand(['-qw', 'team', 'lookup', hash])).toMatchObject({
    name: 'lookup',
    rest: ['-qw', 'team', hash],
    isQuiet: true,
    isJson: false,
  });
});

test('Ctrl-C ends a look-up at a service that does not answer', async () => {
  const interrupt = new AbortController();
  const { code } = await runInMemory(['lookup', hash], () => ({
    interrupt,
    answers: {
      'samples.lookup': () => {
        queueMicrotask(() => interrupt.abort());
        return new Promise(() => {});
      },
    },
  }));
  expect(code).toBe(130);
});

test('Ctrl-C at a desk that does not answer any more ends without an answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const interrupt = new AbortController();
  const asked = Promise.withResolvers<void>();
  const ended = runInMemory(['comment', hash, 'text'], () => ({
    interrupt,
    kind: 'desk',
    answers: {
      'comments.send': () => {
        asked.resolve();
        return new Promise(() => {});
      },
    },
  }));
  await asked.promise;
  interrupt.abort();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await ended).toMatchObject({ code: 130, closed: 1, said: [expect.stringContaining('does not answer')] });
});

test('Ctrl-C while a host is being opened closes it', async () => {
  const interrupt = new AbortController();
  const opening = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const ended = runInMemory(['lookup', hash], () => ({
    interrupt,
    answers: {},
    opening: () => {
      begun.resolve();
      return opening.promise;
    },
  }));
  await begun.promise;
  interrupt.abort();
  setImmediate(opening.resolve);
  expect(await ended).toMatchObject({ code: 130, closed: 1, asked: [] });
});

test('Ctrl-C before a host is opened opens none', async () => {
  const interrupt = new AbortController();
  interrupt.abort();
  expect(await runInMemory(['lookup', hash], () => ({ interrupt, answers: {} }))).toMatchObject({
    code: 130,
    closed: 0,
    asked: [],
  });
});

test.each([
  ['an empty token', 'Team', '\n'],
  ['a token for a service that the workspace has not', 'Repository alone', 'a-token'],
])('%s is wrong usage, and no sealed file is made for it', async (_what, name, input) => {
  const [team] = usualWorkspaces.workspaces;
  const workspaces = team ? [team, { ...team, id: 'alone', name: 'Repository alone', ruleEditor: null }] : [];
  const { code, asked } = await runInMemory(['workspace', 'token', name, 'rule-editor'], () => ({
    input,
    answers: { 'workspaces.list': () => ({ ...usualWorkspaces, workspaces }) },
  }));
  expect([code, asked.map((one) => one.name)]).toEqual([2, ['workspaces.list']]);
});

test('of two workspaces with one name an id tells which, and the name is wrong usage', async () => {
  const [team] = usualWorkspaces.workspaces;
  const both = {
    workspaces: team
      ? [
          { ...team, id: 'first', name: 'same' },
          { ...team, id: 'same', name: 'Other' },
          { ...team, id: 'third', name: 'Same' },
        ]
      : [],
    current: 'first',
    damaged: [],
  };
  const used = (...args: string[]) =>
    runInMemory(args, () => ({
      answers: {
        'workspaces.list': () => both,
        'workspaces.switch': () => ({}),
        'workspaces.edit': () => team ?? fail({ kind: 'workspace-missing', id: '' }),
      },
    }));
  expect((await used('workspace', 'use', 'same')).inputsOf('workspaces.switch')).toEqual([{ id: 'same' }]);
  expect((await used('workspace', 'use', 'SAME')).code).toBe(2);
  expect((await used('workspace', 'add', 'Other', '--repository', 'https://repo.example')).code).toBe(2);
  const renamed = await used('workspace', 'edit', 'first', '--rename', ' other');
  expect([renamed.code, renamed.inputsOf('workspaces.edit'), renamed.said[0]]).toEqual([
    2,
    [],
    expect.stringContaining('another workspace has this name already'),
  ]);
  expect((await used('workspace', 'edit', 'third', '--rename', 'Third')).inputsOf('workspaces.edit')).toMatchObject([
    { id: 'third', draft: { name: 'Third' } },
  ]);
});
