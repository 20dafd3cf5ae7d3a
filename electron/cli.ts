import packageJson from '../package.json' with { type: 'json' };
import { runCommandLine } from './cli/command-line.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { takeSecrets } from './cli/given-secrets.ts';
import { OutputGone } from './cli/output-gone.ts';
import { ProcessTerminal } from './cli/process-terminal.ts';
import { openDoor } from './cli-host.ts';

/**
 * The command line: what a person or a script asks of a desk that is open on the same data, or of a host of this process when none is.
 * Everything it imports here is loaded by the shortest command too.
 */
const repeatedSignalMs = 300;
const interrupt = new AbortController();
let output: 'read' | 'gone' = 'read';
endOnSignals();

const code = await runCommandLine(process.argv.slice(2), {
  version: packageJson.version,
  secrets: takeSecrets(process.env),
  signal: interrupt.signal,
  restore: async (order) => (await import('./cli-restoring.ts')).restoreDesk(order),
  verifyBackup: async (order) => (await import('./cli-restoring.ts')).verifyBackup(order),
  openDoor: (wanted) => openDoor(wanted, packageJson.version),
  terminal: (options) =>
    new ProcessTerminal({
      ...options,
      streams: { output: process.stdout, errors: process.stderr, input: () => process.stdin },
      onGone: () => {
        output = 'gone';
        interrupt.abort(new OutputGone());
      },
    }),
});
// What was written may still be on its way to a pipe.
process.stdout.write('', () => process.exit(output === 'gone' ? exitCodes.brokenPipe : code));

/** Once: what is under way ends in order. Again: at once. One Ctrl-C can arrive twice, from the terminal and from whoever started us. */
function endOnSignals(): void {
  let since: number | null = null;
  const end = (): void => {
    if (since !== null && performance.now() - since > repeatedSignalMs) process.exit(exitCodes.interrupted);
    since ??= performance.now();
    interrupt.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}
