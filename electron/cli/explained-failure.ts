import type { Failure } from '../../shared/failure.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { exitCodeOf } from './exit-code-of.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Says what happened and what to do. @returns what the command ends with */
export function explainFailure(failure: Failure, terminal: Pick<Terminal, 'complain'>): ExitCode {
  const { what, then } = sentenceFor(failure);
  terminal.complain(`${what}. ${then}${inTerminal(failure)}`);
  return exitCodeOf(failure);
}

/** The sentences tell where it is done in the window. */
function inTerminal(failure: Failure): string {
  switch (failure.kind) {
    case 'token-missing':
    case 'token-for-other-host':
    case 'token-refused':
      return ` Or: vitrine workspace token NAME ${failure.service}`;
    case 'secrets-locked':
      return ' Or give it with --passphrase-file FILE.';
    case 'package-removes-many':
      return ' Or: --yes';
    default:
      return '';
  }
}
