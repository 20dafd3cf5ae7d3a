import type { z } from 'zod';

/**
 * What an input has to be where its rule has no words of its own, as the end of "expected …". zod's words name its own
 * types, and print regular expressions. Given to `safeParse` as `error`.
 */
export function inputWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? 'a different value';
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return Array.isArray(issue.options) ? oneOf(issue.options) : 'one of the allowed forms';
    case 'too_small':
      return `${issue.inclusive === false ? 'more than' : 'at least'} ${counted(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${counted(issue.maximum, issue.origin)}`;
    case 'unrecognized_keys':
      return 'no extra fields';
    default:
      return 'a different form';
  }
}

/** The first reason why a schema refuses a value; null: it takes it. */
export function firstIssue(schema: z.ZodType, value: unknown): { path: string[]; message: string } | null {
  const [issue] = schema.safeParse(value, { error: inputWords }).error?.issues ?? [];
  return issue === undefined ? null : { path: issue.path.map(String), message: issue.message };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'its fields',
  record: 'its fields',
  null: 'nothing',
};

function oneOf(values: readonly unknown[]): string {
  const last = values.length - 1;
  return values.map((value, at) => `${at === 0 ? '' : at === last ? ' or ' : ', '}${String(value)}`).join('');
}

function counted(count: number | bigint, origin: string): string {
  const shown = count.toLocaleString('en');
  if (origin === 'string') return `${shown} ${count === 1 ? 'character' : 'characters'}`;
  return origin === 'array' ? `${shown} ${count === 1 ? 'entry' : 'entries'}` : shown;
}
