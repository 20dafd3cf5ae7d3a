import type { Failure } from '../../shared/failure.ts';
import type { Flags } from './command.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { ExitCode } from './exit.ts';
import { reasonOf } from './reason.ts';
import type { Terminal } from './terminal.ts';

/**
 * Shows what happened and what to do. `flags`: those of the command, which invalid input is named by.
 * @returns what the command ends with
 */
export function explainFailure(failure: Failure, terminal: Pick<Terminal, 'complain'>, flags: Flags = {}): ExitCode {
  if (failure.kind === 'bad-input') {
    for (const { path, message } of failure.issues.slice(0, 1))
      terminal.complain(`Invalid ${inputName(path, flags)}: expected ${message}.`);
    return exitCodeOf(failure);
  }
  terminal.complain(`${reasonOf(failure)}${inTerminal(failure)}`);
  return exitCodeOf(failure);
}

/** A person knows options, not where their values go. */
function inputName(path: string, flags: Flags): string {
  const words = path.split('.').map((word) => word.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  const option = words.find((word) => Object.hasOwn(flags, word));
  return option === undefined ? 'argument' : `--${option}`;
}

/** The sentences are about the window. */
function inTerminal(failure: Failure): string {
  switch (failure.kind) {
    case 'token-missing':
    case 'token-for-other-host':
    case 'token-refused':
      return ` Or run: vitrine workspace token NAME ${failure.service}`;
    case 'secrets-locked':
      return ' Or use --passphrase-file FILE.';
    case 'http-not-allowed':
      return ' On the command line: --allow-http.';
    case 'service-not-set':
      return ` Or run: vitrine workspace edit NAME --${failure.service} URL`;
    default:
      return '';
  }
}
