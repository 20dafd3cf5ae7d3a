import type { ExitCode } from './exit-codes.ts';

/** The command ends here, and the person was told why. */
export class Told extends Error {
  override readonly name = 'Told';
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`ends with ${code}`);
    this.code = code;
  }
}
