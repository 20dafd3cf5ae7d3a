import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { builtEntry } from '../program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const running = new Set<ChildProcess>();

function start(command: string, args: readonly string[]): ChildProcess {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs one of our entries to its end and gives what it printed. Rejects when it fails. */
export async function runEntry(entry: string, args: readonly string[]): Promise<string> {
  return run(process.execPath, [builtEntry(entry) ?? entry, ...args]);
}

/** The same for any command. */
export async function run(command: string, args: readonly string[]): Promise<string> {
  const child = start(command, args);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ending: unknown[] = await once(child, 'close');
  const [code] = ending;
  if (code !== 0) throw new Error(`${command} ${args[0] ?? ''} ended with ${String(code)}`);
  return printed;
}

/** Starts one of our entries that serves, and waits for the line it prints when it is ready. */
export async function startServer(
  entry: string,
  args: readonly string[],
  ready: RegExp,
): Promise<{ pid: number; match: RegExpExecArray; end(): Promise<void> }> {
  const child = start(process.execPath, [builtEntry(entry) ?? entry, ...args]);
  if (child.stdout === null || child.pid === undefined) throw new Error(`${entry} did not start`);
  const lines = createInterface(child.stdout);
  for await (const line of lines) {
    const match = ready.exec(line);
    if (match !== null) return { pid: child.pid, match, end: () => end(child) };
  }
  throw new Error(`${entry} ended before it was ready`);
}

/** Ends whatever still runs, and waits until it is gone. */
export async function endAll(): Promise<void> {
  await Promise.all(Array.from(running, end));
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
