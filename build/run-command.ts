import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './paths.ts';

export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Kept and returned instead of shown. */
  capture?: boolean;
  /** Ends the command. */
  until?: AbortSignal;
}
export interface CommandResult {
  code: number;
  output: string;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs one of our tools to its end, passing on the signals that end us so that nothing is left running. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: options.env ?? process.env,
    stdio: options.capture === true ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const stopForwarding = forwardSignals(child);
  options.until?.addEventListener('abort', () => child.kill());
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stopForwarding();
      resolve({ code: code ?? exitCodeOf(signal), output });
    });
  });
}

/** Runs a script with the Node this process runs on. */
export function runNode(script: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...args], options);
}

/** The exit code a shell gives a process that a signal ended. */
export function exitCodeOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 1 : 128 + constants.signals[signal];
}

function forwardSignals(child: ChildProcess): () => void {
  // Ctrl-C in a terminal reaches the child by itself (a second one would make it hurry), as everything does on Windows,
  // where kill() would end it at once.
  const isReported = (signal: NodeJS.Signals): boolean =>
    process.platform === 'win32' || (signal === 'SIGINT' && process.stdin.isTTY);
  const forward = (signal: NodeJS.Signals): boolean => !isReported(signal) && child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}
