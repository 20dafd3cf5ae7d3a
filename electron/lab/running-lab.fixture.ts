import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, type OutgoingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { labMessage, type LabMessage, type LabRight, labRights } from '../../shared/domain/lab.ts';
import { readLabArguments } from './command-line.ts';
import { folderPlace, type Terminal } from './commands.ts';
import { type Lab, startLab } from './lab.ts';
import { formHeaders } from './multipart-body.fixture.ts';
import { obey } from './program.ts';

const entry = fileURLToPath(new URL('../lab.ts', import.meta.url));

/** A lab that answers, on a directory of its own. */
export interface ServingLab {
  /** `http://127.0.0.1:PORT`, empty when it failed. */
  origin: string;
  token: string;
  /** Asks for an action of the repository with the lab's own token. */
  ask(action: string, parameters?: Record<string, string>, init?: RequestInit): Promise<Response>;
  /** The same of the rule editor. A redirect is given, not followed. */
  askRules(action: string, parameters?: Record<string, string>, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** The real lab as a process. */
export interface RunningLab extends ServingLab {
  process: ChildProcess;
  /** Its first answer. */
  answer: LabMessage;
}

export const anyToken = 'f'.repeat(64);

export async function startLabProcess(
  dataDirectory: string,
  rights: readonly LabRight[] = labRights,
  token = anyToken,
): Promise<RunningLab> {
  const child = fork(entry, [], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send({ kind: 'start', dataDirectory, port: 0, token, rights });
  const heard: unknown[] = await once(child, 'message');
  const answer = labMessage.parse(heard[0]);
  const origin = answer.kind === 'listening' ? `http://127.0.0.1:${answer.port}` : '';
  return { process: child, answer, ...asking(origin, token), stop: () => ended(child, () => child.disconnect()) };
}

/** The same lab in this process: for what does not depend on how it starts, is killed and ends. */
export async function startLabHere(dataDirectory: string): Promise<ServingLab & Pick<Lab, 'sampleFiles'>> {
  const session = { token: anyToken, rights: [...labRights] };
  const report = (error: unknown): void => void process.stderr.write(`lab: ${String(error)}\n`);
  const { port, sampleFiles, close } = await startLab({ dataDirectory, port: 0, session, report });
  return { sampleFiles, ...asking(`http://127.0.0.1:${port}`, anyToken), stop: () => close(0) };
}

function asking(origin: string, token: string): Omit<ServingLab, 'stop'> {
  const ask =
    (path: string) =>
    (action: string, parameters: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(`${origin}${path}?${new URLSearchParams({ action, token, ...parameters }).toString()}`, init);
  const askRules = ask('/rules/api.php');
  return {
    origin,
    token,
    ask: ask('/repository/api.php'),
    askRules: (action, parameters, init) => askRules(action, parameters, { redirect: 'manual', ...init }),
  };
}

/** Ends a child in the given way and waits until it is gone. */
export async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  end();
  await gone;
}

/** Uploads whose bodies a test writes itself, as slowly or as badly as it likes. */
export function openUpload(
  lab: Pick<RunningLab, 'origin' | 'token'>,
  headers: OutgoingHttpHeaders = {},
): ClientRequest {
  return request(`${lab.origin}/repository/api.php?action=uploadfiles&token=${lab.token}`, {
    method: 'POST',
    headers: { ...formHeaders, ...headers },
  });
}

/** The lab's command line, as a person uses it. */
export function startLabCommand(...args: string[]): ChildProcess {
  return spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function labCommand(
  ...args: string[]
): Promise<{ code: number | null; results: string; remarks: string }> {
  const child = startLabCommand(...args);
  const text = { results: '', remarks: '' };
  child.stdout?.on('data', (chunk: Buffer) => (text.results += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text.remarks += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, ...text };
}

/** The same in this process, for commands that prepare a test. @returns what it prints on standard output */
export async function labCommandHere(...args: string[]): Promise<string> {
  let results = '';
  const terminal: Terminal = {
    result: (line) => void (results += `${line}\n`),
    remark: () => {},
    report: (error) => {
      throw error;
    },
  };
  const command = readLabArguments(args, '');
  if (command === null || command.kind === 'serve') throw new TypeError(`${args.join(' ')} needs a process`);
  await obey(command, folderPlace(command.dataDirectory), terminal);
  return results;
}

export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'vitrine-lab-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
