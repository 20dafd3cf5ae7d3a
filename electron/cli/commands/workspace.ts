import type { OperationOutput } from '../../../shared/contract.ts';
import { optionalActions } from '../../../shared/domain/server-action.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import {
  defaultRepositoryOptions,
  defaultTimeouts,
  type RepositoryOptions,
  type TokenChange,
  type Trust,
  type WorkspaceDraft,
  workspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import type { ServiceName } from '../../../shared/failure.ts';
import { checkInput } from '../checked-input.ts';
import type { Command, CommandRun, Flags } from '../command.ts';
import { exitCodeOf, mostSevereOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, ExitError, wrongUsage } from '../exit.ts';
import { fileText } from '../file-input.ts';
import { choiceOf, isGiven, textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';
import { givenSecret, secretInput } from '../secret-input.ts';
import { isSameName, workspaceNamed } from '../workspace-named.ts';

const services: readonly ServiceName[] = ['repository', 'rule-editor'];
const tokenVariable = 'VITRINE_TOKEN';
const addressFlags: Flags = {
  repository: { value: 'URL', text: 'address of the repository; "" removes it' },
  'rule-editor': { value: 'URL', text: 'address of the rule editor; "" removes it' },
  'allow-http': { text: 'allow addresses without encryption' },
  authority: { value: 'FILE', text: 'custom certificate authority (PEM), in addition to those of the system' },
  pin: { value: 'SHA-256', text: 'fingerprint of the only accepted certificate' },
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
    test: {
      summary: 'test the connection and the tokens of a workspace',
      usage: ['[NAME]'],
      examples: ['vitrine workspace test'],
      most: 1,
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
        'new-passphrase-file': {
          value: 'FILE',
          text: 'passphrase of a new sealed token file; or set VITRINE_NEW_PASSPHRASE',
        },
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
    const does = verbs[word] ?? wrongUsage('missing command: one of list, add, edit, use, test, token, remove');
    return does(run, rest);
  },
};

const verbs: Readonly<Record<string, (run: CommandRun, rest: readonly string[]) => Promise<ExitCode>>> = {
  list,
  add,
  edit,
  use,
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
  };
  checkInput(workspaceDraft, draft, { name: 'NAME', ...draftOptions });
  await refuseTaken(run, newName);
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
    'authority',
    'pin',
    'decodes-comments',
    'optional-actions',
  ] as const;
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
  };
  checkInput(workspaceDraft, draft, { name: '--rename', ...draftOptions });
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

async function trustOf({ options, signal }: CommandRun): Promise<Trust | null> {
  const [authority, pin] = [textOf(options, 'authority'), textOf(options, 'pin')];
  if (authority !== null && pin !== null) wrongUsage('give --authority or --pin, not both');
  if (pin !== null) return { kind: 'pin', fingerprint: pin.replaceAll(':', '').toLowerCase() };
  if (authority === null) return null;
  const pem = await fileText({ path: authority, option: 'authority', signal });
  return { kind: 'authority', pem };
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

async function test(run: CommandRun, rest: readonly string[]): Promise<ExitCode> {
  const id = rest.length === 0 ? await run.workspaceId() : (await named(run, rest)).id;
  const { tests } = await run.ask('workspaces.test', { id, draft: null });
  const records = new Records(run.terminal, testColumns, ({ failure }) => (failure === null ? null : 'problem'));
  for (const one of tests) await (run.terminal.isJson ? run.terminal.json(one) : records.add(one));
  if (!run.terminal.isJson) await records.end();
  return mostSevereOf(tests.map(({ failure }) => (failure === null ? exitCodes.done : exitCodeOf(failure))));
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
  const change: TokenChange = { kind: 'set', token: secret.trim() || wrongUsage('the token is empty') };
  const withToken = (one: ServiceName, before: WorkspaceView['repository']): WorkspaceDraft['repository'] =>
    before === null
      ? one === service
        ? wrongUsage(`${view.name} has no ${one}`)
        : null
      : { baseUrl: before.baseUrl, token: one === service ? change : { kind: 'keep' } };
  const { name: ownName, allowHttp, trust, timeouts, options } = view;
  const draft = {
    name: ownName,
    allowHttp,
    trust,
    timeouts,
    options,
    repository: withToken('repository', view.repository),
    ruleEditor: withToken('rule-editor', view.ruleEditor),
  };
  checkInput(workspaceDraft, draft, { repository: 'the token', ruleEditor: 'the token' });
  await keepTokens(run);
  return reported(run, await run.ask('workspaces.edit', { id: view.id, draft, basedOn: view }));
}

/** A token that is in memory only is lost when the command ends. */
async function keepTokens(run: CommandRun): Promise<void> {
  const { secrets } = await run.ask('host.describe', {});
  if (secrets.store !== 'memory') return;
  const passphrase = await givenSecret(run, { option: 'new-passphrase-file', variable: 'VITRINE_NEW_PASSPHRASE' });
  if (passphrase !== null) await run.ask('secrets.create', { passphrase });
  else if ((await run.client()).kind === 'own')
    wrongUsage(
      'there is no system keychain to store the token: create a sealed token file with --new-passphrase-file FILE',
    );
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
