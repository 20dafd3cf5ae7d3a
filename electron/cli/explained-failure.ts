import type { Failure } from '../../shared/failure.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { ExitCode } from './exit-codes.ts';
import { reasonOf } from './reason.ts';
import type { Terminal } from './terminal.ts';

/** Shows what happened and what to do. @returns what the command ends with */
export function explainFailure(failure: Failure, terminal: Pick<Terminal, 'complain'>): ExitCode {
  terminal.complain(`${reasonOf(failure)}${inTerminal(failure)}`);
  return exitCodeOf(failure);
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
    default:
      return '';
  }
}
