import type { ParseArgsOptionsConfig } from 'node:util';
import type { Command, Flags, OptionValues } from './command.ts';
import { wrongUsage } from './exit.ts';

/** Whether an option without a value was given. */
export const isGiven = (options: OptionValues, name: string): boolean => options[name] === true;

/** The value of an option; null where it was not given. */
export function textOf(options: OptionValues, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

/** The values of an option that may be given more than once. */
export function textsOf(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** One of a few words. @throws UsageError for another one */
export function choiceOf<Choice extends string>(
  options: OptionValues,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const value = textOf(options, name);
  if (value === null) return null;
  return (
    choices.find((choice) => choice === value.toLowerCase()) ??
    wrongUsage(`--${name} must be one of ${choices.join(', ')}`)
  );
}

/** @throws UsageError where it was not given, or is empty */
export const neededText = (options: OptionValues, name: string): string =>
  textOf(options, name) || wrongUsage(`--${name} is required`);

/** A whole number from 1. @throws UsageError for anything else */
export function numberOf(options: OptionValues, name: string): number | null {
  const value = textOf(options, name);
  if (value === null) return null;
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : wrongUsage(`--${name} must be a whole number from 1`);
}

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
