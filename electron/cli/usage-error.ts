/** The command line itself is wrong: nothing was done. The message ends without a full stop's worth of explanation; `--help` follows it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function wrongUsage(message: string): never {
  throw new UsageError(message);
}
