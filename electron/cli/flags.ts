import type { ParseArgsOptionsConfig } from 'node:util';
import type { Command, Flags } from './command.ts';

/** As the parser takes them. */
export const parserOptions = (flags: Flags): ParseArgsOptionsConfig =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { value, short, multiple = false }]) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        multiple,
        ...(short !== undefined && { short }),
      } as const,
    ]),
  );

/** Those of a command and of its sub-commands. */
export const flagsOf = ({ flags = {}, words = {} }: Pick<Command, 'flags' | 'words'>): Flags =>
  Object.fromEntries(
    [flags, ...Object.values(words).map((word) => word.flags ?? {})].flatMap((some) => Object.entries(some)),
  );

const usualFileValues = /^(?:FILE|DIR|PATH)\b/;
/** Whether the value of an option is a path. */
export const takesPath = (value: string | undefined): boolean => value !== undefined && usualFileValues.test(value);
