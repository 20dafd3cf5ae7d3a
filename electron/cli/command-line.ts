import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract.ts';
import { visibleLine } from '../../shared/domain/visible-text.ts';
import { FailureError, type Result, type ServiceName } from '../../shared/failure.ts';
import type { HostClient } from './client.ts';
import type { Command, CommandRun, Flags, OptionValues } from './command.ts';
import { commands } from './commands.ts';
import {
  asksForHelp,
  findCommand,
  type IsArgument,
  positionals,
  readOptions,
  readReporting,
} from './common-options.ts';
import { type ExitCode, exitCodes, OutputGone, ExitError, UsageError, wrongUsage } from './exit.ts';
import { type GivenSecrets, givenSecrets } from './given-secrets.ts';
import { delayAfter, untilInterrupted } from './interruption.ts';
import { suggestion } from './nearest-word.ts';
import type { Diagnosing, RestoreOrder, Restoring, Verifying } from './offline.ts';
import { choiceOf, flagsOf, isGiven, numberOf, textOf } from './option-values.ts';
import { requireKnown, withCurrentWord } from './suggestions.ts';
import { type OutputFormat, outputFormats, type Terminal } from './terminal.ts';
import { workspaceNamed } from './workspace-named.ts';

// What takes long to load (schemas, sentences, a host) is loaded where it is needed: most commands end before that.

export interface ClientRequest {
  /** The data directory that was named. */
  data: string | null;
  /** How long data that is in use is waited for. */
  waitMs: number;
  /** Ends the waiting. A host that is being opened is opened all the same: it is to be closed in order. */
  signal: AbortSignal;
}

export interface OpenedClient {
  client: HostClient;
  /** Of an own host: a token for as long as it runs. A running one has its own. */
  lend: ((workspaceId: string, service: ServiceName, token: string) => void) | null;
  /** Resolves when the host is gone, and never after `close`. */
  lost: Promise<void>;
  /** The data directory, where there was none before. */
  created?: string;
}

interface CommandLinePorts {
  version: string;
  /** Secrets of the environment, by the names of their variables. */
  secrets: ReadonlyMap<string, string>;
  terminal(options: { format: OutputFormat | null; isQuiet: boolean }): Terminal;
  openClient(wanted: ClientRequest): Promise<OpenedClient>;
  restore: Restoring<RestoreOrder & { data: string | null }>;
  verifyBackup: Verifying;
  /** In the data directory that was named; null: that of this person. */
  diagnosing(data: string | null): Diagnosing;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

const usualWaitSeconds = 10;
/** After Ctrl-C. */
const hostAnswersWithinMs = 3_000;
/** The lab needs no token of others: its own is minted at each start. */
const labId = 'lab';
/** They change nothing that would have to be stopped or undone: Ctrl-C waits for none of them. */
const onlyAsk: ReadonlySet<OperationName> = new Set<OperationName>([
  'samples.lookup',
  'workspaces.test',
  'workspaces.list',
  'publications.check',
  'library.list',
  'library.totals',
  'library.sample',
  'journal.verify',
  'scans.plan',
  'hunts.estimate',
]);

/** Runs one command to its end. @returns what the process ends with */
export async function runCommandLine(args: readonly string[], ports: CommandLinePorts): Promise<ExitCode> {
  const { name, rest } = findCommand(args);
  const isArgument = await argumentsOf(name);
  const { format, isQuiet, asksVersion } = readReporting(rest, isArgument);
  const terminal = ports.terminal({ format, isQuiet });
  let topic: readonly string[] = [];
  let flags: Flags = {};
  try {
    if (asksVersion) return await print(terminal, `vitrine ${ports.version}`);
    if (name === null) {
      if (!asksForHelp(rest, {}, isArgument)) requireNothing(rest);
      return await print(terminal, await helpOf([]));
    }
    const command = await commandNamed(name);
    flags = flagsOf(command);
    topic = [name, ...wordsOf(rest, command, isArgument)];
    if (asksForHelp(rest, flags, isArgument)) return await print(terminal, await helpOf(topic));
    const code = await new OneRun(command, ports, terminal).run(rest, isArgument);
    await terminal.end(true);
    return code;
  } catch (error) {
    await terminal.end(false).catch(() => {});
    return await explain(error, { topic, flags, terminal, signal: ports.signal });
  } finally {
    terminal.progress(null);
  }
}

async function print(terminal: Terminal, text: string): Promise<ExitCode> {
  await terminal.line(text);
  return exitCodes.done;
}

const noArgument: IsArgument = () => false;

/** What of a command line that begins with a dash is an argument of the command. */
async function argumentsOf(name: string | null): Promise<IsArgument> {
  const listed = name !== null && Object.hasOwn(commands, name) ? commands[name] : undefined;
  return listed?.takesQuery ? (await import('./chosen-samples.ts')).isExcludedTerm : noArgument;
}

/** @throws UsageError for options without a command */
function requireNothing(rest: readonly string[]): void {
  if (rest.length === 0) return;
  readOptions(rest, {}, noArgument);
  wrongUsage('name a command');
}

const helpOf = async (topic: readonly string[]): Promise<string> =>
  (await import('./help-topics.ts')).helpOfTopic(commands, topic);

/** The sub-command behind the name of its command, where there is one. */
function wordsOf(rest: readonly string[], command: Command, isArgument: IsArgument): string[] {
  const [first = ''] = withCurrentWord(command, positionals(rest, flagsOf(command), isArgument));
  return Object.hasOwn(command.words ?? {}, first) ? [first] : [];
}

function commandNamed(name: string): Promise<Command> {
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return listed
    ? listed.load()
    : wrongUsage(`unknown command "${name.slice(0, 80)}"${suggestion(name, Object.keys(commands))}`);
}

/** A command with its client, which is opened when it is first asked for. */
class OneRun {
  readonly #command: Command;
  readonly #ports: CommandLinePorts;
  readonly #terminal: Terminal;
  readonly #lost = Promise.withResolvers<never>();
  #options: OptionValues = {};
  #passesTokens = false;
  #given: Promise<GivenSecrets> | null = null;
  #opened: Promise<OpenedClient> | null = null;
  #ready: OpenedClient | null = null;
  #workspace: Promise<string> | null = null;

  constructor(command: Command, ports: CommandLinePorts, terminal: Terminal) {
    this.#command = command;
    this.#ports = ports;
    this.#terminal = terminal;
  }

  async run(rest: readonly string[], isArgument: IsArgument): Promise<ExitCode> {
    const { args: typed, options } = readOptions(rest, flagsOf(this.#command), isArgument);
    const args = withCurrentWord(this.#command, typed);
    requireKnown(this.#command, { args, options });
    requireFormat(this.#command, options);
    this.#options = options;
    this.#passesTokens = this.#command.words?.[args[0] ?? '']?.passesTokens ?? false;
    const waited = delayAfter(this.#ports.signal, hostAnswersWithinMs);
    try {
      const code = await Promise.race([
        this.#command.run(this.#with(args)),
        this.#lost.promise,
        waited.over.then(() => this.#givenUp()),
      ]);
      return this.#ports.signal.aborted ? this.#interrupted() : code;
    } finally {
      waited.stop();
      // One that could not be opened has reported why.
      await this.#opened?.catch(() => null);
      await this.#ready?.client.close();
    }
  }

  /** A host of our own ends in order, however long that takes; a stopped Vitrine never answers. */
  #givenUp(): Promise<never> {
    if (this.#ready?.client.kind !== 'running') return new Promise(() => {});
    this.#terminal.complain('Vitrine does not respond. The operation may continue there: see Activity.');
    throw new ExitError(exitCodes.interrupted);
  }

  /** @throws FailureError where it was no person but the output that failed */
  #interrupted(): ExitCode {
    const reason: unknown = this.#ports.signal.reason;
    if (reason instanceof FailureError) throw reason;
    return exitCodes.interrupted;
  }

  #with(args: readonly string[]): CommandRun {
    return {
      args,
      options: this.#options,
      commands,
      terminal: this.#terminal,
      secrets: this.#ports.secrets,
      signal: this.#ports.signal,
      client: async () => (await this.#open()).client,
      ask: (name, input) => this.#ask(name, input),
      restore: (order) => this.#ports.restore({ ...order, data: textOf(this.#options, 'data') }),
      verifyBackup: (order) => this.#ports.verifyBackup(order),
      diagnosing: this.#ports.diagnosing(textOf(this.#options, 'data')),
      workspaceId: () => (this.#workspace ??= this.#findWorkspace()),
    };
  }

  #secrets(): Promise<GivenSecrets> {
    return (this.#given ??= givenSecrets({
      options: this.#options,
      secrets: this.#ports.secrets,
      signal: this.#ports.signal,
    }));
  }

  async #open(): Promise<OpenedClient> {
    // After that only what tidies up has something to ask, of a client that is open.
    if (this.#opened === null) this.#ports.signal.throwIfAborted();
    return untilInterrupted(this.#ports.signal, (this.#opened ??= this.#openClient()));
  }

  async #openClient(): Promise<OpenedClient> {
    const waitMs = waitSeconds(this.#options) * 1000;
    const secrets = await this.#secrets();
    const opened = await this.#ports.openClient({
      data: textOf(this.#options, 'data'),
      waitMs,
      signal: this.#ports.signal,
    });
    void opened.lost.then(() => this.#lost.reject(new FailureError({ kind: 'host-gone' })));
    if (!this.#passesTokens) await checkTokens(opened, secrets);
    this.#ready = opened;
    // A path with a slip in it would else be an empty library without a word.
    if (opened.created !== undefined && textOf(this.#options, 'data') !== null)
      this.#terminal.print(visibleLine(`Created the data directory ${opened.created}.`));
    if (secrets.passphrase !== null) await unlock(opened.client, secrets.passphrase);
    return opened;
  }

  async #ask<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>> {
    const { client } = await this.#open();
    const asked = client.call(name, input);
    return valueOf(await (onlyAsk.has(name) ? untilInterrupted(this.#ports.signal, asked) : asked));
  }

  async #findWorkspace(): Promise<string> {
    const { workspaces, current } = await this.#ask('workspaces.list', {});
    const named = textOf(this.#options, 'workspace');
    const found = named === null ? current : (workspaceNamed(workspaces, named)?.id ?? null);
    if (found === null) return this.#noWorkspace(named ?? '');
    await this.#lend(found);
    return found;
  }

  #noWorkspace(named: string): never {
    this.#terminal.complain(`There is no workspace "${named}". List them: vitrine workspace list`);
    throw new ExitError(exitCodes.notFound);
  }

  async #lend(workspaceId: string): Promise<void> {
    const { tokens } = await this.#secrets();
    if (tokens.size > 0 && workspaceId === labId)
      wrongUsage('the lab needs no token: choose another workspace with --workspace, or give no token');
    const { lend } = await this.#open();
    for (const [service, token] of tokens) lend?.(workspaceId, service, token);
  }
}

/** @throws UsageError for a format that the command does not write, and for two */
function requireFormat(command: Command, options: OptionValues): void {
  const format = choiceOf(options, 'format', flagsOf(command)['format']?.choices ?? outputFormats);
  if (isGiven(options, 'json') && format !== null && format !== 'jsonl')
    wrongUsage('--json and --format cannot be combined');
}

function waitSeconds(options: OptionValues): number {
  return textOf(options, 'wait') === '0' ? 0 : (numberOf(options, 'wait') ?? usualWaitSeconds);
}

async function checkTokens({ client, lend }: OpenedClient, { tokens }: GivenSecrets): Promise<void> {
  if (lend !== null || tokens.size === 0) return;
  await client.close();
  wrongUsage('Vitrine is open and uses its own tokens: close it, or give no token');
}

async function unlock(client: HostClient, passphrase: string): Promise<void> {
  const { secrets } = valueOf(await client.call('host.describe', {}));
  if (secrets.state === 'locked') valueOf(await client.call('secrets.unlock', { passphrase }));
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new FailureError(result.failure);
  return result.value;
}

const sentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

interface Explained {
  /** The command and the sub-command that were named, where they are known. */
  topic: readonly string[];
  /** Of the command. */
  flags: Flags;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Reports what ended a command, where this was not reported yet. */
async function explain(error: unknown, { topic, flags, terminal, signal }: Explained): Promise<ExitCode> {
  if (error instanceof OutputGone) return exitCodes.brokenPipe;
  if (error instanceof ExitError) return error.code;
  if (error instanceof UsageError) {
    terminal.complain(
      `vitrine${topic
        .slice(0, 1)
        .map((name) => ` ${name}`)
        .join('')}: ${sentence(error.message)}`,
    );
    for (const line of error.details) terminal.complain(line);
    const hasHelp = topic.length > 0 && topic[0] !== 'help';
    terminal.complain(`See "${hasHelp ? `vitrine help ${topic.join(' ')}` : 'vitrine --help'}".`);
    return exitCodes.usage;
  }
  if (signal.aborted && !(signal.reason instanceof FailureError)) return exitCodes.interrupted;
  if (error instanceof OtherVersion) {
    terminal.complain(error.message);
    return exitCodes.data;
  }
  const failed: unknown = signal.aborted ? signal.reason : error;
  if (failed instanceof FailureError)
    return (await import('./explained-failure.ts')).explainFailure(failed.failure, terminal, flags);
  terminal.complain(`This is a defect in Vitrine: ${String(error)}`);
  for (const frame of stackOf(error)) terminal.complain(frame);
  return exitCodes.failed;
}

/** Without the message, which may have lines that look like others. */
function stackOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^ +at /.test(line));
}

/** The open Vitrine is of another version: neither understands the other. */
export class OtherVersion extends Error {
  override readonly name = 'OtherVersion';

  constructor(hosts: string, own: string) {
    super(
      `Vitrine ${hosts} is open on this data, but this command is version ${own}. ` +
        'Close Vitrine, or use the command of the same version.',
    );
  }
}
