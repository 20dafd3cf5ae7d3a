/** The command line itself is wrong: nothing was done. The message is a part of a sentence, without its full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function wrongUsage(message: string): never {
  throw new UsageError(message);
}
