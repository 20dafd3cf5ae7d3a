import type { OperationOutput } from '../../../shared/contract.ts';
import { optionalActions } from '../../../shared/domain/server-action.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import {
  defaultRepositoryOptions,
  defaultTimeouts,
  keptFront,
  keptProxy,
  type RepositoryOptions,
  type TokenChange,
  type WorkspaceDraft,
  workspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import type { ServiceName } from '../../../shared/failure.ts';
import { checkInput } from '../checked-input.ts';
import type { Command, CommandRun, Flags } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, ExitError, wrongUsage } from '../exit.ts';
import { type GivenSecrets, givenSecrets } from '../given-secrets.ts';
import { choiceOf, isGiven, textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { givenSecret, secretInput } from '../secret-input.ts';
import { isSameName, workspaceNamed } from '../workspace-named.ts';
import { networkFlags, networkOf, networkSettings, setsSecret, trustOf } from './workspace-network.ts';

const services: readonly ServiceName[] = ['repository', 'rule-editor'];
const tokenVariable = 'VITRINE_TOKEN';
const sealFlags: Flags = {
  'new-passphrase-file': {
    value: 'FILE',
    text: 'passphrase of a new sealed token file; or set VITRINE_NEW_PASSPHRASE',
  },
};
const addressFlags: Flags = {
  repository: { value: 'URL', text: 'address of the repository; "" removes it' },
  'rule-editor': { value: 'URL', text: 'address of the rule editor; "" removes it' },
  'allow-http': { text: 'allow addresses without encryption' },
  ...networkFlags,
  'decodes-comments': {
    value: 'yes|no',
    choices: ['yes', 'no'],
    text: 'whether the repository decodes comments of uploads twice; otherwise detected',
  },
  'optional-actions': {
    value: 'yes|no',
    choices: ['yes', 'no'],
    text: 'whether actions beyond the documented ones are used where the server supports them',
  },
  ...sealFlags,
};

export const workspace: Command = {
  name: 'workspace',
  summary: 'manage workspaces, their addresses and tokens',
  usage: [''],
  about: "Lists the workspaces. The current one is marked with *. NAME is a workspace's name or ID.",
  examples: ['vitrine workspace', 'vitrine workspace add Team --repository https://repo.example/'],
  most: 0,
  words: {
    list: { summary: 'list the workspaces', usage: [''], examples: ['vitrine workspace list'], most: 0 },
    add: {
      summary: 'add a workspace',
      usage: ['NAME [--repository URL] [--rule-editor URL] [flags]'],
      examples: ['vitrine workspace add Team --repository https://repo.example/'],
      flags: addressFlags,
      most: 1,
    },
    edit: {
      summary: 'change a workspace',
      usage: ['NAME [flags]'],
      examples: ["vitrine workspace edit Team --rename 'Blue team'"],
      flags: { rename: { value: 'NAME', text: 'new name' }, ...addressFlags },
      most: 1,
    },
    use: {
      summary: 'make a workspace the current one',
      usage: ['NAME'],
      examples: ['vitrine workspace use lab'],
      most: 1,
    },
    show: {
      summary: 'show the settings of a workspace',
      usage: ['[NAME]'],
      about: 'Of tokens, passwords and keys it shows only whether they are stored.',
      examples: ['vitrine workspace show'],
      most: 1,
    },
    test: {
      summary: 'test the connection and the tokens of a workspace',
      usage: ['[NAME]'],
      about:
        'A token from --repository-token-file or --rule-editor-token-file is tested instead of the stored one, and ' +
        'not stored.',
      examples: ['vitrine workspace test', 'vitrine workspace test Team --repository-token-file token.txt'],
      most: 1,
      passesTokens: true,
    },
    token: {
      summary: 'store a token',
      usage: ['NAME repository|rule-editor [--from FILE]'],
      about:
        `Reads the token from --from, from ${tokenVariable} or from stdin. It is never shown again. Without a system ` +
        'keychain, tokens are stored in a file sealed with a passphrase: create it once with --new-passphrase-file, ' +
        'then unlock it with --passphrase-file.',
      examples: ['vitrine workspace token Team repository < token.txt'],
      values: [[], services],
      flags: {
        from: { value: 'FILE', text: 'file with the token; - for stdin' },
        ...sealFlags,
      },
      most: 2,
    },
    remove: {
      summary: 'remove a workspace',
      usage: ['NAME [--yes]'],
      examples: ['vitrine workspace remove Team'],
      flags: {
        'forget-library': { text: 'also remove what the library knows from it' },
        yes: { text: 'do not ask for confirmation' },
      },
      most: 1,
    },
  },
  run: async (run) => {
    const [word = 'list', ...rest] = run.args;
    const does = verbs[word] ?? wrongUsage('missing command: one of list, add, edit, use, show, test, token, remove');
    return does(run, rest);
  },
};

const verbs: Readonly<Record<string, (run: CommandRun, rest: readonly string[]) => Promise<ExitCode>>> = {
  list,
  add,
  edit,
  use,
  show,
  test,
  token,
  remove,
};

async function list(run: CommandRun): Promise<ExitCode> {
  const { workspaces, current, damaged } = await run.ask('workspaces.list', {});
  const records = new Records(run.terminal, columns);
  for (const one of workspaces) {
    const isCurrent = one.id === current;
    await (run.terminal.isJson ? run.terminal.json({ ...one, isCurrent }) : records.add({ ...one, isCurrent }));
  }
  if (!run.terminal.isJson) await records.end();
  for (const id of damaged) run.terminal.complain(`Workspace ${id} is damaged. It can only be removed.`);
  return exitCodes.done;
}

/** Addresses are those of the person: they stay usable. */
const columns: readonly Column<WorkspaceView & { isCurrent: boolean }>[] = [
  { head: 'CURRENT', value: ({ isCurrent }) => (isCurrent ? '*' : null), isOwn: true },
  { head: 'ID', value: ({ id }) => id, cut: 'hash', isOwn: true },
  { head: 'NAME', value: ({ name }) => name, cut: 'text', isMain: true, isOwn: true },
  {
    head: 'REPOSITORY',
    value: ({ builtIn, repository }) => addressWords(builtIn, repository),
    cut: 'text',
    isOwn: true,
  },
  {
    head: 'RULE EDITOR',
    value: ({ builtIn, ruleEditor }) => addressWords(builtIn, ruleEditor),
    cut: 'text',
    isOwn: true,
  },
];

function addressWords(isBuiltIn: boolean, view: WorkspaceView['repository']): string | null {
  if (isBuiltIn) return 'built in';
  return view === null ? null : `${view.baseUrl}${view.hasToken ? '' : ' (no token)'}`;
}

async function named(run: CommandRun, [name]: readonly string[]): Promise<WorkspaceView> {
  const typed = name ?? wrongUsage('name a workspace');
  const { workspaces } = await run.ask('workspaces.list', {});
  const found = workspaceNamed(workspaces, typed);
  if (found) return found;
  run.terminal.complain(`There is no workspace "${typed}". List them: vitrine workspace list`);
  throw new ExitError(exitCodes.notFound);
}

async function add(run: CommandRun, [name]: readonly string[]): Promise<ExitCode> {
  const [repository, ruleEditor] = [addressOf(run, 'repository', null), addressOf(run, 'rule-editor', null)];
  if (repository === null && ruleEditor === null) wrongUsage('give --repository URL or --rule-editor URL');
  const newName = name ?? wrongUsage('name the new workspace');
  const draft: WorkspaceDraft = {
    name: newName,
    repository,
    ruleEditor,
    allowHttp: isGiven(run.options, 'allow-http'),
    trust: (await trustOf(run)) ?? { kind: 'system' },
    timeouts: defaultTimeouts,
    options: optionsOf(run, defaultRepositoryOptions),
    ...(await networkOf(run, null)),
  };
  checkInput(workspaceDraft, draft, { name: 'NAME', ...draftOptions });
  await refuseTaken(run, newName);
  if (setsSecret(draft)) await keepTokens(run);
  return reported(run, await run.ask('workspaces.add', draft));
}

/** The options that fields of a draft come from. */
const draftOptions = {
  repository: '--repository',
  ruleEditor: '--rule-editor',
  'trust.fingerprint': '--pin',
  'trust.pem': '--authority',
} as const;

/** `own`: the id of the workspace that is to have the name, where there is one. */
async function refuseTaken(run: CommandRun, name: string, own: string | null = null): Promise<void> {
  const { workspaces } = await run.ask('workspaces.list', {});
  // `--workspace` takes an ID first: a workspace that is named so could not be chosen by its name.
  if (workspaces.some((one) => one.id !== own && (isSameName(one.name, name) || isSameName(one.id, name))))
    wrongUsage('another workspace has this name or ID');
}

async function edit(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const newName = textOf(run.options, 'rename');
  const changes = [
    'rename',
    'repository',
    'rule-editor',
    'decodes-comments',
    'optional-actions',
    ...Object.keys(networkFlags),
  ];
  if (changes.every((name) => textOf(run.options, name) === null) && !isGiven(run.options, 'allow-http'))
    wrongUsage('nothing to change: give at least one option');
  const before = await named(run, rest);
  if (newName !== null) await refuseTaken(run, newName, before.id);
  const draft: WorkspaceDraft = {
    name: newName ?? before.name,
    repository: addressOf(run, 'repository', before.repository),
    ruleEditor: addressOf(run, 'rule-editor', before.ruleEditor),
    allowHttp: before.allowHttp || isGiven(run.options, 'allow-http'),
    trust: (await trustOf(run)) ?? before.trust,
    timeouts: before.timeouts,
    options: optionsOf(run, before.options),
    ...(await networkOf(run, before)),
  };
  checkInput(workspaceDraft, draft, { name: '--rename', ...draftOptions });
  if (setsSecret(draft)) await keepTokens(run);
  return reported(run, await run.ask('workspaces.edit', { id: before.id, draft, basedOn: before }));
}

/** A token that is stored stays; for another host it is not used. */
function addressOf(
  { options }: CommandRun,
  name: 'repository' | 'rule-editor',
  before: WorkspaceView['repository'],
): WorkspaceDraft['repository'] {
  const baseUrl = textOf(options, name) ?? before?.baseUrl ?? '';
  return baseUrl === '' ? null : { baseUrl, token: { kind: 'keep' } };
}

/** What is not given stays. */
function optionsOf({ options }: CommandRun, before: RepositoryOptions): RepositoryOptions {
  const given = (name: 'decodes-comments' | 'optional-actions', otherwise: boolean): boolean => {
    const answer = choiceOf(options, name, ['yes', 'no']);
    return answer === null ? otherwise : answer === 'yes';
  };
  return {
    ...before,
    decodesComments: given('decodes-comments', before.decodesComments),
    optionalActions: given('optional-actions', before.optionalActions),
  };
}

async function reported({ terminal }: CommandRun, view: WorkspaceView): Promise<ExitCode> {
  await (terminal.isData ? terminal.value(view) : terminal.line(`${view.id}\t${visibleLine(view.name)}`));
  return exitCodes.done;
}

async function use(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const view = await named(run, rest);
  await run.ask('workspaces.switch', { id: view.id });
  return reported(run, view);
}

async function show(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const view = await namedOrCurrent(run, rest);
  if (run.terminal.isData) return reported(run, view);
  const records = new Records(run.terminal, settingColumns);
  for (const [setting, value] of settingsOf(view)) await records.add({ setting, value });
  await records.end();
  return exitCodes.done;
}

const settingColumns: readonly Column<{ setting: string; value: string }>[] = [
  { head: 'SETTING', value: ({ setting }) => setting, isOwn: true },
  { head: 'VALUE', value: ({ value }) => value, cut: 'text', isMain: true, isOwn: true },
];

function settingsOf(view: WorkspaceView): [setting: string, value: string][] {
  const { builtIn, trust, timeouts } = view;
  return [
    ['ID', view.id],
    ['name', view.name],
    ['repository', addressWords(builtIn, view.repository) ?? 'not set'],
    ['rule editor', addressWords(builtIn, view.ruleEditor) ?? 'not set'],
    ['plain HTTP', view.allowHttp ? 'allowed' : 'not allowed'],
    [
      'TLS',
      { system: 'system', authority: 'custom CA', pin: `pin ${trust.kind === 'pin' ? trust.fingerprint : ''}` }[
        trust.kind
      ],
    ],
    ...networkSettings(view),
    ['comments decoded twice', view.options.decodesComments ? 'yes' : 'no'],
    ['optional actions', view.options.optionalActions ? 'used' : 'not used'],
    ['timeouts', `${timeouts.connectSeconds} s, ${timeouts.firstByteSeconds} s, ${timeouts.idleSeconds} s`],
  ];
}

async function namedOrCurrent(run: CommandRun, rest: readonly string[]): Promise<WorkspaceView> {
  if (rest.length > 0) return named(run, rest);
  const id = await run.workspaceId();
  return named(run, [id]);
}

async function test(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const { tokens } = await givenSecrets(run);
  const { tests } =
    tokens.size === 0
      ? await run.ask('workspaces.test', {
          id: rest.length === 0 ? await run.workspaceId() : (await named(run, rest)).id,
          draft: null,
        })
      : await testWith(tokens, run, rest);
  const records = new Records(run.terminal, testColumns, ({ failure }) => (failure === null ? null : 'problem'));
  for (const one of tests) await (run.terminal.isJson ? run.terminal.json(one) : records.add(one));
  if (!run.terminal.isJson) await records.end();
  return mostSevereOf(tests.map(({ failure }) => (failure === null ? exitCodes.done : exitCodeOf(failure))));
}

/** The stored workspace with other tokens, as an edit that is not saved. */
async function testWith(
  tokens: GivenSecrets['tokens'],
  run: CommandRun,
  rest: readonly string[],
): Promise<OperationOutput<'workspaces.test'>> {
  const view = await namedOrCurrent(run, rest);
  if (view.builtIn) wrongUsage('the lab needs no token: name another workspace, or give no token');
  return run.ask('workspaces.test', { id: view.id, draft: draftWith(tokens, view) });
}

type Tested = OperationOutput<'workspaces.test'>['tests'][number];
const testColumns: readonly Column<Tested>[] = [
  { head: 'SERVICE', value: ({ service }) => service, isOwn: true },
  { head: 'STATUS', value: ({ failure }) => (failure === null ? 'ok' : 'failed'), isOwn: true },
  {
    head: 'REASON',
    value: ({ failure }) => (failure === null ? null : reasonOf(failure)),
    cut: 'text',
    isOwn: true,
  },
  {
    head: 'NOT SUPPORTED',
    value: ({ actions }) =>
      actions.flatMap(({ action, answers }) => (answers || optionalActions.has(action) ? [] : [action])).join(' ') ||
      null,
    cut: 'text',
    isOwn: true,
  },
];

async function token(run: CommandRun, [name = '', which = '']: readonly string[]): Promise<ExitCode> {
  const service =
    services.find((one) => one === which) ??
    wrongUsage('name the service: workspace token NAME repository|rule-editor');
  const view = await named(run, [name]);
  const place = { option: 'from', variable: tokenVariable, what: 'token' };
  const secret =
    (await givenSecret(run, place)) ?? (await secretInput({ ...run, options: { ...run.options, from: '-' } }, place));
  const draft = draftWith(new Map([[service, secret.trim() || wrongUsage('the token is empty')]]), view);
  checkInput(workspaceDraft, draft, { repository: 'the token', ruleEditor: 'the token' });
  await keepTokens(run);
  return reported(run, await run.ask('workspaces.edit', { id: view.id, draft, basedOn: view }));
}

/** A workspace as it is stored, with these tokens. */
function draftWith(tokens: GivenSecrets['tokens'], view: WorkspaceView): WorkspaceDraft {
  const service = (one: ServiceName, before: WorkspaceView['repository']): WorkspaceDraft['repository'] => {
    const given = tokens.get(one);
    if (before === null) return given === undefined ? null : wrongUsage(`${view.name} has no ${one}`);
    const change: TokenChange = given === undefined ? { kind: 'keep' } : { kind: 'set', token: given };
    return { baseUrl: before.baseUrl, token: change };
  };
  const { name, allowHttp, trust, timeouts, options, proxy, front } = view;
  return {
    name,
    allowHttp,
    trust,
    timeouts,
    options,
    proxy: keptProxy(proxy),
    front: keptFront(front),
    repository: service('repository', view.repository),
    ruleEditor: service('rule-editor', view.ruleEditor),
  };
}

/** A token or a password that is in memory only is lost when the command ends. */
async function keepTokens(run: CommandRun): Promise<void> {
  const { secrets } = await run.ask('host.describe', {});
  if (secrets.store !== 'memory') return;
  const passphrase = await givenSecret(run, { option: 'new-passphrase-file', variable: 'VITRINE_NEW_PASSPHRASE' });
  if (passphrase !== null) await run.ask('secrets.create', { passphrase });
  else if ((await run.client()).kind === 'own')
    wrongUsage('there is no system keychain to store it: create a sealed token file with --new-passphrase-file FILE');
}

async function remove(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const view = await named(run, rest);
  const isMeant =
    isGiven(run.options, 'yes') ||
    ((await run.terminal.ask(`Remove ${view.name}?`)) ?? wrongUsage('confirm the removal with --yes'));
  if (!isMeant) return exitCodes.interrupted;
  await run.ask('workspaces.remove', { id: view.id, forgetLibrary: isGiven(run.options, 'forget-library') });
  return exitCodes.done;
}
