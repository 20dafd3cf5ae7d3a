import { expect, onTestFinished, test, vi } from 'vitest';
import { fail } from '../../shared/failure.ts';
import { commands } from './commands.ts';
import { findCommand, readReporting } from './common-options.ts';
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
  ['a blank query of samples to tag', ['library', 'tag', ' ', '--add', 'packed']],
  ['a blank query of samples to bundle', ['bundle', 'write', '', '--title', 'A', '--author', 'A', '--out', '.']],
  ['a tag of two lines', ['library', 'tag', 'tag:a', '--add', 'one\ntwo']],
  ['a tag with a comma', ['upload', 'a.bin', '--tag', 'one,two']],
  ['an edit of a workspace that changes nothing', ['workspace', 'edit', 'lab']],
  ['a variable without a value', ['rules', 'variables', 'site']],
  ['a patch of anything but a difference', ['rules', 'list', '--format', 'patch']],
  ['a data directory without a name', ['lookup', hash, '--data', '']],
])('%s is wrong usage, and no operation is called', async (_what, args) => {
  const { code, asked } = await run(...args);
  expect([code, asked]).toEqual([2, []]);
});

test('an empty path to scan is not read as the current folder', async () => {
  const { code, said } = await run('scan', '');
  expect([code, said[0]]).toEqual([2, expect.stringContaining('a path is empty')]);
});

test.each([
  [['jurnal'], 'unknown command "jurnal"; did you mean "journal"?'],
  [['lookup', hash, '--fiel', 'x'], 'unknown option "--fiel"; did you mean "--file"?'],
  [['journal', 'verfiy'], 'unknown command "journal verfiy", known: verify, export; did you mean "verify"?'],
  [['journal', 'verify', '--operation', 'scan'], '--operation is an option of "journal" and "journal export"'],
  [['journal', 'verify', 'again'], '"again" is one argument too many for "journal verify"'],
  [['library', 'name:a', '--add', 'packed'], '--add is an option of "library tag"'],
  [['library', '-taga'], 'unknown option "-t"; put arguments that begin with "-" after "--"'],
  [['library', '-tga:alpha'], 'unknown option "-t"; put arguments that begin with "-" after "--"'],
  [['lookup', '-tag:alpha'], 'unknown option "-t"; put arguments that begin with "-" after "--"'],
  [['library', '--count', '-xh'], 'unknown option "-x"; put arguments that begin with "-" after "--"'],
  [['-xh'], 'unknown option "-x"; put arguments that begin with "-" after "--"'],
  [['lab', 'constructor'], 'unknown command "lab constructor", known: samples, publications'],
  [['rules'], 'missing command: one of check, update, install, rollback, remove, list, show'],
  [['rules', 'check', '1.3'], '"1.3" is one argument too many for "rules check"'],
  [['workspace', 'list', '--yes'], '--yes is an option of "workspace remove"'],
  [['bundle', 'show', 'a', '--yes'], '--yes is an option of "bundle import"'],
  [['watch', 'of'], 'unknown command "watch of", known: on, off; did you mean "off"?'],
  [['library', 'sise:>1'], 'vitrine library: unknown field "sise:". Did you mean "size:"?'],
  [['rules', 'list', '--query', '', '--sort', 'size'], '--sort must be one of place, name, hits, cost'],
  [['journal', '--operation', 'sent'], '--operation must be one of look-up, download'],
  [['lookup', hash, '--json', '--format', 'csv'], '--json and --format cannot be combined'],
  [['hunt', '--al'], 'unknown option "--al"; did you mean "--all"?'],
])('an unknown name is reported with the nearest known one: %j', async (args, sentence) => {
  const { code, asked, said } = await run(...args);
  expect([code, asked, said[0]]).toEqual([2, [], expect.stringContaining(sentence)]);
});

test.each([
  ['an unknown workspace for the library', ['library', '--workspace', 'nope'], 3],
  ['a watch without a folder', ['watch', 'on'], 2],
])('%s is refused', async (_what, args, code) => {
  const refused = await runInMemory(args, () => ({
    answers: {
      'watch.state': () => ({
        isOn: false,
        folder: null,
        workspaceId: null,
        failure: null,
        leftAlone: 0,
        found: 0,
        files: [],
      }),
    },
  }));
  expect(refused.code).toBe(code);
  expect([refused.inputsOf('library.list'), refused.inputsOf('watch.turn')]).toEqual([[], []]);
});

test.each([
  [['library', '--limit'], 'vitrine library: --limit needs a value.'],
  [['library', '--limit', '--count'], 'vitrine library: --limit needs a value.'],
  [['library', '--limit', '-5'], 'vitrine library: --limit needs a value; one with a dash is --limit=-5.'],
  [['library', '--limit', '-tag:a'], 'vitrine library: --limit needs a value; one with a dash is --limit=-tag:a.'],
  [['library', '--count=3'], 'vitrine library: --count takes no value.'],
  [['--format'], 'vitrine: --format needs a value.'],
  [['-w'], 'vitrine: -w needs a value.'],
  [['-w', 'lab'], 'vitrine: name a command.'],
  [['--bogus'], 'vitrine: unknown option "--bogus".'],
])('an option without its value, or without a command, is wrong usage: %j', async (args, sentence) => {
  const { code, asked, said, lines } = await run(...args);
  expect([code, asked, said[0], lines]).toEqual([2, [], sentence, []]);
});

test.each([[['--version', 'library']], [['library', '--version']], [['--version']]])(
  '%j prints the version and does nothing else',
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 0, asked: [], said: [], lines: ['vitrine 0.0.0'] });
  },
);

test.each([
  [['workspace', 'token', 'Team'], 'See "vitrine help workspace token".'],
  [['journal', '--frm', 'x'], 'See "vitrine help journal".'],
  [['jurnal'], 'See "vitrine --help".'],
  [['help', 'jurnal'], 'See "vitrine --help".'],
])('wrong usage points to the help of the sub-command: %j', async (args, sentence) => {
  const { code, said } = await run(...args);
  expect([code, said[1]]).toEqual([2, sentence]);
});

test.each(Object.entries(commands))('%s has the name and summary from the list of commands', async (name, listed) => {
  expect(await listed.load()).toMatchObject({ name, summary: listed.summary });
});

test.each(Object.entries(commands))(
  'an option shared by several sub-commands of %s has the same form in all of them',
  async (_name, listed) => {
    const { flags = {}, words = {} } = await listed.load();
    const kinds = new Map<string, string>();
    for (const topic of [flags, ...Object.values(words).map((word) => word.flags ?? {})])
      for (const [option, { value, short, multiple }] of Object.entries(topic)) {
        const kind = JSON.stringify([value === undefined, short, multiple]);
        expect(kinds.get(option) ?? kind).toBe(kind);
        kinds.set(option, kind);
      }
  },
);

test('vitrine alone prints its help in 40 lines of 80 columns and ends with 0', async () => {
  const [alone, asked] = [await run(), await run('--help')];
  expect(asked).toMatchObject({ code: 0, lines: alone.lines, said: [], asked: [] });
  const lines = alone.lines.join('\n').split('\n');
  expect([alone.code, lines.length <= 40, lines.filter((line) => line.length > 80)]).toEqual([0, true, []]);
  for (const name of Object.keys(commands)) expect(alone.lines.join('\n')).toMatch(new RegExp(`^  ${name} `, 'm'));
});

test.each([['library'], ['library', 'add'], ['journal', 'export']])(
  'help of %s %s equals the output of --help',
  async (...words) => {
    const shown = await run('help', ...words);
    expect(shown).toMatchObject({ code: 0, asked: [], lines: [expect.stringContaining(`vitrine ${words.join(' ')}`)] });
    expect((await run(...words, '--help')).lines).toEqual(shown.lines);
    expect((await run('--help', ...words)).lines).toEqual(shown.lines);
  },
);

test('help of an unknown command names the nearest one', async () => {
  for (const [words, nearest] of [
    [['jurnal'], 'journal'],
    [['library', 'ad'], 'add'],
  ] as const) {
    const { code, said } = await run('help', ...words);
    expect([code, said[0]]).toEqual([2, expect.stringContaining(`did you mean "${nearest}"?`)]);
  }
});

test('short options may be combined', async () => {
  const rest = ['-qw', 'team', hash];
  expect(findCommand(['-qw', 'team', 'lookup', hash])).toEqual({ name: 'lookup', rest });
  expect(readReporting(rest, () => false)).toMatchObject({ isQuiet: true, format: null });
  const { lines } = await run('library', '--help');
  expect((await run('library', '-qh')).lines).toEqual(lines);
  expect((await run('library', '--limit', '-h')).lines).toEqual(lines);
});

test.each(Object.entries(commands))(
  '%s is listed as taking a query exactly if its usage has one',
  async (_name, listed) => {
    const { usage, words = {} } = await listed.load();
    const usages = [...usage, ...Object.values(words).flatMap((word) => word.usage)];
    expect(listed.takesQuery ?? false).toBe(usages.some((line) => /^\[?QUERY/.test(line)));
  },
);

test('Ctrl-C ends a look-up when the service does not answer', async () => {
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

test('Ctrl-C ends a command when Vitrine no longer responds', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const interrupt = new AbortController();
  const asked = Promise.withResolvers<void>();
  const ended = runInMemory(['comment', hash, 'text'], () => ({
    interrupt,
    kind: 'running',
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
  expect(await ended).toMatchObject({ code: 130, closed: 1, said: [expect.stringContaining('does not respond')] });
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
])('%s is wrong usage, and no sealed file is created for it', async (_what, name, input) => {
  const [team] = usualWorkspaces.workspaces;
  const workspaces = team ? [team, { ...team, id: 'alone', name: 'Repository alone', ruleEditor: null }] : [];
  const { code, asked } = await runInMemory(['workspace', 'token', name, 'rule-editor'], () => ({
    input,
    answers: { 'workspaces.list': () => ({ ...usualWorkspaces, workspaces }) },
  }));
  expect([code, asked.map((one) => one.name)]).toEqual([2, ['workspaces.list']]);
});

test('an id selects one of two workspaces with the same name, and the name is wrong usage', async () => {
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
  expect((await used('workspace', 'add', 'First', '--repository', 'https://repo.example')).code).toBe(2);
  const renamed = await used('workspace', 'edit', 'first', '--rename', ' other');
  expect([renamed.code, renamed.inputsOf('workspaces.edit'), renamed.said[0]]).toEqual([
    2,
    [],
    expect.stringContaining('another workspace has this name'),
  ]);
  expect((await used('workspace', 'edit', 'third', '--rename', 'Third')).inputsOf('workspaces.edit')).toMatchObject([
    { id: 'third', draft: { name: 'Third' } },
  ]);
});

test('--json equals --format jsonl, and conflicts with another format', async () => {
  expect((await run('lookup', hash, '--format', 'jsonl')).json).toEqual((await run('lookup', hash, '--json')).json);
  for (const args of [
    ['--format', 'yaml'],
    ['--format', 'csv', '--json'],
  ])
    expect((await run('lookup', hash, ...args)).code).toBe(2);
});

test('a look-up as CSV has the columns of the table, also for one hash', async () => {
  const { code, bytes } = await run('lookup', hash, '--format', 'csv');
  const [head, row, ...more] = bytes.split('\r\n');
  expect([code, head, row?.split(',').slice(0, 2), more]).toEqual([
    3,
    'hash,status,severity,size,type,threat,name,reason',
    [hash, 'failed'],
    [''],
  ]);
});

test.each(['forbidden', 'forbidden-or-unknown'] as const)(
  'a missing right ends a look-up with 4 (%s)',
  async (kind) => {
    const failure = {
      service: 'repository',
      address: 'https://repo.example',
      status: 403,
    } as const;
    const { code, lines } = await runInMemory(['lookup', hash, 'd41d8cd98f00b204e9800998ecf8427e'], () => ({
      answers: {
        'samples.lookup': () =>
          fail(kind === 'forbidden' ? { kind, ...failure, text: '' } : { kind, ...failure, hash }),
      },
    }));
    expect([code, lines.map((line) => line.split('\t')[1])]).toEqual([4, ['forbidden', 'forbidden']]);
  },
);

test('the list of workspaces keeps addresses usable', async () => {
  const { lines } = await runInMemory(['workspace', 'list'], () => ({ answers: {} }));
  expect(lines).toEqual(['*\tteam\tTeam\thttps://repo.example/path\thttps://rules.example']);
});
