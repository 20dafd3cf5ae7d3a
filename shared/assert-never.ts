/**
 * Closes a switch over a union: a new member does not compile until it is handled. Alone here: a worker that needs it
 * starts without all else.
 */
export function assertNever(value: never): never {
  throw new TypeError(`unhandled case: ${JSON.stringify(value)}`);
}
