/** The command line itself is wrong: nothing was done. The message is a part of a sentence, without its full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A sentence of the page as a part of one: it begins in lower case, with the quotation marks of a terminal. */
export const inUsage = (sentence: string): string =>
  `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`.replaceAll(/[“”]/g, '"').replaceAll('’', "'");

export function wrongUsage(message: string): never {
  throw new UsageError(message);
}
