import { fstatSync, writeSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };
import { findOpenHost, openClient } from './cli-host.ts';
import { runCommandLine } from './cli/command-line.ts';
import { type ExitCode, exitCodes, OutputGone } from './cli/exit.ts';
import { takeSecrets } from './cli/given-secrets.ts';
import { ProcessTerminal } from './cli/process-terminal.ts';

/**
 * The command line: what a person or a script asks of a Vitrine that is open on the same data, or of a host of this
 * process when none is. Everything it imports here is loaded by the shortest command too.
 */
const repeatedSignalMs = 300;
const interrupt = new AbortController();
let outputEnded: Error | null = null;
endOnSignals();

const code = await runCommandLine(process.argv.slice(2), {
  version: packageJson.version,
  secrets: takeSecrets(process.env),
  signal: interrupt.signal,
  restore: async (order) => (await import('./cli-restoring.ts')).restoreData(order),
  verifyBackup: async (order) => (await import('./cli-restoring.ts')).verifyBackup(order),
  diagnosing: (data) => ({
    openRunning: () => findOpenHost(data, packageJson.version),
    collect: async () => (await import('./cli-diagnostics.ts')).collectFrom(data),
  }),
  openClient: (wanted) => openClient(wanted, packageJson.version),
  terminal: (options) =>
    new ProcessTerminal({
      ...options,
      environment: process.env,
      streams: {
        output: process.stdout,
        errors: process.stderr,
        input: () => process.stdin,
        writeFile: isFile(process.stdout.fd) ? (bytes) => writeSync(process.stdout.fd, bytes) : null,
      },
      signal: interrupt.signal,
      onEnd: (why) => {
        outputEnded = why;
        interrupt.abort(why);
      },
    }),
});
if (interrupt.signal.aborted) process.exit(endOf(code));
// What was written may still be on its way to a pipe.
interrupt.signal.addEventListener('abort', () =>
  process.exit(outputEnded === null ? exitCodes.interrupted : endOf(code)),
);
process.stdout.write('', () => process.exit(endOf(code)));

/** An output that ended while the last of it was on its way was reported to no one. */
function endOf(reported: ExitCode): ExitCode {
  if (outputEnded instanceof OutputGone) return exitCodes.brokenPipe;
  return outputEnded !== null && reported === exitCodes.done ? exitCodes.data : reported;
}

/** A device that is no terminal is written to as a file is. */
function isFile(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isFile() || (found.isCharacterDevice() && !process.stdout.isTTY);
}

/**
 * Once: what is under way ends in order. Again: at once. One Ctrl-C can arrive twice, from the terminal and from the
 * process that started us.
 */
function endOnSignals(): void {
  let since: number | null = null;
  const end = (): void => {
    if (since !== null && performance.now() - since > repeatedSignalMs) process.exit(exitCodes.interrupted);
    since ??= performance.now();
    interrupt.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
