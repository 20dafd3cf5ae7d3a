import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('./cli.ts', import.meta.url));
const web = fileURLToPath(new URL('./web.ts', import.meta.url));
const lab = fileURLToPath(new URL('./lab.ts', import.meta.url));

export interface Ran {
  code: number | null;
  output: string;
  errors: string;
}

/** Commands as processes, and a desk as another one, over a data directory of their own. */
export interface CommandLineLab {
  /** An empty folder for files of the test. */
  folder: string;
  data: string;
  run(args: readonly string[], more?: { input?: string; environment?: Record<string, string> }): Promise<Ran>;
  /** The JSON values of a command's output; it must end with 0. */
  json(...args: string[]): Promise<unknown[]>;
  /** Opens the desk on the same data. Resolves when it answers. */
  openDesk(): Promise<void>;
  close(): Promise<void>;
}

/** A lab that has its specimens and rules: to make them takes as long as a command does. */
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

/** Its own lab begins as a copy of the stock. */
export async function openCommandLineLab(stock: LabStock): Promise<CommandLineLab> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-cli-'));
  const data = join(folder, 'data');
  await cp(stock.folder, join(data, 'lab'), { recursive: true });
  let desk: ChildProcess | null = null;
  const run: CommandLineLab['run'] = async (args, { input = '', environment = {} } = {}) => {
    const child = spawn(execPath, [command, ...args, ...(args.includes('--data') ? [] : ['--data', data])], { env: { ...process.env, ...environment }, stdio: 'pipe' });
    child.stdin.end(input);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), child.exitCode === null ? once(child, 'exit') : null]);
    return { code: child.exitCode, output, errors };
  };
  return {
    folder, data, run,
    json: async (...args) => {
      const { code, output, errors } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${errors}`);
      return output.split('\n').filter((line) => line !== '').map((line): unknown => JSON.parse(line));
    },
    openDesk: async () => {
      desk = spawn(execPath, [web, '--port', '0', '--data', data, '--exports', join(folder, 'exports'), '--no-open'], { stdio: ['pipe', 'pipe', 'inherit'] });
      if (!desk.stdout) throw new Error('a desk says nothing');
      for await (const line of createInterface(desk.stdout)) if (/http:\/\/127\.0\.0\.1:\d+\/#/.test(line)) return;
      throw new Error('the desk ended before it was open');
    },
    close: async () => {
      if (desk?.exitCode === null) await ended(desk, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
