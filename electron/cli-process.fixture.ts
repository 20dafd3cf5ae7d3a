import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type ClientRequest, type OpenedClient, runCommandLine } from './cli/command-line.ts';
import { takeSecrets } from './cli/given-secrets.ts';
import { ProcessTerminal } from './cli/process-terminal.ts';
import { collectFrom } from './cli-diagnostics.ts';
import { findOpenHost, openClient } from './cli-host.ts';
import { restoreData, verifyBackup } from './cli-restoring.ts';
import packageJson from '../package.json' with { type: 'json' };

const command = fileURLToPath(new URL('./cli.ts', import.meta.url));
const web = fileURLToPath(new URL('./web.ts', import.meta.url));
const lab = fileURLToPath(new URL('./lab.ts', import.meta.url));

export interface Ran {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs one command to its end. */
export type Run = (
  args: readonly string[],
  more?: { input?: string; environment?: Record<string, string> },
) => Promise<Ran>;

export interface HeldHost {
  run: Run;
  close(): Promise<void>;
}

/** Commands as processes or in this one, and an open Vitrine as another one, over a data directory of their own. */
export interface CommandLineLab {
  /** An empty folder for files of the test. */
  folder: string;
  data: string;
  /** As a program of its own. */
  run: Run;
  /**
   * In this process, over a host of its own: for what does not depend on how the program starts, reads, writes and
   * ends.
   */
  here: Run;
  /** In this process, over one host until it is closed. */
  holdHost(): Promise<HeldHost>;
  /** The JSON values of the output of a command in this process; it must end with 0. */
  json(...args: string[]): Promise<unknown[]>;
  /** Opens Vitrine on the same data. Resolves when it answers. */
  openRunning(): Promise<void>;
  close(): Promise<void>;
}

/** A lab that has its sample files and rules: to make them takes as long as a command does. */
export interface LabStock {
  folder: string;
  remove(): Promise<void>;
}

export async function makeLabStock(): Promise<LabStock> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-stock-'));
  const serving = spawn(execPath, [lab, '--port', '0', '--data', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(serving.stdout, 'data');
  await ended(serving, 'SIGINT');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function ended(program: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(program, 'exit');
  program.kill(signal);
  await gone;
}

/** Its own lab begins as a copy of the stock. `name`: of the data directory. */
export async function openCommandLineLab(stock: LabStock, name = 'data'): Promise<CommandLineLab> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'));
  const data = join(folder, name);
  await cp(stock.folder, join(data, 'lab'), { recursive: true });
  let host: ChildProcess | null = null;
  const withData = (args: readonly string[]): readonly string[] =>
    args.includes('--data') ? args : [...args, '--data', data];
  const run: Run = async (args, { input = '', environment = {} } = {}) => {
    const child = spawn(execPath, [command, ...withData(args)], {
      env: { ...process.env, ...environment },
      stdio: 'pipe',
    });
    child.stdin.end(input);
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      child.exitCode === null ? once(child, 'exit') : null,
    ]);
    return { code: child.exitCode, output, errors };
  };
  const here: Run = (args, more) => runHere(withData(args), more);
  return {
    folder,
    data,
    run,
    here,
    holdHost: async () => {
      const held = await holdHost(data);
      return { ...held, run: (args, more) => held.run(withData(args), more) };
    },
    json: (...args) => jsonOf(here, args),
    openRunning: async () => {
      host = spawn(execPath, [web, '--port', '0', '--data', data, '--exports', join(folder, 'exports'), '--no-open'], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      if (!host.stdout) throw new Error('a host prints nothing');
      for await (const line of createInterface(host.stdout)) if (/http:\/\/127\.0\.0\.1:\d+\/#/.test(line)) return;
      throw new Error('the host ended before it was open');
    },
    close: async () => {
      if (host?.exitCode === null) await ended(host, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs commands in this process, each over a host of its own: to start a program and to load it again takes longer than
 * what most commands do.
 */
const runHere: Run = (args, more) => runOver(openHere, args, more);

/** Runs commands in this process, all over one host, whose lab starts once. */
async function holdHost(data: string): Promise<HeldHost> {
  const opened = await openHere({ data, waitMs: 0, signal: new AbortController().signal });
  const lent: OpenedClient = { ...opened, client: { ...opened.client, close: async () => {} } };
  return { run: (args, more) => runOver(async () => lent, args, more), close: () => opened.client.close() };
}

const openHere = (wanted: ClientRequest): Promise<OpenedClient> => openClient(wanted, packageJson.version);

async function runOver(
  open: typeof openHere,
  args: readonly string[],
  { input = '', environment = {} }: Parameters<Run>[1] = {},
): Promise<Ran> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(output), text(errors)]);
  const streams = { output, errors, input: () => Readable.from([Buffer.from(input)]), writeFile: null };
  const { signal } = new AbortController();
  const code = await runCommandLine(args, {
    version: packageJson.version,
    secrets: takeSecrets({ ...environment }),
    signal,
    restore: restoreData,
    verifyBackup,
    openClient: open,
    diagnosing: (data) => ({
      openRunning: () => findOpenHost(data, packageJson.version),
      collect: () => collectFrom(data),
    }),
    terminal: (options) => new ProcessTerminal({ ...options, environment: {}, streams, signal, onEnd: () => {} }),
  });
  for (const stream of [output, errors]) stream.end();
  const [reported, complained] = await said;
  return { code, output: reported, errors: complained };
}

/** The JSON values of a command's output; it must end with 0. */
export async function jsonOf(run: Run, args: readonly string[]): Promise<unknown[]> {
  const { code, output, errors } = await run([...args, '--json']);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${errors}`);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
