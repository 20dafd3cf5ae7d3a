/** Part of the interface: scripts rely on these numbers (docs/command-line.md). */
export const exitCodes = {
  done: 0,
  /** Any other failure. */
  failed: 1,
  /** The command line itself is wrong; nothing was done. */
  usage: 2,
  /** At least one item is unknown or missing. */
  notFound: 3,
  /** No token, a refused one, or one without the right. */
  notAllowed: 4,
  /** The service cannot be reached, or its response is unexpected. */
  service: 5,
  /** The data is in use, of a newer version, damaged, or its disk refuses. */
  data: 6,
  /** Refused by a safety rule: TLP, live bytes, wrong bytes, data of another user. */
  refused: 7,
  /** A rule hit: `scan` and `hunt` with `--fail-on-hit`. */
  hit: 8,
  /** Ctrl-C, as shells number it. */
  interrupted: 130,
  /** The reader of the output closed it, as shells number it. */
  brokenPipe: 141,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command ends here, and the reason was shown. */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`ends with ${code}`);
    this.code = code;
  }
}

/**
 * The command line itself is wrong: nothing was done. The message is a part of a sentence, without its full stop.
 * `details`: lines below it.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly details: readonly string[];

  constructor(message: string, details: readonly string[] = []) {
    super(message);
    this.details = details;
  }
}

/** A sentence of the page as a part of one: it begins in lower case, with the quotation marks of a terminal. */
export const inUsage = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replaceAll(/[“”]/g, '"').replaceAll('’', "'");

export function wrongUsage(message: string, details: readonly string[] = []): never {
  throw new UsageError(message, details);
}

/** The path of failures that are of the output itself. */
export const standardOutput = 'the standard output';

/** The reader of the output is gone. */
export class OutputGone extends Error {
  override readonly name = 'OutputGone';
}
